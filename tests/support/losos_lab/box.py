"""A home server: announces itself to its edge and keeps its tunnel, with our real tools."""

import json
import secrets

from . import parts, wait
from .edge import RATHOLE_ENV, write_secret
from .process import Process, run
from .traefik import moved

WEB_PORT = 80


class Box:
    """One box; the path to its edge is what lososd-pathd would have written. Boxes share a machine:
    one that has a page of its own has it on a port of its own."""

    def __init__(self, space, folder, logs, box_id, hostname, edge, noise, timing,
                 web_port=WEB_PORT):
        self.space = space
        self.folder = folder
        self.id = box_id
        self.hostname = hostname
        self.noise = noise
        self.timing = timing
        self._logs = logs
        self.edge = edge
        self._reach = edge.reach()
        self._web_port = web_port
        self.run_dir = folder / "run"
        self.token_file = folder / "token"
        self.bootstrap_file = folder / "bootstrap"
        self.path_env = self.run_dir / "edge-path.env"
        self.pins = folder / "pins"
        self.client_toml = folder / "client.toml"
        self.announced = self.run_dir / "announced.json"
        self.relay_pass = self.run_dir / "relay-pass"
        self.announce = None
        self.tunnel = None
        self._prepare()

    def _prepare(self):
        for path in (self.folder, self.run_dir, self.pins):
            path.mkdir(parents=True, mode=0o700)
        write_secret(self.token_file, secrets.token_hex(32))
        write_secret(self.bootstrap_file, secrets.token_hex(32))
        self.path_env.write_text(
            f"LOSOS_EDGE_PATH_URL={self._reach.url}\n"
            f"LOSOS_EDGE_PATH_RATHOLE={self._reach.rathole}\n"
            f"LOSOS_EDGE_PATH_SOURCE={self._reach.source}\n"
            f"LOSOS_EDGE_PATH_NOISE_PUB={self.pins}/{self._reach.pin}\n")

    def announce_command(self):
        return [parts.tool("losos-announce"), "--config", "", "--path-env", self.path_env,
                "--appliance-id", self.id, "--hostname", self.hostname,
                "--token-file", self.token_file, "--run-dir", self.run_dir,
                "--relay-pass-file", self.relay_pass,
                "--heartbeat-interval", self.timing["heartbeat"], "--idle", "off"]

    def start_announce(self):
        self.announce = Process(self.space, f"{self.id}-announce", self.announce_command(),
                                self._logs, env=self._reach.env, named=self._reach.named)

    def wait_announced(self, timeout=15.0):
        try:
            wait.until(self.is_announced, "the registration", timeout)
        except wait.TimedOut as error:
            raise AssertionError(f"{self.id} did not register: {self.announce.tail()}") from error

    def is_announced(self):
        """Whether an edge has taken the box; before that the note may name edges to be left."""
        try:
            return "url" in json.loads(self.announced.read_text())
        except FileNotFoundError:
            return False

    def client_config_command(self):
        return [parts.tool("lososd-pathd"), "client-config", "--config", "",
                "--path-env", self.path_env, "--appliance-id", self.id,
                "--token-file", self.token_file, "--bootstrap-token-file", self.bootstrap_file,
                "--pins-dir", self.pins, "--output", self.client_toml]

    def client_config(self, expect=0):
        """What the tunnel unit runs before rathole."""
        done = run(self.space, self.client_config_command(), env=self._reach.env,
                   named=self._reach.named, expect=expect)
        if self._web_port != WEB_PORT and done.code == 0:
            self.client_toml.write_text(moved(
                self.client_toml.read_text(),
                {f'"127.0.0.1:{WEB_PORT}"': f'"127.0.0.1:{self._web_port}"'}))
        return done

    def start_tunnel(self):
        self.tunnel = Process(self.space, f"{self.id}-rathole",
                              [parts.part("rathole"), "--client", self.client_toml],
                              self._logs, env=RATHOLE_ENV)

    def come(self):
        """Register and heartbeat, then the tunnel: the order the box's units keep."""
        self.start_announce()
        self.wait_announced()
        self.client_config()
        self.start_tunnel()

    def credentials(self):
        return {"appliance_id": self.id, "token": self.token_file.read_text().strip()}

    def deregister(self):
        """Asks the edge to forget the row, and returns the status of the answer."""
        return self.edge.api("POST", "/deregister", self.credentials())[0]

    def register(self):
        """Registers without losos-announce, and returns the status of the answer."""
        return self.edge.api("POST", "/register",
                              {**self.credentials(), "hostname": self.hostname})[0]

    def fall_silent(self):
        """No more heartbeats and no tunnel, without a word: a power cut."""
        for process in (self.announce, self.tunnel):
            if process is not None:
                process.kill()

    def stop(self):
        for process in (self.announce, self.tunnel):
            if process is not None:
                process.stop()
