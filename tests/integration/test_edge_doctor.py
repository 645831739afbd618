"""losos-edge doctor: what is broken on purpose is named, and is gone when it is mended."""

import json
import os
import socket
import ssl
import subprocess
import time

import pytest
from losos_tools import (NOISE_KEY, OTHER_NOISE_KEY, Gateway, HangUp, StandIn, read_json, reply, run,
                         token, until, write_json, write_text)

# Neither systemd nor Avahi of the machine that runs the tests is asked.
NO_BUS = {"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"}
PAGE = reply(200, "hello\n")
NO_ROUTE = reply(404, "404 page not found\n", Content_Type="text/plain")
REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Findings(dict):
    """{what was looked at: (verdict, sentence)}, of several the last; `done` is how the program
    ended."""

    def __init__(self, *words):
        self.done = run("losos-edge", "doctor", *words, "--json", env=NO_BUS)
        self.document = json.loads(self.done.out)
        super().__init__((check["what"], (check["verdict"], check["says"]))
                         for check in self.document["checks"])

    def verdict(self, what):
        return self[what][0]

    def failed(self, what, *words):
        """Whether that check failed, and says all these words."""
        verdict, says = self.get(what, ("absent", ""))
        return verdict == "failed" and all(str(word) in says for word in words)


def listening_below_the_ephemeral_ports():
    """Where a tunnel may end: no outgoing connection takes such a port, nor does another test."""
    for port in range(25000, 28000):
        try:
            return socket.create_server(("127.0.0.1", port))
        except OSError:
            continue  # somebody has it
    raise AssertionError("no port is free")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """What Traefik makes for itself on a LAN: nobody can verify it."""
    folder = tmp_path_factory.mktemp("certificate")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=TRAEFIK DEFAULT CERT",
                    "-days", "2", "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
                   check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context


class Site:
    """A gateway with one box and a hub, its Traefik and its tunnels stood in for."""

    def __init__(self, make_edge, certificate, folder):
        self.tunnel = StandIn({"/": PAGE}, listening_below_the_ephemeral_ports())
        self.hub_tunnels = StandIn()
        self.visitors = StandIn({"/": self.route}, tls=certificate)
        self.hub = make_edge("hub", tenants={"acme": {"relay_zone": "acme.test"}}, noise=True)
        self.edge = make_edge(tenants={"bad": {}}, enrol=True, rathole_bind_port=1,
                              port_range=f"{self.tunnel.port}-{self.tunnel.port}")
        for path, mode in ((self.edge.rathole, 0o700), (self.edge.traefik, 0o755),
                           (self.edge.run_dir, 0o755), (self.edge.state, 0o755)):
            path.chmod(mode)
        self.edge.register("box", "box.acme.test")
        until(lambda: self.edge.status()["tenants"], "the box in status.json")
        self.gateway = Gateway(folder / "gateway", self.edge)
        self.gateway.set_uplink(self.hub.url, rathole=f"127.0.0.1:{self.hub_tunnels.port}")
        self.gateway.edge_dir.chmod(0o700)
        assert self.gateway.run_pass().code == 0

    def route(self, request):
        host = request.headers["host"].partition(":")[0]
        return PAGE if host in self.edge.routers().values() else NO_ROUTE

    def doctor(self, *more):
        return Findings("--machine", "gateway", *self.gateway.edge_flags(), "--rathole-config",
                        self.edge.server_toml, "--traefik-dir", self.edge.traefik,
                        "--avahi-service-file", self.edge.advert, "--https-port",
                        self.visitors.port, *more)

    def close(self):
        for each in (self.tunnel, self.hub_tunnels, self.visitors):
            each.close()


@pytest.fixture
def site(make_edge, certificate, tmp_path):
    made = Site(make_edge, certificate, tmp_path)
    yield made
    made.close()


