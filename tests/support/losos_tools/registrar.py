"""A registrar with everything it needs in one directory, and the calls a box makes to it."""

import re
import socket

from . import http
from .files import read_json, write_json, write_text
from .process import Daemon, run
from .tokens import token
from .waiting import until


class Reservation:
    """A loopback port that is ours until the end. Bound but not listening, so that the program it
    is meant for can take it, again after a restart, and nobody else gets it from the kernel."""

    def __init__(self):
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.bind(("0.0.0.0", 0))
        # Only now: asked for before, the kernel could hand out a port that is reserved already.
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.port = self._socket.getsockname()[1]

    def close(self):
        self._socket.close()


class Registrar:
    """`tenants` are ids, or {id: fields of the tenants file}; each gets a token file. Further
    keywords are flags of serve: None leaves one out, True is a switch, a list repeats it."""

    def __init__(self, folder, tenants=(), lan=False, enrol=False, noise=False, **flags):
        self.folder = folder
        self.etc = folder / "etc"
        self.state = folder / "state"
        self.run_dir = folder / "run"
        self.traefik = folder / "traefik"
        self.rathole = folder / "rathole"
        self.avahi = folder / "avahi"
        for path in (self.etc, self.state, self.run_dir, self.traefik, self.rathole, self.avahi):
            path.mkdir(parents=True, exist_ok=True)
        self.tenants_file = self.etc / "tenants.json"
        self.registry_file = self.state / "registry.json"
        self.enrol_dir = self.state / "enrolled"
        self.server_toml = self.rathole / "server.toml"
        self.losos_yml = self.traefik / "losos.yml"
        self.live_file = self.run_dir / "live.json"
        self.status_file = self.run_dir / "status.json"
        self.metrics_file = self.run_dir / "metrics.prom"
        self.advert = self.avahi / "losos-edge.service"
        self.noise_key = self.etc / "noise.key"
        self.bootstrap = write_text(self.etc / "bootstrap.token", token("bootstrap") + "\n")
        self._reservation = Reservation()
        self.port = self._reservation.port
        self.url = f"http://127.0.0.1:{self.port}"
        self.daemon = None
        if noise:
            done = run("losos-registrar", "noise", "keygen",
                       "--noise-private-key-file", self.noise_key)
            assert done.code == 0, done
        self.flags = {
            "listen": f"{'0.0.0.0' if lan or enrol else '127.0.0.1'}:{self.port}",
            "tenants_file": self.tenants_file, "registry": self.registry_file,
            "run_dir": self.run_dir, "traefik_dir": self.traefik,
            "rathole_config": self.server_toml, "bootstrap_token_file": self.bootstrap,
            "noise_private_key_file": self.noise_key if noise else None,
            "lan_advertise": True if lan or enrol else None,
            "avahi_service_file": self.advert if lan or enrol else None,
            "enrol_dir": self.enrol_dir if enrol else None, **flags}
        self.list_tenants(tenants)

    def list_tenants(self, tenants):
        """Writes the tenants file and a token file for each that has none."""
        rows = {}
        for each in tenants:
            fields = dict(tenants[each]) if isinstance(tenants, dict) else {}
            fields.setdefault("hostname", f"{each}.losos.test")
            fields.setdefault("token_file", str(self.token_file(each)))
            if not self.token_file(each).exists():
                write_text(self.token_file(each), token(each) + "\n")
            rows[each] = fields
        write_json(self.tenants_file, rows)

    def token_file(self, tenant):
        return self.etc / f"{tenant}.token"

    def arguments(self, **changes):
        """The flags of serve and check as they stand on a command line."""
        argv = []
        for name, value in {**self.flags, **changes}.items():
            flag = "--" + name.replace("_", "-")
            if value is True:
                argv.append(flag)
            elif value is not None and value is not False:
                for each in value if isinstance(value, list) else [value]:
                    argv += [flag, str(each)]
        return argv

    # --- the process ---

    def start(self, wait=True, **options):
        self.daemon = Daemon(self.folder, "losos-registrar", ["serve", *self.arguments()],
                             **options)
        return self.daemon.wait_ready() if wait else self.daemon

    def start_and_fail(self, **changes):
        """Runs a serve that is to end by itself."""
        return run("losos-registrar", "serve", *self.arguments(**changes))

    def stop(self):
        return self.daemon.stop()

    def restart(self):
        assert self.daemon.stop() == 0, self.log()
        return self.start()

    def close(self):
        if self.daemon is not None:
            self.daemon.kill()
        self._reservation.close()

    def log(self):
        return self.daemon.log()

    # --- the API ---

    def post(self, path, body, **options):
        return http.call(self.port, "POST", path, body, **options)

    def get(self, path, **options):
        return http.call(self.port, "GET", path, **options)

    def register(self, tenant, hostname=None, **fields):
        return self.post("/register", {"appliance_id": tenant, "token": token(tenant),
                                       "hostname": hostname or f"{tenant}.losos.test", **fields})

    def heartbeat(self, tenant, **fields):
        return self.post("/heartbeat", {"appliance_id": tenant, "token": token(tenant), **fields})

    def deregister(self, tenant, path="/deregister"):
        return self.post(path, {"appliance_id": tenant, "token": token(tenant)})

    def relay(self, spoke, boxes, **fields):
        """`boxes` are (id, hostname) or whole rows."""
        rows = [{"id": box[0], "hostname": box[1]} if isinstance(box, tuple) else box
                for box in boxes]
        return self.post("/relay", {"appliance_id": spoke, "token": token(spoke),
                                    "tenants": rows, **fields})

    # --- the files ---

    def registry(self):
        return read_json(self.registry_file)

    def rows(self):
        return self.registry()["tenants"]

    def live(self):
        return read_json(self.live_file)["boxes"]

    def live_ids(self):
        return [box["id"] for box in self.live()]

    def live_pass(self, tenant):
        """The pass live.json hands on for a box; None without one."""
        return {box["id"]: box.get("pass") for box in self.live()}.get(tenant)

    def status(self):
        return read_json(self.status_file)

    def faults(self, word=""):
        """The faults that stand now and hold a word."""
        return [fault for fault in self.status()["faults"] if str(word) in fault]

    def services(self):
        """{id: port} of server.toml."""
        text = self.server_toml.read_text(encoding="utf-8")
        found = re.findall(r'\[server\.services\."([^"]+)"\]\ntoken = .*\n'
                           r'bind_addr = "127\.0\.0\.1:(\d+)"', text)
        return {name: int(port) for name, port in found}

    def routers(self):
        """{router: host} of losos.yml; {} when there is no file."""
        try:
            text = self.losos_yml.read_text(encoding="utf-8")
        except FileNotFoundError:
            return {}
        return dict(re.findall(r'^    (losos_\S+):\n      rule: "Host\(`([^`]+)`\)"', text,
                               re.MULTILINE))

    def metric(self, name):
        """The number of a metric, labels included, without the common prefix."""
        text = self.metrics_file.read_text(encoding="utf-8")
        return float(re.search(rf"^losos_registrar_{re.escape(name)} (\S+)$", text,
                               re.MULTILINE)[1])

    def wait_live(self, *ids):
        until(lambda: sorted(self.live_ids()) == sorted(ids),
              lambda: f"live.json to list {ids}; it lists {self.live_ids()}")

    def wait_fault(self, *words):
        """Waits until status.json names a fault that holds all these words, and returns it."""
        def found():
            return next((fault for fault in self.faults() if all(w in fault for w in words)), None)
        return until(found, lambda: f"a fault with {words}; there are {self.faults()}")
