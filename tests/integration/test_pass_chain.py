"""A box's pass on its whole way: its hub gives it, lososd-pathd writes it down, losos-announce shows
it to the gateway, whose registrar and uplink hand it on, and the hub binds the box to that gateway."""

import pytest
from losos_tools import Gateway, OfficialEdge, Pathd, read_json, token, until, write_text
from losos_tools.relaying import HOUR, NOW, sign_pass

DOMAIN = "cloud.example.org"


class Chain:
    """A hub with boxes and two gateways, and a box that announces itself to the first one."""

    def __init__(self, folder, make_hub, make_edge, a_box):
        self.hub = make_hub(boxes=["box"], start=False)
        self.hub.list_tenants({"acme": {"relay_zone": "losos.test"},
                               "beta": {"relay_zone": "losos.test"},
                               "box": {"hostname": "box.cloud.test", "cluster": True}})
        self.official = OfficialEdge(self.hub)
        # Longer than any clock of the test is ahead.
        self.official.certify(seconds=40 * 365 * 24 * 3600)
        self.official.vouch("box")
        self.hub.start()
        self.gateways = {name: make_edge(name, enrol=True) for name in ("acme", "beta")}
        self.uplinks = {name: Gateway(folder / name, edge) for name, edge in self.gateways.items()}
        for name, uplink in self.uplinks.items():
            uplink.set_uplink(self.hub.url, name=name)
        self.box = a_box
        self.names_file = folder / "public" / "domains.json"
        self.names_file.parent.mkdir()
        root_file = write_text(folder / "root.pub", self.official.root.public + "\n", 0o644)
        # The path it finds is another than its announcements take: to its gateway it would come by
        # way of the LAN.
        self.pathd = Pathd(folder / "pathd", self.hub.url, root_key_file=root_file,
                           appliance_id="box", token_file=self.box.token_file,
                           public_names_file=self.names_file)
        self.pass_file = self.pathd.run_dir / "relay-pass"

    def close(self):
        self.pathd.close()
        self.official.close()

    def wait_pass(self, hour):
        """The box has the pass of that hour, by Python's HMAC."""
        wanted = sign_pass(self.hub.pass_key.read_text().strip(), "box", hour)
        until(lambda: self.pass_file.exists() and self.pass_file.read_text() == wanted + "\n",
              lambda: f"the pass of hour {hour}: {self.pathd.daemon.log()}")
        return wanted

    def announce_to(self, name):
        self.box.write_path(self.gateways[name].url)

    def wait_live(self, name, box_pass):
        """The box is live at a gateway that has its pass."""
        file = self.gateways[name].live_file
        until(lambda: [row.get("pass") for row in read_json(file)["boxes"]] == [box_pass],
              lambda: f"the box's pass at {name}: {file.read_text()}")

    def relay(self, name):
        done = self.uplinks[name].run_pass()
        assert done.code == 0, done

    def seen_by_gateway(self, name):
        return {row["domain"] for row in read_json(self.uplinks[name].hub_routes)["routes"]}


@pytest.fixture
def chain(tmp_path, make_hub, make_edge, a_box):
    made = Chain(tmp_path, make_hub, make_edge, a_box)
    yield made
    made.close()


def test_a_pass_comes_to_the_gateway_and_binds_the_box_and_its_domain_at_the_hub(chain):
    hub = chain.hub
    chain.announce_to("acme")
    chain.box.start("--relay-pass-file", chain.pass_file)
    chain.wait_live("acme", None)
    chain.relay("acme")
    assert hub.bindings() == {} and chain.seen_by_gateway("acme") == set()

    # The box is registered by now: the pass comes with a heartbeat.
    chain.pathd.start()
    first = chain.wait_pass(HOUR)
    chain.wait_live("acme", first)
    chain.relay("acme")
    assert hub.bindings() == {"box": {"spoke": "acme", "epoch": HOUR}}
    until(lambda: hub.routes().get("box.cloud.test") == "acme.box", "the route of its own name")
    until(lambda: read_json(chain.names_file) == {"domains": []}, "no live domain")

    assert chain.official.call("add", "box", DOMAIN).status == 201
    chain.official.prove(DOMAIN)
    until(lambda: chain.official.seen("box")[DOMAIN]["status"] == "live", "a live domain")
    until(lambda: hub.routes().get(DOMAIN) == "acme.box", lambda: f"its route: {hub.routes()}")
    chain.relay("acme")
    assert DOMAIN in chain.seen_by_gateway("acme")
    chain.pathd.restart()
    until(lambda: read_json(chain.names_file) == {"domains": [DOMAIN]}, "the domain at the box")

    # An hour later there is another pass, and the binding is as new as that.
    hub.stop_clock(NOW + 3600)
    chain.pathd.restart()
    second = chain.wait_pass(HOUR + 1)
    assert second != first
    chain.wait_live("acme", second)
    chain.relay("acme")
    assert hub.bindings() == {"box": {"spoke": "acme", "epoch": HOUR + 1}}
    for log in (chain.pathd.daemon.log(), hub.log(), *(each.log() for each in chain.gateways.values())):
        for secret in (first.rsplit(".", 1)[1], second.rsplit(".", 1)[1], token("box")):
            assert secret not in log


def test_a_box_that_goes_to_another_gateway_takes_its_domain_along_by_its_registration(chain):
    hub = chain.hub
    chain.pathd.start()
    shown = chain.wait_pass(HOUR)
    chain.announce_to("acme")
    chain.box.start("--relay-pass-file", chain.pass_file)
    chain.wait_live("acme", shown)
    chain.relay("acme")
    assert hub.holder("box") == "acme"
    chain.announce_to("beta")
    chain.wait_live("beta", shown)
    # The gateway before lost it by name: the box takes its registration back there.
    until(lambda: read_json(chain.gateways["acme"].live_file)["boxes"] == [], "the box to leave")
    chain.relay("acme")
    assert hub.holder("box") is None
    chain.relay("beta")
    assert hub.holder("box") == "beta"
    until(lambda: hub.routes().get("box.cloud.test") == "beta.box", "the route by the other gateway")


def test_a_restart_of_the_gateway_and_a_hub_that_is_away_cost_the_box_no_pass(chain):
    chain.pathd.start()
    shown = chain.wait_pass(HOUR)
    chain.announce_to("acme")
    chain.box.start("--relay-pass-file", chain.pass_file)
    chain.wait_live("acme", shown)
    chain.hub.daemon.kill()
    chain.pathd.wait_none()
    chain.gateways["acme"].live_file.unlink()
    chain.gateways["acme"].restart()
    # Nothing is left of the pass but what the box shows with its next heartbeat.
    chain.wait_live("acme", shown)
    chain.hub.start()
    chain.relay("acme")
    assert chain.hub.holder("box") == "acme"