def test_a_gateway_that_is_well_has_every_hop_found_well(site):
    found = site.doctor()
    hops = ["clock", "registrar", "route box.acme.test", "tunnel box", "uplink pass",
            f"hub {site.hub.url}", f"clock against {site.hub.url}",
            f"hub tunnels 127.0.0.1:{site.hub_tunnels.port}", "hub key", "hub token",
            f"port {site.edge.port}", f"file {site.gateway.uplink_json}",
            f"file {site.gateway.uplink_token}", f"file {site.edge.server_toml}",
            f"file {site.edge.losos_yml}", f"directory {site.edge.state}",
            f"files {site.edge.enrol_dir}/*.token"]
    assert {what: found[what] for what in hops if found.verdict(what) != "ok"} == {}
    assert found.document["machines"] == ["gateway"]
    # Nobody is Traefik or rathole here, and Avahi is not asked.
    assert {what for what in found if found.verdict(what) == "failed"} <= {
        f"port {site.visitors.port}", "port 1", "port 80", "advert", "units"}
    assert found.failed("port 1", "no tunnel comes in")
    assert found.done.code == 1 and "checks failed" in found.done.err


def test_the_text_has_the_same_lines_and_counts_them(site):
    found = site.doctor()
    text = run(*found.done.argv[:1], *found.done.argv[1:-2], env=NO_BUS).out.splitlines()
    assert len(text) == len(found.document["checks"]) + 1
    marks = {"ok": "ok           ", "failed": "failed       ", "not_checked": "not checked  "}
    for line, check in zip(text, found.document["checks"]):
        assert line.startswith(f"{marks[check['verdict']]}{check['what']}: ")
    counts = [found.document[verdict] for verdict in ("ok", "failed", "not_checked")]
    assert text[-1] == "{} checks: {} ok, {} failed, {} not checked".format(sum(counts), *counts)


def token_changed(site):
    write_text(site.hub.token_file("acme"), token("another") + "\n")
    until(lambda: site.hub.post("/heartbeat", {"appliance_id": "acme", "token": token("acme")})
          .status == 401, "the hub to refuse the token")


def pass_is_old(site):
    status = read_json(site.gateway.pass_file)
    write_json(site.gateway.pass_file, {**status, "at": int(time.time()) - 300}, 0o644)


def box_refused(site):
    site.edge.register("box", "box.elsewhere.test")
    until(lambda: site.edge.live()[0]["hostname"] == "box.elsewhere.test", "the new name")
    site.gateway.run_pass()


def fault_of_a_token_file(site):
    write_text(site.edge.token_file("bad"), "short")
    site.edge.wait_fault('"bad"')


