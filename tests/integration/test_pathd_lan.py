"""lososd-pathd on a LAN: real adverts by a real Avahi, real registrars behind them."""

import socket
import threading
import time

import pytest
from losos_tools import Pathd, Registrar, run, until, write_json, write_text
from losos_tools.files import identity
from losos_tools.lan import lan
from losos_tools.process import JUDGES_COST

pytestmark = pytest.mark.root

WAKE_UPS_A_SECOND = 2.0
PRIVATE_KIB = 6 * 1024


class Gateway:
    """A machine with a registrar, and somebody who takes connections at its tunnel port."""

    def __init__(self, folder, host, address):
        self.host, self.address = host, address
        self.edge = Registrar(folder / host.name, lan=True, enrol=True, noise=True)
        self.edge.flags["avahi_service_file"] = host.services / "losos-edge.service"
        self.url = f"http://{address}:{self.edge.port}"
        self.pin_name = f"{host.name}.local_{self.edge.port}.pub"
        self.tunnel = host.within(lambda: socket.create_server((address, 2333)))
        threading.Thread(target=self._take, daemon=True).start()

    def _take(self):
        while True:
            try:
                self.tunnel.accept()[0].close()
            except OSError:
                return

    def start(self):
        self.edge.start(prefix=self.host.enter())

    def cut(self):
        self.host.run("ip", "link", "set", "eth0", "down")

    def mend(self):
        self.host.run("ip", "link", "set", "eth0", "up")

    def key(self):
        return (self.edge.etc / "noise.key.pub").read_text()


class Home:
    """A box and a gateway with a cable between them. The box's configured edge is on itself."""

    def __init__(self, folder, net):
        self.folder = folder
        self.host, there = net.add("box"), net.add("gate")
        net.connect(self.host, there, addresses=["10.9.0.1/24"], others=["10.9.0.2/24"])
        for host in (self.host, there):
            host.start_bus()
            host.start_avahi(mute=host is self.host)
        self.gateway = Gateway(folder, there, "10.9.0.2")
        self.hub = Registrar(folder / "hub")
        self.hub.start(prefix=self.host.enter())
        self.boxes = []

    def box(self, name, hub=True, start=True):
        edge = self.hub.url if hub else None
        self.boxes.append(Pathd(self.folder / name, edge, prefix=self.host.enter()))
        return self.boxes[-1].start() if start else self.boxes[-1]

    def close(self):
        for each in [*self.boxes, self.gateway.edge, self.hub]:
            each.close()


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("home")
    with lan(folder) as net:
        made = Home(folder, net)
        try:
            made.gateway.start()
            yield made
        finally:
            made.close()


@pytest.fixture
def on_lan(home):
    """A box that has the gateway as its path."""
    box = home.box(f"box{len(home.boxes)}")
    box.wait_url(home.gateway.url)
    yield box
    box.close()


def test_a_box_that_knows_nothing_finds_the_gateway(home):
    box = home.box("newcomer", hub=False)
    box.wait_url(home.gateway.url)
    pin = box.pins_dir / home.gateway.pin_name
    assert box.env() == {"URL": home.gateway.url, "RATHOLE": "10.9.0.2:2333", "SOURCE": "lan",
                         "NOISE_PUB": str(pin)}
    assert not box.none_file.exists()
    # The key is pinned under the name the gateway goes by, whatever address it has.
    config = box.folder / "rathole" / "client.toml"
    assert box.client_config(config).code == 0
    assert pin.read_text() == home.gateway.key()
    assert 'remote_addr = "10.9.0.2:2333"' in config.read_text()
    until(lambda: box.document()["lanSearched"], "the search to end")
    assert box.document()["edges"][0]["name"].startswith("LosOS edge on gate")
    box.close()


def test_with_one_edge_on_the_lan_it_costs_next_to_nothing(on_lan, home):
    """Counted over 12 s of an untroubled path: what two probes every two seconds and a look at the
    tunnel port every ten come to."""
    edge = home.gateway.url
    until(lambda: on_lan.document()["lanSearched"], "the search to end")
    def asked_at():
        edges = home.host.within(on_lan.edge)["candidates"]
        return next(each for each in edges if each["url"] == edge)["probe"]["at"]

    seen = asked_at()
    wake_ups, begun = on_lan.wake_ups(), time.monotonic()
    until(lambda: time.monotonic() - begun >= 12, "twelve seconds", 20)
    rate = (on_lan.wake_ups() - wake_ups) / (time.monotonic() - begun)
    private = on_lan.private_kib()
    print(f"{rate:.2f} wake-ups a second, {private} KiB of private memory")
    assert asked_at() >= seen + 8
    assert on_lan.url() == edge
    assert rate <= WAKE_UPS_A_SECOND or not JUDGES_COST
    assert private <= PRIVATE_KIB or not JUDGES_COST


