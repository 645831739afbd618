"""A box's files, and lososd-pathd with them."""

import os
import re

from . import http
from .files import read_json
from .process import Daemon, run
from .registrar import Reservation
from .waiting import until


class Pathd:
    """`edge`: the configured edge's URL. `prefix`: what runs it somewhere else. Further keywords are
    flags of serve: True is a switch."""

    def __init__(self, folder, edge=None, rathole="127.0.0.1:2333", prefix=(), **flags):
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.run_dir = folder / "run"
        self.secrets = folder / "secrets"
        self.env_file = self.run_dir / "edge-path.env"
        self.none_file = self.run_dir / "edge-none"
        self.edge_json = self.run_dir / "edge.json"
        self.refused = self.run_dir / "refused.json"
        self.token_file = self.secrets / "token"
        self.bootstrap = self.secrets / "bootstrap"
        self.pin = self.secrets / "configured.pub"
        self.pins_dir = self.secrets / "pins"
        self._prefix = list(prefix)
        self._reservation = Reservation()
        self.port = self._reservation.port
        self.daemon = None
        self.flags = {"run_dir": self.run_dir, "token_file": self.token_file,
                      "bootstrap_token_file": self.bootstrap, "noise_public_key_file": self.pin,
                      "pins_dir": self.pins_dir, "listen": f"127.0.0.1:{self.port}", **flags}
        if edge:
            self.flags.update(registrar_url=edge, edge_rathole_endpoint=rathole)

    def arguments(self, **changes):
        argv = ["serve"]
        for name, value in {**self.flags, **changes}.items():
            if value is not None:
                argv += ["--" + name.replace("_", "-"), *([] if value is True else [value])]
        return argv

    # --- the process ---

    def start(self, wait=True, **options):
        options.setdefault("prefix", self._prefix)
        self.daemon = Daemon(self.folder, "lososd-pathd", self.arguments(), **options)
        if wait:
            self.daemon.wait_ready()
        return self

    def start_and_fail(self, **changes):
        return run("lososd-pathd", *self.arguments(**changes))

    def restart(self):
        assert self.daemon.stop() == 0, self.daemon.log()
        return self.start()

    def gate(self, name):
        return run("lososd-pathd", "gate", name, "--run-dir", self.run_dir)

    def client_config(self, output):
        return run("lososd-pathd", "client-config", "--appliance-id", "box", "--path-env",
                   self.env_file, "--token-file", self.token_file, "--bootstrap-token-file",
                   self.bootstrap, "--noise-public-key-file", self.pin, "--pins-dir",
                   self.pins_dir, "--output", output, prefix=self._prefix)

    def close(self):
        if self.daemon is not None:
            self.daemon.kill()
        self._reservation.close()

    # --- what it says ---

    def get(self, path, headers=(("Host", "localhost"),), **options):
        return http.call(self.port, "GET", path, headers=list(headers), **options)

    def edge(self):
        return self.get("/api/edge").json()

    def env(self):
        """{name: value} of edge-path.env; None when there is no file."""
        try:
            text = self.env_file.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        return dict(re.findall(r"^LOSOS_EDGE_PATH_(\w+)=(.*)$", text, re.MULTILINE))

    def url(self):
        """Where the path leads to; None when there is none."""
        return (self.env() or {}).get("URL")

    def document(self):
        return read_json(self.edge_json)

    def candidate(self, url):
        """What edge.json says of the edge at a URL, if it knows it."""
        if not self.edge_json.exists():
            return None
        return next((each for each in self.document()["candidates"] if each["url"] == url), None)

    def wait_url(self, url, timeout=20.0):
        self._wait_path(url, timeout)

    def wait_none(self, timeout=20.0):
        self._wait_path(None, timeout)

    def _wait_path(self, url, timeout):
        until(lambda: self.url() == url and self.none_file.exists() == (url is None)
              and self._is_documented(url),
              lambda: f"the path {url}; it is {self.env()}: {self.daemon.log()[-1500:]}", timeout)

    def _is_documented(self, url):
        """Whether edge.json, which is written last, tells of the path as well."""
        if not self.edge_json.exists():
            return False
        document = self.document()
        if url is None:
            return document["reason"].startswith("no edge answers")
        return document["path"] is not None and document["path"]["url"] == url

    # --- what it costs ---

    def wake_ups(self):
        """How often its threads, those that are there now, have been woken so far."""
        total = 0
        tasks = f"/proc/{self.daemon.pid}/task"
        for task in os.listdir(tasks):
            with open(f"{tasks}/{task}/status", encoding="ascii") as file:
                total += int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", file.read(),
                                       re.MULTILINE)[1])
        return total

    def private_kib(self):
        with open(f"/proc/{self.daemon.pid}/smaps_rollup", encoding="ascii") as file:
            return int(re.search(r"^Private_Dirty:\s+(\d+) kB", file.read(), re.MULTILINE)[1])
