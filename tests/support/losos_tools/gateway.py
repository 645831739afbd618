"""The uplink side of a gateway: its files, one pass of losos-uplink, and losos-edge beside it."""

import re
import time

from .files import read_json, write_json, write_text
from .process import Daemon, run
from .tokens import token


def boot_id():
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        return file.read().strip()


def box(name, port=20000, zone="acme.test", **more):
    """A row of live.json."""
    return {"id": name, "hostname": f"{name}.{zone}", "port": port, **more}


class Gateway:
    """`registrar`: the registrar whose live.json and status.json a pass reads; without one the
    test writes both itself."""

    def __init__(self, folder, registrar=None):
        self.folder = folder
        self.edge_dir = folder / "edge"
        self.state = registrar.state if registrar else folder / "state"
        self.run_dir = registrar.run_dir if registrar else folder / "run"
        self.rathole = folder / "rathole"
        for path in (folder, self.state, self.run_dir, self.rathole):
            path.mkdir(parents=True, exist_ok=True)
        self.uplink_json = self.edge_dir / "uplink.json"
        self.uplink_token = self.edge_dir / "uplink.token"
        self.pin = self.edge_dir / "hub-noise.pub"
        self.pin_for = self.edge_dir / "hub-noise.for"
        self.live_file = self.run_dir / "live.json"
        self.status_file = self.run_dir / "status.json"
        self.pass_file = self.run_dir / "uplink-status.json"
        self.uplink_toml = self.rathole / "uplink.toml"
        self.hub_routes = self.state / "hub-routes.json"
        if registrar is None:
            self.write_live([])
            self.write_status()

    # --- what the registrar would write ---

    def write_live(self, boxes):
        write_json(self.live_file, {"boxes": boxes})

    def write_status(self, age_ms=0, ttl_ms=120000, boot=None):
        write_json(self.status_file, {
            "boot_id": boot or boot_id(), "heartbeat_ttl_ms": ttl_ms,
            "reconciled_monotonic_ms": int(time.monotonic() * 1000) - age_ms}, 0o644)

    # --- losos-edge ---

    def edge_flags(self):
        return ["--edge-dir", self.edge_dir, "--state-dir", self.state, "--run-dir", self.run_dir,
                "--uplink-rathole-config", self.uplink_toml]

    def edge(self, *words, **options):
        return run("losos-edge", *words, *self.edge_flags(), **options)

    def set_uplink(self, url, *more, name="acme", rathole="127.0.0.1:2333"):
        named = write_text(self.folder / f"{name}.token", token(name) + "\n")
        done = self.edge("uplink", "set", "--id", name, "--token-file", named, "--registrar", url,
                         "--rathole", rathole, *more)
        assert done.code == 0, done
        return done

    # --- losos-uplink ---

    def pass_flags(self):
        return ["--uplink-file", self.uplink_json, "--live-file", self.live_file,
                "--uplink-rathole-config", self.uplink_toml, "--hub-routes-file", self.hub_routes,
                "--hub-noise-file", self.pin, "--status-file", self.pass_file]

    def run_pass(self, *more):
        return run("losos-uplink", *self.pass_flags(), *more)

    def start_pass(self, *more):
        """A pass that is not waited for."""
        return Daemon(self.folder, "losos-uplink", [*self.pass_flags(), *more])

    def services(self):
        """{id: local port} of uplink.toml; None when there is no file."""
        try:
            text = self.uplink_toml.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        found = re.findall(r'\[client\.services\."([^"]+)"\]\ntoken = .*\n'
                           r'local_addr = "127\.0\.0\.1:(\d+)"', text)
        return {name: int(port) for name, port in found}

    def status(self):
        return read_json(self.pass_file)