def test_a_gateway_whose_cable_is_cut_is_left_and_is_taken_again(on_lan, home):
    until(lambda: on_lan.candidate(home.hub.url)["state"] == "up", "the hub to be known")
    home.gateway.cut()
    cut = time.monotonic()
    on_lan.wait_url(home.hub.url)
    took = time.monotonic() - cut
    print(f"found out after {took:.2f} s")
    assert on_lan.env()["SOURCE"] == "configured" and took < 6
    home.gateway.mend()
    on_lan.wait_url(home.gateway.url, 30)
    on_lan.daemon.wait_line("it is an edge on the LAN and has answered steadily")


def test_a_restart_keeps_the_path_though_the_lan_has_to_be_searched_anew(on_lan, home):
    before = identity(on_lan.env_file)
    on_lan.restart()
    until(lambda: on_lan.document()["lanSearched"], "the search to end")
    until(lambda: (on_lan.candidate(home.gateway.url) or {}).get("probe"), "it to be asked")
    assert identity(on_lan.env_file) == before and not on_lan.none_file.exists()
    assert len(on_lan.document()["candidates"]) == 2


def test_a_gateway_that_refused_the_box_is_left_until_its_advert_changes(on_lan, home):
    write_json(on_lan.refused, {home.gateway.url: {"status": 403, "at": int(time.time())}})
    on_lan.wait_url(home.hub.url)
    until(lambda: on_lan.candidate(home.gateway.url)["noUse"], "the ban")
    assert on_lan.candidate(home.gateway.url)["noUse"]["reason"] == "refused"
    write_text(on_lan.refused, "{", 0o600)
    on_lan.daemon.wait_line("refused.json.*; what was read of it before counts")
    assert on_lan.url() == home.hub.url


def test_a_gateway_with_another_key_than_the_pinned_one_gets_no_traffic(home):
    box = home.box("wary", start=False)
    box.pins_dir.mkdir(parents=True)
    pin = write_text(box.pins_dir / home.gateway.pin_name, "A" * 43 + "=\n", 0o600)
    box.start()
    box.wait_url(home.hub.url)
    until(lambda: (box.candidate(home.gateway.url) or {}).get("noUse"), "the ban")
    assert box.candidate(home.gateway.url)["noUse"]["reason"] == "wrongKey"
    assert home.gateway.url not in box.daemon.log()
    pin.unlink()
    box.wait_url(home.gateway.url)
    box.close()


def test_a_gateway_that_starts_anew_with_another_key_is_left(on_lan, home):
    edge = home.gateway.edge
    pin = write_text(on_lan.pins_dir / home.gateway.pin_name, home.gateway.key(), 0o600)
    edge.stop()
    edge.noise_key.unlink()
    made = run("losos-registrar", "noise", "keygen", "--noise-private-key-file", edge.noise_key)
    assert made.code == 0, made
    home.gateway.start()
    on_lan.wait_url(home.hub.url)
    until(lambda: on_lan.candidate(home.gateway.url)["noUse"], "the ban", 30)
    assert on_lan.candidate(home.gateway.url)["noUse"]["reason"] == "wrongKey"
    pin.unlink()
    on_lan.wait_url(home.gateway.url)


def test_while_avahi_is_gone_the_gateway_is_kept(on_lan, home):
    said = on_lan.daemon.log().count("the path leads to")
    home.host.avahi.stop()
    until(lambda: "Avahi is not there" in on_lan.document()["reason"], "the reason")
    assert on_lan.url() == home.gateway.url and on_lan.document()["lanSearched"] is False
    home.host.start_avahi()
    until(lambda: "Avahi" not in on_lan.document()["reason"], "Avahi to be seen again", 30)
    assert on_lan.url() == home.gateway.url
    assert on_lan.daemon.log().count("the path leads to") == said


def test_an_avahi_that_is_not_there_is_complained_of_once_until_it_is_back(home):
    home.host.avahi.stop()
    box = home.box("deaf")
    box.wait_url(home.hub.url)
    box.daemon.wait_line('Avahi does not answer; type "systemctl start avahi-daemon"')
    assert box.document()["lanSearched"] is False
    home.host.start_avahi()
    box.daemon.wait_line("the LAN is searched for gateways again", timeout=30)
    until(lambda: box.document()["lanSearched"], "edge.json to say so")
    assert box.daemon.log().count("Avahi does not answer") == 1
    box.close()
