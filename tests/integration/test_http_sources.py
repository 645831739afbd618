"""Callers from the network, each source with its own share of connections; needs addresses that
are not loopback, so each test has a network namespace of its own."""

import contextlib
import socket

import pytest
from losos_tools import Registrar, until
from losos_tools.http import HungUp, RawConnection
from losos_tools.network import in_a_network_of_its_own

pytestmark = pytest.mark.root

@contextlib.contextmanager
def edge_on(folder, host):
    edge = Registrar(folder)
    edge.flags["listen"] = f"{host}:{edge.port}"
    edge.start()
    try:
        yield edge
    finally:
        edge.close()


class From(RawConnection):
    """A connection from a source address of choice."""

    def __init__(self, source, host, port):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        self.socket.bind((source, 0))
        self.socket.settimeout(15)
        self.socket.connect((host, port))
        self._timeout = 15.0
        self._input = b""

    def health(self, *headers):
        self.request("GET", "/health", headers=headers)
        return self.answer().status


def is_taken(source, host, port, *headers):
    with From(source, host, port) as connection:
        try:
            return connection.health(*headers) == 200
        except (HungUp, OSError):
            return False


def test_a_source_on_the_network_has_eight_connections_silent_ones_included(tmp_path):
    def act():
        with edge_on(tmp_path, "0.0.0.0") as edge, contextlib.ExitStack() as stack:
            near = "192.0.2.1", "192.0.2.9", edge.port
            for _ in range(8):
                stack.enter_context(From(*near))
            until(lambda: not is_taken(*near), "the ninth turned away")
            # What a caller on the network says of itself counts for nothing.
            assert not is_taken(*near, ("X-Forwarded-For", "203.0.113.5"))
            assert is_taken("192.0.2.2", "192.0.2.9", edge.port)
            assert edge.get("/health").status == 200
        return True

    assert in_a_network_of_its_own([f"192.0.2.{n}/24" for n in (1, 2, 9)], act)


def test_an_ipv6_source_on_the_network_is_its_first_64_bits(tmp_path):
    def act():
        with edge_on(tmp_path, "[::]") as edge, contextlib.ExitStack() as stack:
            host = "2001:db8:9::1"
            for number in range(8):
                stack.enter_context(From(f"2001:db8:1::{number + 1}", host, edge.port))
            until(lambda: not is_taken("2001:db8:1::ffff", host, edge.port),
                  "the ninth of the same /64 turned away")
            assert is_taken("2001:db8:1:1::1", host, edge.port)
            assert edge.get("/health").status == 200
        return True

    neighbours = [f"2001:db8:1::{n + 1}/64" for n in range(8)]
    assert in_a_network_of_its_own(
        [*neighbours, "2001:db8:1::ffff/64", "2001:db8:1:1::1/64", "2001:db8:9::1/64"], act)


def test_an_edge_that_listens_on_one_address_is_not_reached_on_another(tmp_path):
    def act():
        with edge_on(tmp_path, "192.0.2.1") as edge:
            assert is_taken("192.0.2.2", "192.0.2.1", edge.port)
            with pytest.raises(ConnectionRefusedError):
                From("192.0.2.2", "192.0.2.2", edge.port)
        return True

    assert in_a_network_of_its_own(["192.0.2.1/24", "192.0.2.2/24"], act)

def test_a_house_full_of_slow_senders_from_many_addresses_has_room_for_another_box(tmp_path):
    slow = [f"192.0.2.{n}" for n in range(11, 76)]

    def act():
        with edge_on(tmp_path, "0.0.0.0") as edge, contextlib.ExitStack() as stack:
            taken = []
            for number in range(8 * 64):
                taken.append(stack.enter_context(From(slow[number % 64], "192.0.2.9", edge.port)))
            for connection in taken[::2]:
                connection.send(b"GET /hea")
            # One who has no connection yet makes one of theirs go, but nobody who has one alone.
            lone = stack.enter_context(From("192.0.2.75", "192.0.2.9", edge.port))
            lone.send(b"GET /health HTTP/1.1\r\n")
            for _ in range(20):
                assert is_taken("192.0.2.2", "192.0.2.9", edge.port)
            lone.send(b"Host: edge.test\r\n\r\n")
            assert lone.answer().status == 200
        return True

    assert in_a_network_of_its_own([f"{address}/24" for address in
                                    ("192.0.2.2", "192.0.2.9", *slow)], act)
