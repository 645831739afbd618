"""Four machines on one kernel: hub, gateway, box and visitor, with the real programs on them.

    visitor 203.0.113.7 ---- hub 198.51.100.1 ---- 198.51.100.2 gateway 192.168.77.1 ---- box

The box's LAN has no way to the visitor but through the two tunnels.
"""

import atexit
import contextlib
import itertools
import os
import pathlib
import signal
import ssl
import subprocess
import sys
import tempfile
from dataclasses import dataclass

from . import space as spaces
from . import wait
from .acme import Acme
from .authority import Authority
from .box import Box, WEB_PORT
from .box_web import BoxWeb
from .by_hand import ByHand
from .edge import Gateway, Hub, RATHOLE_PORT
from .net import Net, at
from .pages import Pages
from .visitor import Visitor

HUB_ADDRESS, LAN_ADDRESS, VISITOR_ADDRESS = map(Net().of, ("hub", "lan", "visitor"))

DAILY = {"ttl": "120s", "reconcile": "15s", "heartbeat": "30s", "uplink_every": 20.0,
         "port_rest": "120s"}
# Everything that ages does so in seconds, for the tests that wait for it.
HASTY = {"ttl": "3s", "reconcile": "1s", "heartbeat": "1s", "uplink_every": 1.0}

_numbers = itertools.count(1)


@dataclass(frozen=True)
class Names:
    domain: str = "losos.test"
    public_host: str = "edge.losos.test"
    spoke: str = "acme"
    zone: str = "acme.losos.test"

    def box(self, box_id):
        return f"{box_id}.{self.zone}"


