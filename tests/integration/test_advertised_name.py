"""The name in the advert is what Avahi calls the host: two gateways from one image share a host
name, and Avahi gives the second another."""

import signal
import time

import pytest
from losos_tools import Registrar, read_json, until
from losos_tools.lan import lan

pytestmark = pytest.mark.root


class Place:
    """Two machines that are both called gw, and a box between them."""

    def __init__(self, net):
        self.box, self.first, self.second = net.add("box"), net.add("gw"), net.add("gw", "gw2")
        net.connect(self.box, self.first, addresses=["10.9.0.1/24"], others=["10.9.0.2/24"])
        net.connect(self.box, self.second, link="eth1", others=["10.9.0.3/24"])
        net.bridge(self.box, ports=["eth0", "eth1"])
        for host in (self.box, self.first, self.second):
            host.start_bus()
        self.first.start_avahi(mute=False)
        self.first.avahi.wait_line("Host name is gw.local")


@pytest.fixture(name="place")
def _place(tmp_path):
    with lan(tmp_path) as net:
        yield Place(net)


@pytest.fixture(name="gateway")
def _gateway(place, tmp_path):
    """Makes the registrar of one of them; its advert goes where Avahi reads it."""
    made = []

    def make(host, **flags):
        made.append(Registrar(tmp_path / f"edge{len(made)}", enrol=True, **flags))
        made[-1].advert = host.services / "losos-edge.service"
        made[-1].flags["avahi_service_file"] = made[-1].advert
        made[-1].start(prefix=host.enter())
        return made[-1]

    yield make
    for each in made:
        each.close()


def advertised(edge):
    """The two names in the advert."""
    text = edge.advert.read_text()
    return [text.split(f"<txt-record>{before}")[1].split(f":{after}")[0]
            for before, after in (("url=http://", edge.port), ("rathole=", 2333))]


def test_the_second_of_two_gateways_with_one_name_advertises_the_name_it_was_given(place, gateway):
    second = gateway(place.second)
    assert advertised(second) == ["gw.local", "gw.local"]
    place.second.start_avahi(mute=False)
    until(lambda: advertised(second) == ["gw-2.local", "gw-2.local"], second.log)
    second.daemon.wait_line("Avahi calls this host gw-2.local")
    until(lambda: read_json(second.status_file)["lan"]["url"]
          == f"http://gw-2.local:{second.port}", "the status to say so")
    # Nobody's box may have the name either.
    answer = place.second.within(lambda: second.register("mattbox", "gw-2.local"))
    assert answer.status == 409
    # And a box sees two edges.
    first = gateway(place.first)
    place.box.start_avahi()
    seen = place.box.start_watcher()
    wanted = {b"url=http://gw.local:%d" % first.port, b"url=http://gw-2.local:%d" % second.port}
    seen.wait(lambda view: {bytes.fromhex(each["txt"][0]) for each in view["services"]} == wanted,
              "both gateways by their names")
    # The name stays while Avahi is away, and a start of ours finds it again at once.
    place.second.avahi.stop()
    assert advertised(second) == ["gw-2.local", "gw-2.local"]
    place.second.start_avahi(mute=False)
    second.stop()
    second.start(prefix=place.second.enter())
    assert advertised(second) == ["gw-2.local", "gw-2.local"]


def test_a_name_that_is_given_stays(place, gateway):
    second = gateway(place.second, advertise_host="door.local")
    place.second.start_avahi(mute=False)
    place.second.avahi.wait_line("Host name is gw-2.local")
    assert place.second.within(lambda: second.register("mattbox")).status == 200
    assert advertised(second) == ["door.local", "door.local"]
    assert "Avahi calls" not in second.log()


def test_a_second_advert_within_one_second_is_what_boxes_see(place, gateway):
    """Avahi tells versions of the file apart by whole seconds."""
    place.box.start_avahi()
    seen = place.box.start_watcher()
    until(lambda: time.time() % 1 < 0.1, "the beginning of a second")
    first = gateway(place.first, advertise_host="door.local")
    place.first.avahi.wait_line("successfully established")
    first.daemon.kill()
    first.flags["advertise_host"] = "gate.local"
    first.start(prefix=place.first.enter())
    seen.wait(lambda view: [bytes.fromhex(each["txt"][0]) for each in view["services"]]
              == [b"url=http://gate.local:%d" % first.port], "the second advert")


def test_a_rename_while_it_runs_is_followed(place, gateway):
    first = gateway(place.first)
    until(lambda: advertised(first) == ["gw.local", "gw.local"], "the name of the host")
    place.first.run("dbus-send", "--system", "--print-reply", "--dest=org.freedesktop.Avahi", "/",
                    "org.freedesktop.Avahi.Server.SetHostName", "string:door")
    until(lambda: advertised(first) == ["door.local", "door.local"], first.log)


def test_a_bus_that_hangs_holds_no_start_up(place, gateway):
    place.first.bus.send(signal.SIGSTOP)
    first = gateway(place.first)
    assert advertised(first) == ["gw.local", "gw.local"]
    assert first.stop() == 0