# What breaks it, which check says so, and with which words.
BREAKAGES = {
    "registrar stopped": (lambda s: s.edge.stop(), "registrar", "systemctl start losos-registrar"),
    "api gone": (lambda s: s.edge.stop(), "port {s.edge.port}", "nobody listens"),
    "token open": (lambda s: s.gateway.uplink_token.chmod(0o644),
                   "file {s.gateway.uplink_token}", "chmod 0600 {s.gateway.uplink_token}"),
    "token missing": (lambda s: s.gateway.uplink_token.unlink(),
                      "file {s.gateway.uplink_token}", "losos-edge uplink set"),
    "token empty": (lambda s: write_text(s.gateway.uplink_token, ""),
                    "file {s.gateway.uplink_token}", "losos-edge uplink set"),
    "state open": (lambda s: s.edge.rathole.chmod(0o755), "directory {s.edge.rathole}", "chmod 0700"),
    "directory missing": (lambda s: s.edge.traefik.rename(s.edge.folder / "away"),
                          "directory {s.edge.traefik}", "systemd-tmpfiles --create"),
    "uplink.json malformed": (lambda s: write_text(s.gateway.uplink_json, "{"),
                              "file {s.gateway.uplink_json}", "byte 1"),
    "routes missing": (lambda s: s.edge.losos_yml.unlink(), "file {s.edge.losos_yml}", "missing"),
    "registry malformed": (lambda s: write_text(s.edge.registry_file, "{"),
                           "file {s.edge.registry_file}", "byte 1"),
    "status malformed": (lambda s: write_text(s.edge.status_file, "{", 0o644),
                         "file {s.edge.status_file}", "systemctl restart losos-registrar"),
    "a tenant's token faulty": (fault_of_a_token_file, "registrar", "bad"),
    "wrong token": (token_changed, "hub token", "does not take the token"),
    "hub gone": (lambda s: s.hub.stop(), "hub {s.hub.url}", "connection refused"),
    "hub's key changed": (lambda s: write_text(s.gateway.pin, OTHER_NOISE_KEY + "\n"), "hub key",
                          "another key than the one in {s.gateway.pin}"),
    "hub takes no tunnel": (lambda s: s.hub_tunnels.close(),
                            "hub tunnels 127.0.0.1:{s.hub_tunnels.port}", "connection refused"),
    "pass is old": (pass_is_old, "uplink pass", "losos-uplink.timer"),
    "box refused": (box_refused, "relay of box", "not one label under acme.test"),
    "no route": (lambda s: s.visitors.answers.update({"/": NO_ROUTE}), "route box.acme.test",
                 "it has not taken {s.edge.losos_yml}"),
    "no Traefik": (lambda s: s.visitors.close(), "route box.acme.test", "losos-traefik"),
    "not Traefik": (lambda s: s.visitors.answers.update({"/": HangUp}), "route box.acme.test",
                    "it is not Traefik"),
    "no tunnel": (lambda s: s.tunnel.close(), "tunnel box", "nothing is connected"),
    "no web server": (lambda s: s.tunnel.answers.update({"/": HangUp}), "tunnel box",
                      "web server does not answer"),
    "advert gone": (lambda s: s.edge.advert.unlink(), "advert", "{s.edge.advert} is missing"),
}


@pytest.mark.parametrize("name", BREAKAGES)
def test_a_breakage_of_a_gateway_is_named(site, name):
    breakage, what, words = BREAKAGES[name]
    before = site.doctor()
    what, words = (text.format(s=site) for text in (what, words))
    assert not before.failed(what, words)
    breakage(site)
    found = site.doctor()
    assert found.failed(what, words), found.get(what)
    assert found.done.code == 1
    assert token("acme") not in found.done.out + found.done.err


def test_an_uplink_that_is_not_set_is_said_and_not_counted_as_right(site):
    site.gateway.edge("uplink", "clear")
    assert site.doctor()["uplink"][0] == "not_checked"


def test_a_silent_tunnel_is_waited_for_no_longer_than_the_timeout(site):
    release = []
    site.tunnel.answers["/"] = lambda _: until(lambda: release, "the end") and PAGE
    began = time.monotonic()
    found = site.doctor("--timeout", "300ms")
    release.append(True)
    assert found.failed("tunnel box", "in time")
    assert time.monotonic() - began < 10


def test_strangers_beside_the_routes_are_named_as_suspects(site):
    write_text(site.edge.traefik / "other.yml", "http: [")
    site.visitors.answers["/"] = NO_ROUTE
    assert site.doctor().failed("route box.acme.test", "other.yml")


def test_the_request_for_a_route_names_the_box_as_a_visitor_would(site):
    names = []
    site.visitors.tls.sni_callback = lambda _, name, __: names.append(name)
    site.doctor()
    assert "box.acme.test" in names
    host = site.visitors.asked("/")[-1].headers["host"]
    assert host in ("box.acme.test", f"box.acme.test:{site.visitors.port}")


