"""What lososd-pathd makes of whatever is on its LAN: each kind of advert has one outcome, and
lososd-pathd(8) lists them."""

import socket

import pytest
from losos_tools import Pathd, Registrar, until
from losos_tools.lan import lan
from losos_tools.mdns import Advert, MdnsSender
from losos_tools.process import JUDGES_COST

pytestmark = pytest.mark.root

BYTES = bytes(range(1, 256))
NOBODY = "http://10.9.0.2:1"
GOOD = f"url={NOBODY}"


class Place:
    """A box, and beside it a machine that advertises what it is told, on the LAN and behind docker0.
    On that machine there is one edge that answers."""

    def __init__(self, folder, net):
        self.folder = folder
        self.host, there = net.add("box"), net.add("stranger")
        net.connect(self.host, there, addresses=["10.9.0.1/24"], others=["10.9.0.2/24"])
        net.connect(self.host, there, "eth1", "eth1", ["10.8.0.1/24"], ["10.8.0.2/24"])
        net.connect(self.host, there, "veth0", "eth2", [], ["172.17.0.2/16"])
        net.bridge(self.host, "docker0", ["veth0"])
        self.host.run("ip", "addr", "add", "172.17.0.1/16", "dev", "docker0")
        self.host.start_bus()
        self.host.start_avahi()
        self.edge = Registrar(folder / "edge", lan=True, advertise_host="gate.local")
        self.edge.start(prefix=there.enter())
        self.url = f"http://10.9.0.2:{self.edge.port}"
        # The kernel takes the connections that are waiting here.
        self.tunnel = there.within(lambda: socket.create_server(("0.0.0.0", 2333)))
        both = (socket.AF_INET, socket.AF_INET6)
        self.lan = MdnsSender(there)
        self.v6 = MdnsSender(there, families=(socket.AF_INET6,))
        self.everywhere = MdnsSender(there, ["eth0", "eth1"], both)
        self.docker = MdnsSender(there, ["eth2"])
        self._boxes = []
        self.shared = self.box("shared")

    def box(self, name):
        self._boxes.append(Pathd(self.folder / name, prefix=self.host.enter()))
        return self._boxes[-1].start()

    def close(self):
        for each in [*self._boxes, self.edge, self.tunnel, self.lan, self.v6, self.everywhere,
                     self.docker]:
            each.close()


@pytest.fixture(scope="module", name="place")
def _place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    with lan(folder) as net:
        made = Place(folder, net)
        try:
            yield made
        finally:
            made.close()


IGNORED = {
    "quotes in url=": ({"txt": ['url="http://10.9.0.2:1"']}, "its url is no plain"),
    "a semicolon in url=": ({"txt": [GOOD + ";reboot"]}, "its url is no plain"),
    "a line feed in url=": ({"txt": [GOOD + "\nLOSOS_EDGE_PATH_URL=http://evil.test"]},
                            "its url is no plain"),
    "255 arbitrary bytes in url=": ({"txt": [b"url=" + BYTES[:251]]}, "its url is no plain"),
    "a path in url=": ({"txt": [GOOD + "/admin"]}, "its url is no plain"),
    "an empty url=": ({"txt": ["url=", GOOD]}, "its url is no plain"),
    "a scope in url=": ({"txt": ["url=http://[fe80::1%25eth0]:1"]}, "its url is no plain"),
    "a line feed in rathole=": ({"txt": [GOOD, "rathole=10.9.0.2:1\n"]}, "its rathole is no plain"),
    "another host in rathole=": ({"txt": [GOOD, "rathole=10.9.0.9:1"]}, "its rathole names another"),
    "rathole= twice, the first elsewhere": (
        {"txt": [GOOD, "rathole=10.9.0.9:1", "rathole=10.9.0.2:1"]}, "its rathole names another"),
    "another txtvers=": ({"txt": ["txtvers=2", GOOD]}, "its txtvers is not 1"),
    "port 0": ({"port": 0, "txt": [GOOD]}, "its port is none"),
    "the box's address": ({"address": "10.9.0.1", "txt": [GOOD]}, "it leads back to this box"),
    "loopback": ({"address": "127.0.0.1"}, "it leads back to this box"),
    "the box's address in url=": ({"txt": ["url=http://10.9.0.1:1"]}, "it leads back to this box"),
    "the box's name in url=": ({"txt": ["url=http://box.local:1"]}, "it leads back to this box"),
    "169.254.169.254": ({"address": "169.254.169.254", "host": "meta", "txt": [GOOD]},
                        "its address is none"),
    "169.254.169.254 in url=": ({"txt": ["url=http://169.254.169.254"]}, "its address is none"),
    "fe80:: in url=": ({"txt": ["url=http://[fe80::1]:1"]}, "its only address is a link-local"),
    "https under a name of mDNS": ({"txt": ["url=https://gate.local:1"]}, "its name does not res"),
    "no url=, and no DNS name": ({"target": ("no_name", "local")}, "its host is no DNS name"),
}


