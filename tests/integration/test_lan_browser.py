"""What lib/io/lan_browser sees of a real Avahi on a real bus, and of whoever else is on the LAN."""

import contextlib
import socket

import pytest

from losos_tools.lan import lan
from losos_tools.mdns import Advert, MdnsSender
from losos_tools.process import JUDGES_COST
from losos_tools.waiting import TimedOut, until

pytestmark = pytest.mark.root
BOTH = (socket.AF_INET, socket.AF_INET6)
BOX, STRANGER = ["10.9.0.1/24", "fd00::1/64"], ["10.9.0.2/24", "fd00::2/64"]


def texts(service):
    return [bytes.fromhex(each) for each in service["txt"]]


def instances(view):
    return {each["instance"] for each in view["services"]}


def say_goodbye(sender, watcher, adverts):
    """Until it is heard: nobody answers to a goodbye, and a packet may be lost."""
    names = {advert.instance for advert in adverts}
    for patience in (3, 3, 20):
        sender.remove(*adverts)
        with contextlib.suppress(AssertionError):
            watcher.wait(lambda view: not names & instances(view), "a goodbye", patience)
            return
    raise AssertionError(f"{names & instances(watcher.view())} are still there")


def say_until_heard(sender, watcher, adverts, wanted):
    """Until so many services are seen in all; a packet may be lost here too."""
    sender.add(*adverts)
    for patience in (3, 3, 20):
        with contextlib.suppress(AssertionError):
            watcher.wait(lambda view: len(view["services"]) == wanted, "adverts", patience)
            return
        sender.repeat(*adverts)
    raise AssertionError(f"{len(watcher.view()['services'])} services and not {wanted}")


def in_the_end(watcher, instance, holds, what):
    """The one service of that name, once holds(service) is true."""
    def look(view):
        found = [each for each in view["services"] if each["instance"] == instance]
        return len(found) == 1 and holds(found[0])
    view = watcher.wait(look, what)
    return next(each for each in view["services"] if each["instance"] == instance)


@pytest.fixture(name="net")
def _net(tmp_path):
    with lan(tmp_path) as made:
        yield made


@pytest.fixture(scope="module", name="place")
def _place(tmp_path_factory):
    """A box that looks around, and a machine beside it that is silent so far."""
    with lan(tmp_path_factory.mktemp("place")) as net:
        box, stranger = net.add("box"), net.add("stranger")
        net.connect(box, stranger, addresses=BOX, others=STRANGER)
        box.start_bus()
        box.start_avahi()
        watcher = box.start_watcher()
        watcher.wait_state("done")
        yield stranger, watcher


@pytest.fixture(name="sender")
def _sender(place):
    """What that machine says. At the end it takes everything back."""
    stranger, watcher = place
    sender = MdnsSender(stranger)
    yield sender
    gone = sender.adverts()
    for left in reversed(range(5)):
        sender.remove(*gone)
        try:
            watcher.wait_instances([], 8)
            break
        except TimedOut:
            # A goodbye is a few packets, and a busy machine may lose one.
            if not left:
                raise
    sender.close()


def test_txt_strings_come_in_the_order_of_the_record_and_byte_for_byte(place, sender):
    sent = [b"rathole=gate.local:1", b"rathole=gate.local:2", bytes(range(255)), b'a="b;c"\n']
    sender.add(Advert("Gate", txt=sent))
    found = in_the_end(place[1], "Gate", lambda _: True, "the gate")
    assert texts(found) == sent
    assert (found["host"], found["port"], found["address"]) == ("gate.local", 8443, "10.9.0.2")
    assert (found["interface"], found["kind"]) == ("eth0", "plain")


def test_a_txt_record_that_changes_in_place_is_seen(place, sender):
    before, after = Advert("Gate", txt=["enrol=closed"]), Advert("Gate", txt=["enrol=open"])
    sender.add(before)
    place[1].wait_instances(["Gate"])
    sender.replace(before, after)
    in_the_end(place[1], "Gate", lambda one: texts(one) == [b"enrol=open"], "the new TXT")


def test_a_txt_record_is_looked_at_up_to_two_kibibytes(place, sender):
    sender.add(Advert("Long", txt=[b"%03d" % n + b"x" * 197 for n in range(30)]))
    found = in_the_end(place[1], "Long", lambda _: True, "the long one")
    assert [text[:3] for text in texts(found)] == [b"%03d" % n for n in range(10)]