def test_a_hub_is_asked_for_its_own_hops(make_edge, certificate, tmp_path):
    tunnel = StandIn({"/": HangUp}, listening_below_the_ephemeral_ports())
    hub = make_edge("hub", tenants={"acme": {"relay_zone": "acme.localhost"}},
                    port_range=f"{tunnel.port}-{tunnel.port}")
    hub.relay("acme", [("box", "box.acme.localhost")])
    until(lambda: hub.status()["tenants"], "the box in status.json")
    visitors = StandIn({"/": PAGE}, tls=certificate)
    found = Findings(*Gateway(tmp_path / "beside", hub).edge_flags(), "--traefik-dir", hub.traefik,
                     "--rathole-config", hub.server_toml, "--https-port", visitors.port)
    assert found.document["machines"] == ["hub"]
    assert found.verdict("route box.acme.localhost") == "ok"
    assert found.failed("tunnel acme.box", "on the gateway")
    assert "name box.acme.localhost" in found
    assert "advert" not in found and "uplink pass" not in found
    tunnel.close()
    visitors.close()


# --- a box ---


class Box:
    """A box's files, as its programs leave them, and the edge they lead to."""

    def __init__(self, make_edge, folder):
        self.edge = make_edge("home", enrol=True, noise=True)
        self.rathole = StandIn()
        self.web = StandIn({"/": PAGE})
        self.run_dir, self.secrets = folder / "run", folder / "secrets"
        self.client_toml = folder / "rathole" / "client.toml"
        for path, mode in ((self.run_dir, 0o755), (self.secrets, 0o700)):
            path.mkdir(parents=True, mode=mode)
            path.chmod(mode)
        self.token_file = write_text(self.secrets / "losos-proxy-token", token("mattbox") + "\n")
        write_text(self.secrets / "losos-rathole-bootstrap", token("bootstrap") + "\n")
        self.pin = self.secrets / "losos-edge-pins" / f"127.0.0.1_{self.edge.port}.pub"
        self.env = write_text(
            self.run_dir / "edge-path.env",
            f"LOSOS_EDGE_PATH_URL={self.edge.url}\nLOSOS_EDGE_PATH_RATHOLE=127.0.0.1:"
            f"{self.rathole.port}\nLOSOS_EDGE_PATH_SOURCE=lan\nLOSOS_EDGE_PATH_NOISE_PUB={self.pin}\n",
            0o644)
        with open(f"{REPOSITORY}/tests/golden/edge/home.json", encoding="utf-8") as golden:
            self.document = json.load(golden)
        self.document["candidates"] = self.document["candidates"][:2]
        self.write_document()
        self.announced = self.run_dir / "announced.json"
        write_json(self.announced, {"url": self.edge.url, "at": 1800000000})
        done = run("lososd-pathd", "client-config", "--appliance-id", "mattbox", "--path-env",
                   self.env, "--token-file", self.token_file, "--bootstrap-token-file",
                   self.secrets / "losos-rathole-bootstrap", "--noise-public-key-file",
                   self.secrets / "losos-rathole-noise-pub", "--pins-dir", self.pin.parent,
                   "--output", self.client_toml)
        assert done.code == 0, done
        self.edge.register("mattbox")

    def write_document(self, **changes):
        write_json(self.run_dir / "edge.json", {**self.document, **changes}, 0o644)

    def refuse(self, status):
        write_json(self.run_dir / "refused.json", {self.edge.url: {"status": status, "at": 1}})

    def flags(self):
        return ["--machine", "box", "--box-run-dir", self.run_dir, "--secrets-dir", self.secrets,
                "--rathole-client-config", self.client_toml, "--http-port", self.web.port]

    def doctor(self, *more):
        return Findings(*self.flags(), *more)


@pytest.fixture
def box(make_edge, tmp_path):
    made = Box(make_edge, tmp_path / "box")
    yield made
    made.rathole.close()
    made.web.close()


def test_a_box_that_is_well_has_every_hop_found_well(box):
    found = box.doctor()
    assert {what: found[what] for what in found if found.verdict(what) != "ok"}.keys() <= {"units"}
    for what in ("path", "LAN", "registration", "edge key", "edge token", "web server",
                 f"edge {box.edge.url}", f"files {box.pin.parent}/*.pub"):
        assert found.verdict(what) == "ok", what


def another_key(box):
    write_text(box.pin, NOISE_KEY + "\n")


