"""Somebody who answers in the hub's place, under the hub's own certificate."""

import base64
import json
import pathlib
import socket
import ssl

from losos_tools.stand_in import StandIn

ADDRESS = "127.0.0.66"


class Impostor(StandIn):
    """What the gateway meets at the hub's URL while the hub's name leads it here. The hub itself and
    the tunnels to it are not touched."""

    def __init__(self, lab, folder):
        self._lab = lab
        folder.mkdir()
        self.own = _context(*_acme_files(lab.hub.traefik.acme_storage(), lab.names.public_host,
                                         folder))
        # From a maker of certificates that the gateway does not trust.
        self.untrusted = _context(*lab.ready.issue([lab.names.public_host]))
        with lab.gateway_space.inside():
            listening = socket.create_server((ADDRESS, 443))
        super().__init__(listening=listening, tls=self.own)

    def __enter__(self):
        self._lab.gateway_space.set_hosts({self._lab.names.public_host: ADDRESS})
        return self

    def __exit__(self, *_):
        self._lab.gateway_space.set_hosts({self._lab.names.public_host: self._lab.hub.address})
        self.close()


def _acme_files(storage, name, folder):
    """The certificate for the name that Traefik got from the ACME server, and its key."""
    for resolver in json.loads(storage).values():
        for each in resolver.get("Certificates") or []:
            if each["domain"]["main"] == name:
                paths = folder / "own.pem", folder / "own.key"
                for path, part in zip(paths, ("certificate", "key")):
                    pathlib.Path(path).write_bytes(base64.b64decode(each[part]))
                return paths
    raise AssertionError(f"Traefik has no certificate for {name}")


def _context(certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context