def test_two_hundred_adverts_at_once_are_told_together(place, sender):
    watcher = place[1]
    told = len(watcher.views())
    names = [f"n{n}" for n in range(200)]
    sender.add(*(Advert(name, host=f"h{name}", txt=["txtvers=1"]) for name in names))
    watcher.wait_instances(names)
    # 20 ms apart at least, and hardly one for each.
    assert len(watcher.views()) - told < 100


def test_a_flood_fills_what_is_set_aside_and_no_more(net):
    box, stranger = net.add("box"), net.add("stranger")
    net.connect(box, stranger, addresses=BOX, others=STRANGER)
    box.start_bus()
    box.start_avahi()
    watcher = box.start_watcher()
    sender = MdnsSender(stranger, answers=False)
    flood = [Advert(f"n{n}", txt=[b"x" * 100]) for n in range(700)]
    # A piece at a time: a socket of Avahi's has room for so many packets only.
    for at in range(0, 700, 50):
        say_until_heard(sender, watcher, flood[at:at + 50], min(at + 50, 512))
    # What was there first stays.
    assert {f"n{n}" for n in range(500)} <= instances(watcher.view())
    with open(f"/proc/{watcher.pid}/status", encoding="ascii") as status:
        anonymous = next(line for line in status if line.startswith("RssAnon:"))
    assert int(anonymous.split()[1]) < 16 * 1024 or not JUDGES_COST
    # There is room again, and Avahi is asked for what was passed over.
    for at in range(0, 350, 50):
        say_goodbye(sender, watcher, flood[at:at + 50])
    watcher.wait_instances([f"n{n}" for n in range(350, 700)])
    sender.close()


def test_whoever_falls_silent_and_comes_back_is_seen_again(place, sender):
    watcher = place[1]
    advert = Advert("Gate", ttl=2)
    sender.add(advert)
    watcher.wait_instances(["Gate"])
    sender.fall_silent()
    # Avahi gives up on it, but holds its name for hours: no ItemNew will come.
    watcher.wait_instances([], timeout=40)
    sender.add(advert)
    watcher.wait_instances(["Gate"])


def test_one_machine_on_two_links_and_in_both_families_is_seen_each_way(net):
    box, stranger = net.add("box"), net.add("stranger")
    net.connect(box, stranger, addresses=BOX, others=STRANGER)
    net.connect(box, stranger, "eth1", "eth1", ["10.8.0.1/24"], ["10.8.0.2/24"])
    net.bridge(box, "br0", ["eth1"])
    box.run("ip", "addr", "add", "10.8.0.3/24", "dev", "br0")
    box.start_bus()
    box.start_avahi()
    watcher = box.start_watcher()
    watcher.wait_state("done")
    sender = MdnsSender(stranger, ["eth0", "eth1"], BOTH)
    sender.add(Advert("Gate", address=("10.9.0.2", "fe80::2")))
    view = watcher.wait(lambda view: len(view["services"]) == 4, "each way")
    assert sorted((each["interface"], each["kind"], each["address"])
                  for each in view["services"]) == [
        ("br0", "bridge_within", "10.9.0.2"), ("br0", "bridge_within", "fe80::2"),
        ("eth0", "plain", "10.9.0.2"), ("eth0", "plain", "fe80::2")]
    sender.close()


def test_avahi_is_followed_wherever_it_goes(net):
    box, stranger = net.add("box"), net.add("stranger")
    net.connect(box, stranger, addresses=BOX, others=STRANGER)
    sender = MdnsSender(stranger)
    sender.add(Advert("Gate"))
    watcher = box.start_watcher()
    watcher.wait_state("unavailable")  # no bus
    box.start_bus()
    box.start_avahi()
    watcher.wait_instances(["Gate"])
    watcher.wait_state("done")
    box.avahi.stop()
    assert watcher.wait_state("unavailable")["services"] == []
    box.start_avahi()
    watcher.wait_instances(["Gate"])
    watcher.wait_state("done")
    box.avahi.stop()
    box.bus.stop()
    watcher.wait_state("unavailable")
    box.start_bus()
    box.start_avahi()
    watcher.wait_instances(["Gate"])
    sender.close()


def test_a_bus_without_avahi_is_no_fault_and_starts_none(net):
    box = net.add("box")
    box.start_bus()
    watcher = box.start_watcher()
    watcher.wait_state("unavailable")
    assert watcher.view()["services"] == []
    assert "ctivat" not in box.bus.log()
    box.start_avahi(wait=False)
    watcher.wait_state("done")
    assert until(lambda: [view["state"] for view in watcher.views()] == [
        "searching", "unavailable", "searching", "done"], watcher.views)