def another_token(box):
    write_text(box.token_file, token("another") + "\n")


BOX_BREAKAGES = {
    "no path": (lambda b: b.write_document(path=None, reachable=False, reason="nobody answers"),
                "path", "nobody answers"),
    "no Avahi": (lambda b: b.write_document(lanSearched=False), "LAN", "avahi-daemon"),
    "edge.json malformed": (lambda b: write_text(b.run_dir / "edge.json", "{", 0o644),
                            "file {b.run_dir}/edge.json", "systemctl restart lososd-pathd"),
    "env malformed": (lambda b: write_text(b.env, "x\n", 0o644), "file {b.env}", "edge-path.env"),
    "token missing": (lambda b: b.token_file.unlink(), "file {b.token_file}",
                      "systemctl restart lososd-pathd"),
    "token open": (lambda b: b.token_file.chmod(0o640), "file {b.token_file}", "chmod 0600"),
    "pin open": (lambda b: b.pin.chmod(0o644), "file {b.pin}", "chmod 0600"),
    "another token": (another_token, "edge token", "does not take the token in {b.token_file}"),
    "another key": (another_key, "edge key", "{b.pin}"),
    "edge gone": (lambda b: b.edge.stop(), "edge {b.edge.url}", "connection refused"),
    "edge takes no tunnel": (lambda b: b.rathole.close(), "edge tunnels 127.0.0.1:{b.rathole.port}",
                             "connection refused"),
    "registered elsewhere": (lambda b: write_json(b.announced, {"url": "https://old.test", "at": 1}),
                             "registration", "still with https://old.test"),
    "registered nowhere": (lambda b: b.announced.unlink(), "registration", "nowhere"),
    "refused": (lambda b: b.refuse(409), "refusal by {b.edge.url}", "another box there"),
    "no web server": (lambda b: b.web.close(), "web server", "nobody listens"),
    "no HTTP": (lambda b: b.web.answers.update({"/": HangUp}), "web server", "not speak HTTP"),
}


@pytest.mark.parametrize("name", BOX_BREAKAGES)
def test_a_breakage_of_a_box_is_named(box, name):
    breakage, what, words = BOX_BREAKAGES[name]
    what, words = (text.format(b=box) for text in (what, words))
    breakage(box)
    found = box.doctor()
    assert found.failed(what, words), (found.get(what), list(found))
    assert found.done.code == 1
    assert token("mattbox") not in found.done.out + found.done.err


@pytest.mark.root
def test_what_only_root_may_see_is_not_counted_as_right(box):
    box.run_dir.parent.chmod(0o700)
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    done = run("losos-edge", "doctor", *box.flags(), "--json", env=NO_BUS, prefix=nobody)
    verdicts = {check["what"]: check["verdict"] for check in json.loads(done.out)["checks"]}
    assert verdicts[f"file {box.token_file}"] == "not_checked"
    assert verdicts["path"] == "not_checked"
    assert verdicts["web server"] == "ok"


# --- which machine ---


def test_a_machine_of_no_kind_is_6_and_says_how_to_make_it_one(tmp_path):
    bare = Gateway(tmp_path / "bare")
    bare.live_file.unlink()
    bare.status_file.unlink()
    done = run("losos-edge", "doctor", *bare.edge_flags(), "--box-run-dir", tmp_path,
               "--secrets-dir", tmp_path, env=NO_BUS)
    assert (done.code, done.out) == (6, "")
    assert "--machine" in done.err and "losos-gateway.target" in done.err


def test_files_say_which_machine_it_is_where_no_target_does(site, box):
    gateway = Findings(*site.gateway.edge_flags(), "--box-run-dir", "/nonexistent", "--secrets-dir",
                       "/nonexistent")
    assert gateway.document["machines"] == ["gateway"]
    both = Findings(*site.gateway.edge_flags(), *box.flags()[2:])
    assert both.document["machines"] == ["gateway", "box"]
