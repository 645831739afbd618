"""A lab whose hub is official, with a zone on a real Knot, wildcards, and owners of domains."""

import itertools
import json
import secrets
import socket
import ssl
import sys

from losos_tools import StandIn

from . import parts, wait
from . import space as spaces
from .acme import DNS
from .box import Box
from .edge import RATHOLE_PORT, write_secret
from .knot import Knot
from .lab import Lab
from .neighbour import GATEWAY_ADDRESS, LAN_ADDRESS, Neighbour
from .net import at
from .official import Official, write_relay_pass
from .process import Process
from .visitor import Visitor

DOH = "127.0.0.1:8054"
KUBE_PORT = 6443
OWNED = "example.org"
# A bus without Avahi: the machine's own would search the machine's own LAN.
NO_BUS = "unix:path=/nonexistent"
NEIGHBOUR_ZONE = "beta.losos.test"


class DomainLab(Lab):
    """Boxes call the hub over their own internet, which is the gateway's line without the gateway's
    programs."""

    has_resolver = True
    kube = None

    def up(self):
        super().up()
        self._pathd_ports = itertools.count(8082)
        self.open_internet(self.box_space, self.gateway_space, self.net.of("lan"),
                           self.net.of("gateway"), "192.168.77.0/24")
        self.knot = Knot(self.hub_space, self.folder / "knot", self.logs, self.names.public_host)
        self.official = Official(self.hub, self.folder / "official")
        self.zone_file = self.knot.zones / f"{self.names.domain}.zone"
        self.routes_file = self.hub.state / "relay-routes.json"
        return self

    def open_internet(self, box_space, gateway_space, lan, line, net, hub=None):
        """A box's way to the hub and back."""
        gateway_space.set_sysctl("net.ipv4.ip_forward", 1)
        spaces.ip("-n", box_space.name, "route", "add", "default", "via", lan)
        spaces.ip("-n", self.hub_space.name, "route", "add", net, "via", line)
        box_space.set_hosts({self.names.public_host: hub or self.net.of("hub")})

    def start_hub(self):
        self._start_dns()
        self._open_mesh()
        self.official.prepare()
        self.hub.more_flags += self._domain_flags()
        self.hub.traefik.rfc2136 = self._rfc2136()
        self.hub.start_rathole()
        self.hub.start_registrar()
        self.knot.follow()
        # Traefik asks for the certificate of the edge's own name at its start, and once.
        wait.until(lambda: self.knot.knows(self.names.public_host), "the zone to be served")
        self.hub.traefik.start()

    def _start_dns(self):
        self.knot.start(self.names.domain, [self.names.zone, NEIGHBOUR_ZONE], OWNED)
        self.resolver = Process(
            self.hub_space, "resolver",
            [sys.executable, parts.ROOT / "tests" / "support" / "resolver_stand_in.py",
             "--server", "127.0.0.1:53", "--http", DOH, "--dns", DNS], self.logs)
        self.resolver.wait_line("stand-in")

    def _open_mesh(self):
        """A stand-in for the mesh's API server, which knows of no member: only that it was asked is
        of interest here."""
        certificate, key = self.ready.issue(["localhost"])
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        with self.hub_space.inside():
            listening = socket.create_server(("127.0.0.1", KUBE_PORT))
        self.kube = StandIn(listening=listening, tls=context)
        for name in ("agent", "kube"):
            write_secret(self.hub.keys / f"{name}.token", secrets.token_hex(32))
        self.hub.more_flags += [
            "--mesh-agent-token-file", self.hub.keys / "agent.token",
            "--mesh-server-addr", f"https://{self.names.public_host}:9345",
            "--kube-api", f"https://localhost:{KUBE_PORT}",
            "--kube-token-file", self.hub.keys / "kube.token",
            "--kube-ca-file", self.ready.root_file]

    def down(self):
        if self.kube:
            self.kube.close()
        super().down()

    def _domain_flags(self):
        return ["--dns-zone", self.names.domain, "--dns-zone-file", self.zone_file,
                "--dns-nameservers", self.names.public_host, "--dns-ipv4", self.net.of("hub"),
                "--dns-check-url", f"http://{DOH}/dns-query",
                "--domain-check-waiting", "1s", "--domain-check-live", "1s",
                "--relay-pass-key-file", self.hub.state / "relay-pass.key",
                "--relay-routes-file", self.routes_file, "--wildcard-resolver", "wildcard"]

    def _rfc2136(self):
        return {"RFC2136_NAMESERVER": "127.0.0.1:53", "RFC2136_TSIG_KEY": "acme.",
                "RFC2136_TSIG_ALGORITHM": "hmac-sha256.", "RFC2136_TSIG_SECRET_FILE": str(self.knot.secret_file),
                "RFC2136_TTL": "1"}

    # --- boxes ---

    def listed_box(self, box_id, pages):
        """A fresh box behind the gateway that the hub's operator has listed as well."""
        box = self.box(box_id, pages)
        self.hub.list_more({box_id: {"hostname": f"{box_id}.{self.names.domain}",
                                     "token_file": str(box.token_file), "cluster": True}})
        # Who asks before the registrar has read that is refused, and asks again much later.
        wait.until(lambda: self.call(box, "/domains/list").status == 200, f"{box_id} to be known")
        return box

    def moved(self, box, space, edge, hostname, web_port, **timing):
        """The same box where another edge is: with its token and its pass, and nothing else."""
        moved = Box(space, box.folder.with_name(f"{box.id}-at-{edge.kind}"), self.logs, box.id,
                    hostname, edge, self.noise, {**self.timing, **timing}, web_port)
        moved.token_file.write_text(box.token_file.read_text())
        write_relay_pass(moved, box.relay_pass.read_text().strip())
        return moved

    def neighbour(self):
        """A second gateway with a zone of its own, and its LAN."""
        neighbour = Neighbour(self, "beta", NEIGHBOUR_ZONE)
        self.open_internet(neighbour.box_space, neighbour.gateway.space, LAN_ADDRESS, GATEWAY_ADDRESS,
                           "192.168.78.0/24")
        return neighbour

    def start_pathd(self, box):
        """The real lososd-pathd, for the pass and the names it fetches. Without a LAN to search it
        takes the hub for the path; the box's tunnel goes by its own edge-path.env and stays at the
        gateway."""
        run_dir = box.folder / "pathd"
        run_dir.mkdir(mode=0o700, exist_ok=True)
        box.relay_pass = run_dir / "relay-pass"
        box.public_names = run_dir / "domains.json"
        box.pathd = Process(
            box.space, f"{box.id}-pathd",
            [parts.tool("lososd-pathd"), "serve", "--config", "", "--run-dir", run_dir,
             "--registrar-url", self.official.url, "--root-key-file", self.official.root_public,
             "--edge-rathole-endpoint", at(self.hub.address, RATHOLE_PORT),
             "--appliance-id", box.id, "--token-file", box.token_file,
             "--bootstrap-token-file", box.bootstrap_file, "--pins-dir", box.pins,
             "--noise-public-key-file", run_dir / "hub.pub", "--listen",
             at("127.0.0.1", next(self._pathd_ports)), "--public-names-file", box.public_names],
            self.logs, named=True,
            env={"SSL_CERT_FILE": str(self.acme.root_file), "DBUS_SYSTEM_BUS_ADDRESS": NO_BUS})
        wait.until(box.relay_pass.exists, lambda: f"a relay pass; {box.pathd.tail()}", 30)

    # --- what a box asks the hub, over its own internet ---

    def call(self, box, path, **fields):
        """The answer to a box that calls the hub by its public name."""
        caller = Visitor(box.space, self.hub.address, self.visitor_context())
        return caller.request(self.names.public_host, path, "POST",
                              json.dumps({**box.credentials(), **fields}),
                              {"Content-Type": "application/json"})

    def view(self, box):
        """What the box sees of its domains."""
        answer = self.call(box, "/domains/list")
        assert answer.status == 200, answer.body
        return answer.json()

    def seen(self, box, domain):
        return next(each for each in self.view(box)["domains"] if each["domain"] == domain)

    def add(self, box, domain):
        """The box claims a domain."""
        answer = self.call(box, "/domains/add", domain=domain)
        assert answer.status == 201, answer.body

    def point(self, box, domain):
        """Its owner has the domain lead to the box's name in the zone."""
        self.knot.put(OWNED, (domain, "CNAME", f"{self.view(box)['target']}."))

    def prove(self, box, domain):
        """Its owner puts all of it into DNS that the box was shown."""
        shown = self.seen(box, domain)
        self.point(box, domain)
        self.knot.put(OWNED, (shown["txt_name"], "TXT", shown["txt_value"]))

    def unprove(self, box, domain):
        self.knot.take_out(OWNED, self.seen(box, domain)["txt_name"])

    def join_mesh(self, box):
        """The box joins the mesh, without lending anything."""
        answer = self.call(box, "/cluster/join", node_name=box.id)
        assert answer.status == 200, answer.body
        return answer.json()

    # --- what the hub has ---

    def lookups(self, domain):
        """How often the proof of a domain was looked up."""
        return self.resolver.log().count(f"asked for _losos-challenge.{domain} TXT")

    def routes(self):
        """{domain: gateway} of the route table."""
        return {route["domain"]: route["spoke"]
                for route in json.loads(self.routes_file.read_text())["routes"]}

    def holder(self, box):
        """The gateway that holds a box."""
        bindings = json.loads(self.routes_file.read_text())["bindings"]
        return bindings.get(box.id, {}).get("spoke")

    def has_router(self, host):
        file = self.hub.traefik.dynamic / "losos.yml"
        return file.exists() and f"Host(`{host}`)" in file.read_text()