def is_ignored(box, instance, why):
    line = box.daemon.wait_line(rf'the advert "{instance}" is ignored: ([^\n]+)')
    assert line[1].startswith(why) or why in line[1]
    assert not any(each["name"] == instance for each in box.document()["candidates"])


@pytest.mark.parametrize("case", IGNORED)
def test_an_advert_that_is_ignored(place, case):
    number = list(IGNORED).index(case)
    fields, why = IGNORED[case]
    advert = Advert(f"odd{number}", **{"host": f"h{number}", **fields})
    place.lan.add(advert)
    is_ignored(place.shared, f"odd{number}", why)
    place.lan.remove(advert)


def test_a_link_local_address_alone_is_ignored(place):
    advert = Advert("near", address="fe80::2", host="near")
    place.v6.add(advert)
    is_ignored(place.shared, "near", "its only address is a link-local one")
    place.v6.remove(advert)


def test_what_is_behind_docker0_is_ignored(place):
    advert = Advert("inner", address="172.17.0.2", host="inner", txt=["url=http://172.17.0.2:1"])
    place.docker.add(advert)
    is_ignored(place.shared, "inner", "it was seen on an interface")
    place.docker.remove(advert)


TAKEN = {
    "255 arbitrary bytes beside what counts": ([BYTES, "url=http://10.9.0.2:11"], 11),
    "a key that stands twice": (["url=http://10.9.0.2:12", "URL=http://10.9.0.9:1"], 12),
    "rathole= twice": (["url=http://10.9.0.2:13", "rathole=10.9.0.2:1", "rathole=10.9.0.9:2"], 13),
    "strings without a key or a value": (["=x", "flag", "url=http://10.9.0.2:14"], 14),
    "no TXT at all": ([], 15),
    "quotes and semicolons elsewhere": (["url=http://10.9.0.2:16", 'note="a;b"\n$(id)'], 16),
}


@pytest.mark.parametrize("case", TAKEN)
def test_an_advert_that_is_taken(place, case):
    txt, port = TAKEN[case]
    advert = Advert(f"fair{port}", host=f"f{port}", port=port, txt=txt)
    place.lan.add(advert)
    found = until(lambda: place.shared.candidate(f"http://10.9.0.2:{port}"), place.shared.daemon.log)
    assert (found["name"], found["source"]) == (f"fair{port}", "lan")
    place.lan.remove(advert)


NAMES = {"LosOS edge on gw #2": "LosOS edge on gw #2", r"LosOS\032edge": "LosOS edge",
         "gw.one.two": "gw.one.two", 'a"b;c': 'a"b;c', "line\nfeed": "line?feed"}


def test_a_name_is_shown_with_its_escapes_undone_and_nothing_unprintable(place):
    adverts = [Advert(name, host=f"n{port}", txt=[f"url=http://10.9.0.2:{port}"])
               for port, name in enumerate(NAMES, 21)]
    place.lan.add(*adverts)
    for port, shown in enumerate(NAMES.values(), 21):
        found = until(lambda at=port: place.shared.candidate(f"http://10.9.0.2:{at}"), shown)
        assert found["name"] == shown
    place.lan.remove(*adverts)


def test_one_edge_on_two_links_and_in_both_families_is_one_and_ipv4_is_dialled(place):
    """Under a name that mDNS alone resolves, by which the pin is called all the same."""
    advert = Advert("Gate", address=("10.9.0.2", "fe80::2"), port=place.edge.port,
                    txt=[f"url=http://gate.local:{place.edge.port}", "rathole=gate.local:2333"])
    place.everywhere.add(advert)
    box = place.box("alone")
    box.wait_url(place.url)
    assert box.env()["RATHOLE"] == "10.9.0.2:2333"
    assert box.env()["NOISE_PUB"].endswith(f"/gate.local_{place.edge.port}.pub")
    until(lambda: box.document()["lanSearched"], "the search to end")
    assert [each["url"] for each in box.document()["edges"]] == [place.url]
    assert [each["name"] for each in box.document()["candidates"]].count("Gate") == 1

    # Whatever else comes, and however much of it: who answers stays, and so does the daemon.
    crowd = [Advert(f"n{n}", host="crowd", txt=[f"url=http://10.9.0.2:{n + 100}"])
             for n in range(200)]
    place.lan.add(*crowd)
    names = {f"n{n}" for n in range(200)} | {"Gate"}
    until(lambda: names <= {each["name"] for each in box.document()["candidates"]},
          box.daemon.log, 60)
    assert (box.url(), place.host.within(box.edge)["path"]["url"]) == (place.url, place.url)
    assert box.private_kib() < 12 * 1024 or not JUDGES_COST
    place.lan.remove(*crowd)
