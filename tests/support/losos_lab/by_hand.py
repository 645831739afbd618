"""The floor: the same rathole and Traefik, with every file written by hand and nothing of ours.

Five files make one box public: the hub's server.toml, the gateway's server.toml, the router for
Traefik, the gateway's uplink.toml and the box's client.toml. What they take from the first byte
written to the first 200 is what our tools are measured against.
"""

import base64
import os
import time

from . import parts
from .process import Process, run

RATHOLE_PORT = 2433
FIRST_PORT = 30000
TOKEN = "t" * 64


class Pair:
    """A Noise key pair, base64, as rathole reads it."""

    def __init__(self, space, rathole):
        lines = run(space, [rathole, "--genkey"]).out.split()
        keys = [word for word in lines if _is_key(word)]
        self.private, self.public = keys[0], keys[1]


def _is_key(word):
    try:
        return len(base64.b64decode(word, validate=True)) == 32
    except ValueError:
        return False


def replace(path, text):
    """Whole or not at all, and private, as our own files are."""
    temporary = path.with_name(f".{path.name}.new")
    with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)
    os.rename(temporary, path)


class ByHand:
    """A second chain beside ours, in the same namespaces and behind the same Traefik."""

    def __init__(self, spaces, addresses, folder, logs, dynamic, noise):
        self._spaces = spaces
        self._addresses = addresses
        self._folder = folder
        self._logs = logs
        self._router_file = dynamic / "by-hand.yml"
        self._noise = noise
        self._rathole = parts.part("rathole")
        self._processes = []
        self._boxes = {}
        self._keys = {}

    def __enter__(self):
        self._folder.mkdir(parents=True)
        if self._noise:
            for edge in ("hub", "gateway"):
                self._keys[edge] = Pair(self._spaces[edge], self._rathole)
        for edge in ("hub", "gateway"):
            replace(self._folder / f"{edge}-server.toml", self._server(edge))
            self._run(edge, f"{edge}-server", "--server")
        replace(self._folder / "uplink.toml", self._client("hub", {}))
        self._run("gateway", "uplink", "--client")
        replace(self._folder / "box.toml", self._client("gateway", {}))
        self._run("box", "box", "--client")
        for process in self._processes:
            process.wait_line("Start watching the config")
        return self

    def __exit__(self, *_):
        self._router_file.unlink(missing_ok=True)
        for process in self._processes:
            process.stop()

    def add(self, box_id, hostname):
        """Writes the five files and returns the moment before the first."""
        self._boxes[box_id] = (hostname, FIRST_PORT + len(self._boxes))
        start = time.monotonic()
        replace(self._folder / "hub-server.toml", self._server("hub"))
        replace(self._folder / "gateway-server.toml", self._server("gateway"))
        replace(self._router_file, self._routers())
        uplink = {f"acme.{b}": f"127.0.0.1:{port}" for b, (_, port) in self._boxes.items()}
        replace(self._folder / "uplink.toml", self._client("hub", uplink))
        replace(self._folder / "box.toml",
                self._client("gateway", {b: "127.0.0.1:80" for b in self._boxes}))
        return start

    def _run(self, machine, name, mode):
        self._processes.append(Process(
            self._spaces[machine], f"by-hand-{name}",
            [self._rathole, mode, self._folder / f"{name}.toml"], self._logs,
            env={"RUST_LOG": "info"}))

    def _server(self, edge):
        out = [f'[server]\nbind_addr = "0.0.0.0:{RATHOLE_PORT}"\ndefault_token = "{TOKEN}"\n']
        if self._noise:
            out.append('[server.transport]\ntype = "noise"\n[server.transport.noise]\n'
                       f'local_private_key = "{self._keys[edge].private}"\n')
        prefix = "acme." if edge == "hub" else ""
        for box_id, (_, port) in self._boxes.items():
            out.append(f'[server.services."{prefix}{box_id}"]\ntoken = "{TOKEN}"\n'
                       f'bind_addr = "127.0.0.1:{port}"\n')
        return "".join(out if self._boxes else out + ["[server.services]\n"])

    def _client(self, edge, services):
        out = [f'[client]\nremote_addr = "{self._addresses[edge]}:{RATHOLE_PORT}"\n'
               f'default_token = "{TOKEN}"\n']
        if self._noise:
            out.append('[client.transport]\ntype = "noise"\n[client.transport.noise]\n'
                       f'remote_public_key = "{self._keys[edge].public}"\n')
        for name, local in services.items():
            out.append(f'[client.services."{name}"]\ntoken = "{TOKEN}"\nlocal_addr = "{local}"\n')
        return "".join(out if services else out + ["[client.services]\n"])

    def _routers(self):
        routers, services = ["http:\n  routers:\n"], ["  services:\n"]
        for box_id, (hostname, port) in self._boxes.items():
            routers.append(
                f"    byhand_{box_id}:\n      rule: Host(`{hostname}`)\n"
                f"      entryPoints: [websecure]\n      service: byhand_{box_id}\n"
                f"      tls:\n        certResolver: le\n        domains:\n"
                f"          - main: {hostname}\n")
            services.append(
                f"    byhand_{box_id}:\n      loadBalancer:\n        servers:\n"
                f"          - url: http://127.0.0.1:{port}\n")
        return "".join(routers + services)
