"""A hub and a gateway: our registrar beside real rathole and Traefik, all in one directory."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import secrets
import signal
import sys
from dataclasses import dataclass

from . import parts, wait
from .net import at
from .process import Process, run
from .traefik import Traefik

RATHOLE_PORT = 2333
API_PORT = 8443
# rathole keeps ten descriptors a service; the lab sets no limit below what its tests need.
RATHOLE_ENV = {"RUST_LOG": "info"}


def write_secret(path, text):
    path.touch(mode=0o600)
    path.write_text(text + "\n")


@dataclass(frozen=True)
class Reach:
    """How a box reaches an edge: its URL and endpoint, where they come from, the name of the pin,
    and what a program needs for them."""
    url: str
    rathole: str
    source: str
    pin: str
    env: dict
    named: bool


class Edge:
    """What hub and gateway have in common. `timing` holds the registrar's --heartbeat-ttl and
    --reconcile-interval."""

    def __init__(self, kind, space, folder, logs, noise, timing):
        self.kind = kind
        self.space = space
        self.folder = folder
        self.logs = logs
        self.noise = noise
        self.timing = timing
        # As many as a process may have files open for, where that is little.
        self.ports = "20000-20999"
        self.state = folder / "state"
        self.run_dir = folder / "run"
        self.keys = folder / "keys"
        self.rathole_dir = folder / "rathole"
        self.server_toml = self.rathole_dir / "server.toml"
        self.noise_key = self.keys / "noise.key"
        self.noise_pub = self.keys / "noise.key.pub"
        self.edge_dir = folder / "edge"
        # Flags of serve on top of the usual ones.
        self.more_flags = []
        # What it listens on instead of its usual addresses.
        self.any_address = None
        self.bootstrap = self.keys / "bootstrap.token"
        self.registrar = None
        self.rathole = None
        self.traefik = None

    def prepare(self):
        """Directories and keys: what the units do before the first start."""
        for path in (self.state, self.run_dir, self.keys, self.rathole_dir):
            path.mkdir(parents=True, mode=0o700)
        write_secret(self.bootstrap, secrets.token_hex(32))
        if self.noise:
            self.tool("losos-registrar", "noise", "keygen",
                      "--noise-private-key-file", self.noise_key)
        self.traefik.prepare()

    def tool(self, name, *args, **options):
        """Runs one of our tools on this machine to its end; see process.run."""
        return run(self.space, [parts.tool(name), *args], **options)

    def tunnel_flags(self):
        flags = ["--rathole-config", self.server_toml, "--rathole-bind-addr",
                 self.any_address or "0.0.0.0", "--rathole-bind-port", RATHOLE_PORT,
                 "--bootstrap-token-file", self.bootstrap]
        if self.noise:
            flags += ["--noise-private-key-file", self.noise_key]
        return flags

    def start_rathole(self):
        """`seed` and then rathole, which starts without the registrar."""
        self.tool("losos-registrar", "seed", "--config", "", *self.tunnel_flags())
        self.rathole = Process(self.space, f"{self.kind}-rathole",
                               [parts.part("rathole"), "--server", self.server_toml],
                               self.logs, env=RATHOLE_ENV)
        self.rathole.wait_line("Start watching the config")

    def serve_flags(self):
        return ["--config", "", "--registry", self.state / "registry.json",
                "--run-dir", self.run_dir, "--traefik-dir", self.traefik.dynamic,
                *self.tunnel_flags(),
                "--port-range", self.ports, "--port-rest", self.timing["port_rest"],
                "--heartbeat-ttl", self.timing["ttl"],
                "--reconcile-interval", self.timing["reconcile"], *self.more_flags]

    def start_registrar(self):
        self.registrar = Process(
            self.space, f"{self.kind}-registrar",
            [parts.tool("losos-registrar"), "serve", *self.serve_flags()], self.logs)
        wait.until(self._healthy, f"the {self.kind}'s registrar to answer /health")

    def _healthy(self):
        if not self.registrar.running():
            raise AssertionError(f"the {self.kind}'s registrar ended: {self.registrar.tail()}")
        try:
            return self.api("GET", "/health")[0] == 200
        except OSError:
            return False

    def api_address(self):
        return ("127.0.0.1", API_PORT)

    def api(self, method, path, body=None, space=None):
        """One request to this edge's registrar; returns the status and the text."""
        connection = http.client.HTTPConnection(*self.api_address(), timeout=10)
        connection.sock = (space or self.space).connect(self.api_address())
        try:
            connection.request(method, path, body and json.dumps(body),
                               {"Content-Type": "application/json"} if body else {})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def registry(self):
        return json.loads((self.state / "registry.json").read_text())

    def faults(self, word):
        """The faults that the registrar complains of now and that hold a word."""
        standing = json.loads((self.run_dir / "status.json").read_text())["faults"]
        return [fault for fault in standing if word in fault]

    def metric(self, name):
        """The value of a metric that stands alone; None when it is not there."""
        for line in (self.run_dir / "metrics.prom").read_text().splitlines():
            if line.startswith(f"losos_registrar_{name} "):
                return float(line.split()[1])
        return None

    def edge_flags(self):
        """The path flags of losos-edge."""
        return ["--edge-dir", self.edge_dir, "--state-dir", self.state, "--run-dir", self.run_dir]

    def losos_edge(self, *args, expect=0):
        """The operator's command."""
        return self.tool("losos-edge", *args, "--config", "", *self.edge_flags(), expect=expect)

    def status(self):
        """What `losos-edge status --json` says."""
        return json.loads(self.losos_edge("status", "--json").out)