class Lab:
    """Built by up(), gone after down(), after the process, and after its crash."""

    standing = set()
    # Whether a resolver of the lab's own tells the ACME server where names lead.
    has_resolver = False

    def __init__(self, noise=True, timing=None, net=None):
        self.names = Names()
        self.net = net or Net()
        self.noise = noise
        self.timing = {**DAILY, **(timing or {})}
        self.tag = spaces.make_tag(next(_numbers))
        self.folder = spaces.directory(self.tag)
        self.logs = self.folder / "logs"
        self._janitor = None
        self._boxes = []

    def up(self):
        """The machines, the ACME server, the box's web server and everybody's keys. Nothing that
        listens for boxes or visitors runs yet."""
        if os.geteuid() != 0:
            raise PermissionError("the lab makes network namespaces: run it as root")
        spaces.sweep_dead_labs()
        self._guard()
        self.standing.add(self)
        self.logs.mkdir(parents=True)
        self.folder.chmod(0o700)
        self._cables()
        self.acme = Acme(self.hub_space, self.folder / "acme", self.logs, self.net.of("hub"),
                         self.has_resolver)
        self.acme.start()
        self.ready = Authority(self.folder / "authority")
        self.web = BoxWeb(self.box_space, self.folder / "web", self.logs)
        self.web.start()
        self.hub = Hub(self.hub_space, self.folder / "hub", self.logs, self.noise, self.timing,
                       self.names, self.acme, self.net.of("hub"))
        self.gateway = Gateway(self.gateway_space, self.folder / "gateway", self.logs, self.noise,
                               self.timing, self.net.of("lan"))
        for edge in (self.hub, self.gateway):
            edge.any_address = self.net.any
        self.gateway.trusted = self.acme.root_file
        self.visitor = Visitor(self.visitor_space, self.net.of("hub"), self.visitor_context())
        return self

    def start_edges(self):
        """Hub and gateway in full, and the uplink between them."""
        self.hub.prepare()
        self.gateway.prepare()
        self.start_hub()
        self.gateway.start_rathole()
        self.gateway.start_registrar()
        self.visitor.wait_certificate(self.names.public_host)
        self.gateway.start_units(self.timing["uplink_every"])
        self.set_uplink()
        return self

    def start_hub(self):
        self.hub.start_rathole()
        self.hub.traefik.start()
        self.hub.start_registrar()

    def set_uplink(self):
        return self.gateway.set_uplink(
            self.names.spoke, self.hub.spoke_token, f"https://{self.names.public_host}",
            at(self.net.of("hub"), RATHOLE_PORT))

    def box(self, box_id, pages=None):
        """A fresh box on the gateway's LAN; it has not said anything yet. With `pages` it has the
        page of its own there, else the one that all share."""
        return self._keep(Box(self.box_space, self.folder / "boxes" / box_id, self.logs, box_id,
                              self.names.box(box_id), self.gateway, self.noise, self.timing,
                              pages.port_of(box_id) if pages else WEB_PORT))

    def direct_box(self, box_id, pages):
        """A fresh box on the internet, where the visitor is, that the hub's operator has listed."""
        box = self._keep(Box(self.visitor_space, self.folder / "boxes" / box_id, self.logs, box_id,
                             f"{box_id}.{self.names.domain}", self.hub, self.noise, self.timing,
                             pages.port_of(box_id)))
        self.hub.list_box(box)
        return box

    def _keep(self, box):
        self._boxes.append(box)
        return box

    def ports_of(self, box):
        """The port a box holds at each edge that has a row of it."""
        ports = {}
        for edge in (self.hub, self.gateway):
            tenants = edge.registry()["tenants"]
            for row in (box.id, f"{self.names.spoke}.{box.id}"):
                if row in tenants:
                    ports[edge.kind] = tenants[row]["port"]
        return ports

    def pages(self, space, box_ids):
        """A page for each of these boxes that says whose it is, on one machine."""
        pages = Pages(space, self.folder / f"pages-{space.machine}", self.logs, box_ids)
        pages.start()
        return pages

    def dismiss(self, prefix):
        """Boxes whose id starts so leave for good, with a word to their edge; returns when the hub
        has no router for them any more."""
        for box in [b for b in self._boxes if b.id.startswith(prefix)]:
            box.stop()
            box.deregister()
            self._boxes.remove(box)
        routers = self.hub.traefik.dynamic / "losos.yml"
        wait.until(lambda: not routers.exists() or f"losos_{self.names.spoke}.{prefix}" not in
                   routers.read_text(), f"the routers of {prefix}* to go")
        self.hub.traefik.wait_idle()

    def by_hand(self):
        """The floor's chain, beside ours and behind the same Traefik."""
        return ByHand({"hub": self.hub_space, "gateway": self.gateway_space,
                       "box": self.box_space},
                      {"hub": HUB_ADDRESS, "gateway": LAN_ADDRESS},
                      pathlib.Path(tempfile.mkdtemp(prefix="by-hand-", dir=self.folder), "chain"),
                      self.logs, self.hub.traefik.dynamic, self.noise)

    def request_on_lan(self, hostname):
        """What the box's page says to somebody on its LAN who asks the gateway's own Traefik. Its
        certificate is of its own making, so it is not verified."""
        lan = self.lan_visitor()
        lan.wait_status(hostname, 200)
        return lan.request(hostname).json()

    def lan_visitor(self):
        """Somebody on the box's LAN, who asks the gateway's own Traefik."""
        return Visitor(self.box_space, LAN_ADDRESS, ssl._create_unverified_context())

    @contextlib.contextmanager
    def certified(self, hostnames):
        """For the block's time a certificate for all the names is there already, so that what is
        timed waits for no ACME order. A visitor trusts its maker besides Pebble."""
        certificate, key = self.ready.issue(hostnames)
        file = self.hub.traefik.dynamic / "certified.yml"
        file.write_text(f"tls:\n  certificates:\n    - certFile: {certificate}\n"
                        f"      keyFile: {key}\n")
        self.visitor.wait_certificate(hostnames[0])
        try:
            yield
        finally:
            file.unlink(missing_ok=True)

    def visitor_context(self):
        """What a visitor trusts: Pebble's root, and the maker of certificates that are there before
        their time is taken."""
        context = self.acme.client_context()
        context.load_verify_locations(self.ready.root_file)
        return context

    def down(self):
        """Ends every process, removes every namespace and the directory."""
        if self._janitor is None:
            return
        janitor, self._janitor = self._janitor, None
        self.standing.discard(self)
        atexit.unregister(self.down)
        spaces.take_down(self.tag)
        janitor.stdin.close()
        janitor.wait()

    def __enter__(self):
        try:
            return self.up()
        except BaseException:
            self.down()
            raise

    def __exit__(self, *_):
        self.down()

    def story(self, lines=25, others=6):
        """The ends of the logs, for whoever looks at a failed test: the edges' and of the rest the
        ones written last."""
        logs = sorted(self.logs.glob("*.log"), key=lambda path: path.stat().st_mtime)
        edges = [p for p in logs if p.name.startswith(("hub-", "gateway-"))]
        rest = [p for p in logs if p not in edges and p.stat().st_size][-others:]
        out = []
        for path in edges + rest:
            text = path.read_text(errors="replace").splitlines()[-lines:]
            out.append("\n".join([f"--- {path.name}", *text]))
        return "\n".join(out)

    def _guard(self):
        self.folder.mkdir()
        program = pathlib.Path(__file__).with_name("janitor.py")
        self._janitor = subprocess.Popen([sys.executable, program, self.tag],
                                         stdin=subprocess.PIPE, start_new_session=True)
        atexit.register(self.down)
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    def _cables(self):
        make = lambda machine: spaces.Space(self.tag, machine)  # noqa: E731
        self.hub_space, self.gateway_space = make("hub"), make("gateway")
        self.box_space, self.visitor_space = make("box"), make("visitor")
        net = self.net.all
        spaces.join(self.hub_space, "wan", net("hub"),
                    self.gateway_space, "uplink", net("gateway"))
        spaces.join(self.gateway_space, "lan", net("lan"), self.box_space, "lan", net("box"))
        spaces.join(self.hub_space, "visitors", net("visitors"),
                    self.visitor_space, "internet", net("visitor"))
        for router in net("visitors"):
            spaces.ip("-n", self.visitor_space.name, "route", "add", "default", "via",
                      router.split("/")[0])
        for space in (self.gateway_space, self.visitor_space):
            space.set_hosts({self.names.public_host: self.net.of("hub")})
