"""Many boxes on one machine that share one rathole client: as cheap as boxes get."""

import secrets

from . import parts
from .edge import RATHOLE_ENV
from .process import Process


class Crowd:
    """`ids` enrol at the lab's gateway in their order; each has a page of its own."""

    def __init__(self, lab, ids, pages=None):
        self._lab = lab
        self._gateway = lab.gateway
        self.ids = list(ids)
        self._tokens = {box: secrets.token_hex(32) for box in self.ids}
        self._pages = pages or lab.pages(lab.box_space, self.ids)
        self._folder = lab.folder / "crowd"
        self._folder.mkdir(mode=0o700)
        self._tunnel = None

    def hostname(self, box):
        return self._lab.names.box(box)

    def come(self):
        """All register, and their tunnels come up."""
        for box in self.ids:
            status, said = self._call("/register", box, hostname=self.hostname(box))
            if status != 200:
                raise AssertionError(f"{box} was answered {status}: {said}")
        config = self._folder / "client.toml"
        config.touch(mode=0o600)
        config.write_text(self._client_toml())
        self._tunnel = Process(self._lab.box_space, "crowd-rathole",
                               [parts.part("rathole"), "--client", config], self._lab.logs,
                               env=RATHOLE_ENV)

    def leave(self):
        """All for good."""
        for box in self.ids:
            self.deregister(box)
        self._tunnel.stop()

    def deregister(self, box):
        return self._call("/deregister", box)[0]

    def _call(self, path, box, **fields):
        return self._gateway.api("POST", path, {"appliance_id": box, "token": self._tokens[box],
                                                **fields}, space=self._lab.box_space)

    def _client_toml(self):
        text = (f'[client]\nremote_addr = "{self._gateway.reach().rathole}"\n'
                f'default_token = "{secrets.token_hex(32)}"\n')
        if self._lab.noise:
            text += ('[client.transport]\ntype = "noise"\n[client.transport.noise]\n'
                     f'remote_public_key = "{self._gateway.noise_pub.read_text().strip()}"\n')
        for box in self.ids:
            text += (f'[client.services."{box}"]\ntoken = "{self._tokens[box]}"\n'
                     f'local_addr = "127.0.0.1:{self._pages.port_of(box)}"\n')
        return text