class Hub(Edge):
    """The official edge on the internet, which relays for the spoke `acme`."""

    def __init__(self, space, folder, logs, noise, timing, names, acme, address):
        super().__init__("hub", space, folder, logs, noise, timing)
        self.address = address
        self._acme = acme
        self.names = names
        self.tenants_file = folder / "tenants.json"
        self.spoke_token = self.keys / "acme.token"
        self.traefik = Traefik(space, "hub-traefik", folder / "traefik", logs, acme,
                               names.public_host)

    def prepare(self):
        super().prepare()
        write_secret(self.spoke_token, secrets.token_hex(32))
        self.list_only({self.names.spoke: {
            "hostname": self.names.zone,
            "token_file": str(self.spoke_token),
            "relay_zone": self.names.zone,
        }})

    def list_box(self, box):
        """The operator lists a box that comes to the hub without a gateway."""
        self.list_more({box.id: {"hostname": box.hostname, "token_file": str(box.token_file)}})
        # Who comes before the registrar has read that is refused, and waits a minute.
        wait.until(lambda: self.api("POST", "/heartbeat", box.credentials())[0] != 401,
                   f"{box.id} to be known")

    def list_spoke(self, spoke, zone=None):
        """The operator lists a further gateway, in the zone of the first unless it has one of its
        own; returns its token file."""
        token_file = self.keys / f"{spoke}.token"
        write_secret(token_file, secrets.token_hex(32))
        self.list_more({spoke: {"hostname": f"{spoke}.{self.names.domain}",
                                "token_file": str(token_file), "relay_zone": zone or self.names.zone}})
        return token_file

    def list_more(self, rows):
        """Rows on top of those in the tenants file."""
        self.list_only({**json.loads(self.tenants_file.read_text()), **rows})

    def list_without(self, tenant):
        """The rows in the tenants file but one."""
        rows = json.loads(self.tenants_file.read_text())
        del rows[tenant]
        self.list_only(rows)

    def list_only(self, rows):
        """The whole of the tenants file."""
        whole = self.tenants_file.with_name(".tenants.json.new")
        whole.write_text(json.dumps(rows))
        whole.rename(self.tenants_file)

    def reach(self):
        return Reach(f"https://{self.names.public_host}", at(self.address, RATHOLE_PORT),
                     "configured", "configured.pub",
                     {"SSL_CERT_FILE": str(self._acme.root_file)}, True)

    def serve_flags(self):
        return [*super().serve_flags(), "--listen", f"127.0.0.1:{API_PORT}",
                "--tenants-file", self.tenants_file, "--public-domain", self.names.domain,
                "--public-host", self.names.public_host, "--cert-resolver", "le"]


