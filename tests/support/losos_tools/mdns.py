"""Adverts by a sender of ours: it puts on the wire what no honest publisher would. It says all it
has to say whenever anybody asks, and once more when something is added."""

import select
import socket
import struct
import threading

_GROUP = ("224.0.0.251", 5353)
_GROUP_V6 = ("ff02::fb", 5353)
_TYPE = ("_losos-edge", "_tcp", "local")
_A, _PTR, _TXT, _AAAA, _SRV = 1, 12, 16, 28, 33
_IN, _FLUSH = 1, 0x8001
_PACKET = 1300


def _bytes(text):
    return text if isinstance(text, bytes) else text.encode()


def _name(labels):
    return b"".join(bytes([len(_bytes(each))]) + _bytes(each) for each in labels) + b"\0"


def _record(labels, kind, klass, ttl, data):
    return _name(labels) + struct.pack("!HHIH", kind, klass, ttl, len(data)) + data


class Advert:
    """One instance of an edge. SRV names `host`.local, or `target`, in labels. An address, or
    several, goes out as it is given, whoever it belongs to. `ttl` is of what stands behind the
    name; the name itself stays for longer."""

    def __init__(self, instance, address="10.9.0.2", port=8443, txt=(), host="gate", ttl=120,
                 target=None):
        self.instance, self.address, self.port, self.ttl = instance, address, port, ttl
        self.txt = [_bytes(each) for each in txt]
        self.target = target or (host, "local")

    def records(self, ttl=None):
        name_ttl = 4500 if ttl is None else ttl
        ttl = self.ttl if ttl is None else ttl
        full = (self.instance, *_TYPE)
        host = self.target
        txt = b"".join(bytes([len(each)]) + each for each in self.txt) or b"\0"
        records = [_record(_TYPE, _PTR, _IN, name_ttl, _name(full)),
                   _record(full, _SRV, _FLUSH, ttl,
                           struct.pack("!HHH", 0, 0, self.port) + _name(host)),
                   _record(full, _TXT, _FLUSH, ttl, txt)]
        # The goodbye of a service is none of its host.
        addresses = self.address if ttl and self.address else ()
        for address in (addresses,) if isinstance(addresses, str) else addresses:
            v6 = ":" in address
            data = socket.inet_pton(socket.AF_INET6 if v6 else socket.AF_INET, address)
            records.append(_record(host, _AAAA if v6 else _A, _IN, ttl, data))
        return records


def _packets(records):
    """Responses with as many records each as a link takes."""
    packets, room = [[]], _PACKET
    for record in records:
        if len(record) > room:
            packets.append([])
            room = _PACKET
        packets[-1].append(record)
        room -= len(record)
    return [struct.pack("!HHHHHH", 0, 0x8400, 0, len(each), 0, 0) + b"".join(each)
            for each in packets if each]


class MdnsSender:
    """Speaks for a machine that runs no Avahi, on the links and in the families that it is given.
    Whoever has much to say does better not to answer: one question would fill Avahi's socket."""

    def __init__(self, host, links=("eth0",), families=(socket.AF_INET,), answers=True):
        self._answers = answers
        self._sockets = host.within(lambda: [self._open(link, family) for link in links
                                             for family in families])
        self._adverts = []
        self._lock = threading.Lock()
        self._ends, self._end = socket.socketpair()
        self._thread = threading.Thread(target=self._answer)
        self._thread.start()

    @staticmethod
    def _open(link, family):
        index = socket.if_nametoindex(link)
        one = socket.socket(family, socket.SOCK_DGRAM)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, link.encode())
        if family == socket.AF_INET:
            group = socket.inet_aton(_GROUP[0]) + struct.pack("=4si", b"\0" * 4, index)
            one.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
            one.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF,
                           struct.pack("=4s4si", b"\0" * 4, b"\0" * 4, index))
            one.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
            one.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)
            one.bind(("", 5353))
        else:
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP,
                           socket.inet_pton(family, _GROUP_V6[0]) + struct.pack("=i", index))
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_LOOP, 0)
            one.bind(("::", 5353))
        return one

    def _say(self, records, sockets=None):
        for packet in _packets(records):
            for one in sockets or self._sockets:
                one.sendto(packet, _GROUP if one.family == socket.AF_INET else _GROUP_V6)

    def _answer(self):
        while True:
            ready, _, _ = select.select([*self._sockets, self._ends], [], [])
            if self._ends in ready:
                return
            for one in ready:
                packet = one.recv(9000)
                is_question = len(packet) >= 12 and packet[2] & 0x80 == 0
                if self._answers and is_question and b"_losos-edge" in packet:
                    with self._lock:
                        self._say([record for advert in self._adverts
                                   for record in advert.records()], [one])

    def add(self, *adverts):
        with self._lock:
            self._adverts += adverts
        self.repeat(*adverts)

    def repeat(self, *adverts):
        with self._lock:
            self._say([record for advert in adverts for record in advert.records()])

    def replace(self, before, after):
        """The same instance with other contents, without a goodbye."""
        with self._lock:
            self._adverts[self._adverts.index(before)] = after
            self._say(after.records())

    def fall_silent(self):
        """No goodbye: nobody hears of it."""
        with self._lock:
            self._adverts.clear()

    def adverts(self):
        with self._lock:
            return tuple(self._adverts)

    def remove(self, *adverts):
        """With a goodbye; without a name, everything."""
        with self._lock:
            gone = adverts or tuple(self._adverts)
            self._adverts = [each for each in self._adverts if each not in gone]
            self._say([record for advert in gone for record in advert.records(ttl=0)])

    def close(self):
        if self._thread.is_alive():
            self._end.send(b"x")
            self._thread.join()
        for one in (*self._sockets, self._ends, self._end):
            one.close()
