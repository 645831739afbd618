"""The network between the machines: a switch at home, a router for the internet, and a visitor.

    home       gateway 192.168.1.10 ---- switch ---- box 192.168.1.20
    internet   hub 198.51.100.1, gateway 100.64.1.1, box 100.64.2.1, visitor 203.0.113.7; a leg each to
               the router, so nothing that is said to everybody on a link is heard by another machine
"""

import contextlib
import os
import socket

from losos_lab.space import _enter

MIDDLE = "middle"
LAN_ADDRESSES = {"gateway": "192.168.1.10", "box": "192.168.1.20"}
HUB_ADDRESS = "198.51.100.1"
VISITOR_ADDRESS = "203.0.113.7"
INTERNET = {"hub": HUB_ADDRESS, "gateway": "100.64.1.1", "box": "100.64.2.1",
            "visitor": VISITOR_ADDRESS}


class Space:
    """The network of one machine, for sockets that this process opens there."""

    def __init__(self, namespace, machine):
        self.machine = machine
        self._file = namespace.outside(f"/run/netns/{machine}")

    @contextlib.contextmanager
    def inside(self):
        """The calling thread is in this network until the block ends."""
        home = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        try:
            there = os.open(self._file, os.O_RDONLY | os.O_CLOEXEC)
            try:
                _enter(there)
                try:
                    yield
                finally:
                    _enter(home)
            finally:
                os.close(there)
        finally:
            os.close(home)

    def connect(self, address, timeout=10.0):
        """A TCP connection that starts on this machine."""
        with self.inside():
            return socket.create_connection(address, timeout)


class Cables:
    """The ports of the switch or of the router: pulled without a word to anybody, and put back."""

    def __init__(self, network, kind):
        self._network = network
        self._kind = kind

    def cut(self, machine):
        self._network.ip("-n", MIDDLE, "link", "set", f"{self._kind}-{machine}", "down")

    def mend(self, machine):
        self._network.ip("-n", MIDDLE, "link", "set", f"{self._kind}-{machine}", "up")


class Network:
    def __init__(self, namespace):
        self._namespace = namespace
        self.lan = Cables(self, "lan")
        self.internet = Cables(self, "wan")

    def ip(self, *args):
        return self._namespace.run(["ip", *args])

    def space(self, machine):
        return Space(self._namespace, machine)

    def build(self):
        for machine in (MIDDLE, *INTERNET):
            self._unpack(machine)
        self._namespace.run(["ip", "netns", "exec", MIDDLE,
                             "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward"])
        self.ip("-n", MIDDLE, "link", "add", "switch", "type", "bridge",
                "mcast_snooping", "0", "stp_state", "0", "forward_delay", "0")
        self.ip("-n", MIDDLE, "link", "set", "switch", "up")
        for machine in LAN_ADDRESSES:
            self.plug_in(machine)
        for machine, address in INTERNET.items():
            self._leg(machine, address)

    def carry_home(self, machine, address):
        """A machine that nobody has met before, with a cable to the switch."""
        self._unpack(machine)
        self.plug_in(machine, address)

    def _unpack(self, machine):
        self.ip("netns", "add", machine)
        self.ip("-n", machine, "link", "set", "lo", "up")

    def plug_in(self, machine, address=None, device="lan0"):
        """A cable from the switch to a machine; its name at the switch is `lan-` and the machine, or
        for another device than lan0 the device's name and the machine."""
        port = f"{'lan' if device == 'lan0' else device}-{machine}"
        address = address or LAN_ADDRESSES[machine]
        self.ip("-n", MIDDLE, "link", "add", port, "type", "veth", "peer", "name", device,
                "netns", machine)
        self.ip("-n", MIDDLE, "link", "set", port, "master", "switch", "up")
        self.ip("-n", machine, "addr", "add", f"{address}/24", "dev", device)
        self.ip("-n", machine, "link", "set", device, "up")

    def _leg(self, machine, address):
        router = address.rsplit(".", 1)[0] + ".254"
        port = f"wan-{machine}"
        self.ip("-n", MIDDLE, "link", "add", port, "type", "veth", "peer", "name", "wan0",
                "netns", machine)
        for where, own, device in ((MIDDLE, router, port), (machine, address, "wan0")):
            self.ip("-n", where, "addr", "add", f"{own}/24", "dev", device)
            self.ip("-n", where, "link", "set", device, "up")
        self.route(machine)

    def route(self, machine):
        """The way to the internet, which a machine loses with its cable."""
        router = INTERNET[machine].rsplit(".", 1)[0] + ".254"
        self.ip("-n", machine, "route", "replace", "default", "via", router)