class Gateway(Edge):
    """An edge on a LAN: enrols any box that comes, and relays it to the hub."""

    def __init__(self, space, folder, logs, noise, timing, lan_address, kind="gateway"):
        super().__init__(kind, space, folder, logs, noise, timing)
        self.lan_address = lan_address
        self.uplink_timeout = "10s"
        self.enrol_dir = self.state / "enrolled"
        self.uplink_json = self.edge_dir / "uplink.json"
        self.uplink_toml = self.rathole_dir / "uplink.toml"
        self.hub_noise = self.edge_dir / "hub-noise.pub"
        self.uplink_status = self.run_dir / "uplink-status.json"
        self.traefik = Traefik(space, f"{kind}-traefik", folder / "traefik", logs)
        self.trusted = None
        self._units = None

    def prepare(self):
        super().prepare()
        self.edge_dir.mkdir(mode=0o700)

    def api_address(self):
        return (self.lan_address, API_PORT)

    def serve_flags(self):
        return [*super().serve_flags(),
                "--listen", at(self.any_address or self.lan_address, API_PORT),
                "--lan-advertise", "--advertise-host", "gateway.local",
                "--avahi-service-file", self.folder / "losos-edge.service",
                "--enrol-dir", self.enrol_dir]

    def reach(self):
        host, port = self.api_address()
        return Reach(f"http://{at(host, port)}", at(host, RATHOLE_PORT), "lan",
                     re.sub("[^A-Za-z0-9.-]", "_", at(host, port)) + ".pub", {}, False)

    def live_boxes(self):
        """The text of live.json."""
        return (self.run_dir / "live.json").read_text()

    def uplink_flags(self):
        return ["--config", "", "--uplink-file", self.uplink_json,
                "--live-file", self.run_dir / "live.json",
                "--uplink-rathole-config", self.uplink_toml,
                "--hub-routes-file", self.state / "hub-routes.json",
                "--hub-noise-file", self.hub_noise,
                "--registrar-status-file", self.run_dir / "status.json",
                "--status-file", self.uplink_status, "--timeout", self.uplink_timeout]

    def uplink_env(self):
        """The hub's certificate comes from the lab's ACME server, so that one is trusted."""
        return {"SSL_CERT_FILE": str(self.trusted)} if self.trusted else {}

    def uplink_pass(self, expect=0):
        """One pass of losos-uplink, as its unit runs it."""
        return self.tool("losos-uplink", *self.uplink_flags(), env=self.uplink_env(), named=True,
                         expect=expect)

    def losos_edge(self, *args, expect=0):
        return self.tool("losos-edge", *args, "--config", "", "--enrol-dir", self.enrol_dir,
                         "--uplink-rathole-config", self.uplink_toml, *self.edge_flags(),
                         env=self.uplink_env(), named=True, expect=expect)

    def set_uplink(self, spoke, token_file, registrar_url, rathole_endpoint, *more):
        return self.losos_edge("uplink", "set", "--id", spoke, "--token-file", token_file,
                               "--registrar", registrar_url, "--rathole", rathole_endpoint, *more)

    def start_units(self, every):
        """The stand-in for the path and timer units of the uplink."""
        loop = parts.ROOT / "tests" / "support" / "stand_in_units.py"
        self._units = Process(
            self.space, f"{self.kind}-units",
            [sys.executable, loop, "--live", self.run_dir / "live.json",
             "--uplink", self.uplink_json, "--uplink-toml", self.uplink_toml,
             "--every", every, "--rathole", parts.part("rathole"),
             "--", parts.tool("losos-uplink"), *self.uplink_flags()],
            self.logs, env={**RATHOLE_ENV, **self.uplink_env()}, named=True)
        self._units.wait_line("stand-in")

    def log_of_units(self):
        return self._units.log()

    def units_running(self):
        return self._units.running()

    def uplink_tunnel(self):
        """The process id of the uplink's rathole; None while it does not run."""
        try:
            units = f"/proc/{self._units.pid}/task/{self._units.pid}"
            for pid in pathlib.Path(units, "children").read_text().split():
                if b"--client" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes():
                    return int(pid)
        except FileNotFoundError:
            # The units, or one of their children, have just ended.
            pass
        return None

    @contextlib.contextmanager
    def units_held(self):
        """For the block's time no pass runs; the tunnel stays."""
        os.kill(self._units.pid, signal.SIGSTOP)
        try:
            wait.until(lambda: all(b"--client" in command for command in self._children() if command),
                       "the pass that is under way to end", 20)
            yield
        finally:
            os.kill(self._units.pid, signal.SIGCONT)

    def _children(self):
        """The command lines of what the units have started; that of one that has ended is empty."""
        units = f"/proc/{self._units.pid}/task/{self._units.pid}"
        for pid in pathlib.Path(units, "children").read_text().split():
            yield pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()

    def kill_units(self):
        """The uplink's pass and its tunnel end with them."""
        self._units.kill()

    def stop_units(self):
        self._units.stop()
