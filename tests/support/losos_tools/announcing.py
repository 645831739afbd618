"""A box's files, and losos-announce with them."""

from .files import read_json, write_text
from .process import Daemon, run
from .stand_in import reply
from .tokens import token

# How a stand-in answers as an edge that takes the box.
TAKEN = {"/register": reply(200, {"rathole_port": 20000}), "/heartbeat": reply(204),
         "/deregister": reply(204)}


class Box:
    """`box`, which answers to box.losos.test and beats every 150 ms."""

    def __init__(self, folder):
        self.folder = folder
        self.run_dir = folder / "run"
        self.run_dir.mkdir(parents=True)
        self.token_file = write_text(folder / "token", token("box") + "\n")
        self.announced = self.run_dir / "announced.json"
        self.refused = self.run_dir / "refused.json"
        self.path_env = self.run_dir / "edge-path.env"
        self.pass_file = self.run_dir / "relay-pass"
        self._started = []

    def arguments(self, *more):
        return ["--appliance-id", "box", "--hostname", "box.losos.test", "--token-file",
                self.token_file, "--run-dir", self.run_dir, "--heartbeat-interval", "150ms", *more]

    def start(self, *more, url=None):
        if url:
            more = ("--registrar-url", url, *more)
        self._started.append(Daemon(self.folder, "losos-announce", self.arguments(*more)))
        return self._started[-1]

    def once(self, *more):
        return run("losos-announce", *self.arguments("--once", *more))

    def write_path(self, url, source="lan"):
        write_text(self.path_env, f"LOSOS_EDGE_PATH_URL={url}\n"
                   f"LOSOS_EDGE_PATH_RATHOLE=127.0.0.1:2333\nLOSOS_EDGE_PATH_SOURCE={source}\n"
                   f"LOSOS_EDGE_PATH_NOISE_PUB=edge.pub\n", 0o644)

    def registered_with(self):
        """The URL of the edge that has the box, as announced.json has it."""
        try:
            return read_json(self.announced).get("url")
        except FileNotFoundError:
            return None

    def close(self):
        for daemon in self._started:
            daemon.kill()
