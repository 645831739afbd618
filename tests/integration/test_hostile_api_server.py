"""API servers that are not what they should be: whatever they say and however they say it, a join
is answered one plain sentence, nothing is handed out or written down, and nobody else waits."""

import contextlib
import socket
import threading

import pytest
from losos_lab.authority import Authority
from losos_tools import HangUp, StandIn, reply, until
from losos_tools.api_server import StandInApiServer, paths_of
from losos_tools.http import HungUp
from losos_tools.mesh import AGENT_TOKEN, KUBE_TOKEN, MeshEdge

MEMBERS = ["mattbox", "zoe", "third", "fourth", "fifth"]


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A pinned authority, another one that this system trusts, an API server of the first, and a
    hub in front of it."""
    folder = tmp_path_factory.mktemp("hostile")
    pinned, trusted = Authority(folder / "pinned"), Authority(folder / "trusted")
    right = pinned.issue(["localhost"], ["127.0.0.1"])
    server = StandInApiServer(right)
    hub = MeshEdge(folder / "hub", server.url, pinned.root_file, members=MEMBERS,
                   tenants={"plain": {}})
    hub.start(env={"SSL_CERT_FILE": str(trusted.root_file)})
    yield hub, server, pinned, trusted, right
    hub.close()
    server.close()


@pytest.fixture
def hub(world):
    return world[0]


@pytest.fixture
def server(world):
    """The API server, well behaved again after each test."""
    _, server, _, _, right = world
    server.answer_all()
    yield server
    server.tls = server.context(right)
    server.answer_all()


def refused(hub, member="mattbox"):
    """The sentence a join is answered that is refused and left nothing; a hub that hangs up is
    none."""
    before = hub.windows()
    answer = hub.join(member, share_compute=True)
    assert answer.status == 503, answer
    assert answer.text.count("\n") == 1 and answer.text.endswith("so retry later\n")
    assert hub.windows() == before
    for secret in (AGENT_TOKEN, KUBE_TOKEN):
        assert secret[:20] not in answer.text + hub.log()
    return answer.text


@pytest.mark.parametrize("status, word", [
    (401, "does not know the token"), (403, "lacks the role"), (409, "changed it"), (500, "500"),
    (429, "429"), (204, "204"), (201, "201"), (400, "400"), (503, "503"),
])
def test_what_the_server_does_not_do_is_said_with_its_cause(hub, server, status, word):
    server.answer_all(reply(status, {"kind": "Status", "message": "<script>no plain sentence"}))
    sentence = refused(hub)
    assert word in sentence and "script" not in sentence
    assert server.deleted() == paths_of("mattbox")[:1], "after a refusal nothing more is tried"
    fault = hub.wait_fault(server.url, word)
    assert "script" not in fault
    server.answer_all()
    assert hub.join().status == 200
    until(lambda: not hub.faults(server.url), "the fault to be gone")


def test_a_server_that_deletes_the_node_and_not_its_secret_lets_nobody_in(hub, server):
    server.answers[paths_of("mattbox")[1]] = reply(403)
    assert "lacks the role" in refused(hub)
    hub.wait_fault("password Secret", "lacks the role")
    assert server.deleted() == paths_of("mattbox")


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed_and_takes_no_token_along(hub, server, status):
    elsewhere = StandIn()
    server.answer_all(reply(status, Location=elsewhere.url + "/api"))
    assert str(status) in refused(hub)
    assert elsewhere.requests == []
    assert server.deleted() == paths_of("mattbox")[:1]
    elsewhere.close()


GARBAGE = {
    "nothing": HangUp,
    "noise": b"\x00\x01\x02\xff" * 300,
    "half a head": b"HTTP/1.1 200 OK\r\nContent-Le",
    "another protocol": b"SSH-2.0-OpenSSH_9.2\r\n",
    "an endless status": b"HTTP/1.1 200 " + b"x" * 200_000,
    "an endless head": b"HTTP/1.1 200 OK\r\n" + b"X-A: b\r\n" * 100_000,
    "less than it promised": b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort",
    "a status of no number": b"HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n",
}


@pytest.mark.parametrize("what", GARBAGE)
def test_garbage_is_no_answer(hub, server, what):
    server.answer_all(GARBAGE[what])
    assert "does not answer as it should" in refused(hub)
    hub.wait_fault(server.url)


def test_of_ten_megabytes_no_more_is_read_than_the_status_needs(hub, server):
    server.answer_all(reply(500, b"x" * (10 << 20)))
    refused(hub)
    server.answer_all(reply(200, b"x" * (10 << 20)))
    assert hub.join().status == 200


# --- who it is ---


def test_a_certificate_of_anybody_but_the_pinned_authority_is_shown_no_token(world, server,
                                                                             tmp_path):
    hub, _, pinned, trusted, right = world
    nobody = Authority(tmp_path / "nobody")
    kinds = {
        "of an authority that this system trusts": trusted.issue(["localhost"], ["127.0.0.1"]),
        "of nobody": nobody.issue(["localhost"], ["127.0.0.1"]),
        "signed by itself": (nobody.root_file, tmp_path / "nobody" / "root.key"),
        "that has expired": pinned.issue(["localhost"], ["127.0.0.1"], expired=True),
        "for another address": pinned.issue(["localhost"], ["127.0.0.2"]),
        "for a name": pinned.issue(["127.0.0.1", "localhost"]),
    }
    for kind, certificate in kinds.items():
        server.tls = server.context(certificate)
        assert "does not answer as it should" in refused(hub), kind
        assert server.requests == [], kind
        hub.wait_fault(server.url, "its certificate", "expired" if "expired" in kind else "")
    server.tls = server.context(right)
    assert hub.join().status == 200


def test_a_server_in_the_clear_is_shown_no_token(hub, tmp_path):
    seen = []

    def answer_in_the_clear():
        connection, _ = listening.accept()
        with connection:
            seen.append(connection.recv(65536))
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as listening:
        url = f"https://127.0.0.1:{listening.getsockname()[1]}"
        edge = MeshEdge(tmp_path / "clear", url, hub.flags["kube_ca_file"])
        with contextlib.closing(edge):
            edge.start()
            thread = threading.Thread(target=answer_in_the_clear)
            thread.start()
            assert "does not answer as it should" in refused(edge)
            thread.join()
            edge.wait_fault(url)
    assert b"DELETE" not in seen[0] and KUBE_TOKEN[:20].encode() not in seen[0]


def test_where_nobody_listens_nobody_joins(world, tmp_path):
    _, _, pinned, _, _ = world
    with contextlib.closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        nobody = f"https://127.0.0.1:{taken.getsockname()[1]}"
        hub = MeshEdge(tmp_path / "alone", nobody, pinned.root_file)
        with contextlib.closing(hub):
            hub.start()
            refused(hub)
            hub.wait_fault(nobody, "did not answer")


# --- one that hangs ---


class Silence:
    """An answer that does not come until it is let go."""

    def __init__(self):
        self._go = threading.Event()

    def __call__(self, _request):
        self._go.wait(60)
        return HangUp

    def let_go(self):
        self._go.set()


def test_a_server_that_hangs_costs_only_those_who_join(hub, server):
    silence = Silence()
    server.answer_all(silence, MEMBERS)
    answers = {}

    def join(member):
        answers[member] = hub.join(member)

    joining = [threading.Thread(target=join, args=(member,)) for member in MEMBERS[:4]]
    try:
        for thread in joining:
            thread.start()
        until(lambda: len(server.requests) == 4, "four to be waiting for the API server")
        full = hub.join("fifth")
        again = hub.join("mattbox")
        done = hub.metric("reconciles_total")
        assert hub.register("plain").status == 200
        assert hub.heartbeat("plain", idle=True).status == 204
        assert hub.deregister("plain").status == 204
        until(lambda: hub.metric("reconciles_total") > done, "a reconcile meanwhile")
        for thread in joining:
            thread.join(30)
    finally:
        silence.let_go()
    for answer in (full, again):
        assert answer.status == 503 and "others are joining" in answer.text, answer
    assert {answer.status for answer in answers.values()} == {503}
    assert {"does not answer as it should" in answer.text
            for answer in answers.values()} == {True}
    hub.wait_fault(server.url, "no whole answer within")
    server.answer_all(nodes=MEMBERS)
    for member in MEMBERS:
        assert hub.join(member).status == 200


def test_a_server_that_trickles_is_cut_off_like_one_that_hangs(hub, server, tmp_path):
    stop = threading.Event()

    def trickle():
        """Takes one connection and sends a byte of its answer whenever the last has arrived."""
        connection, _ = listening.accept()
        with contextlib.suppress(OSError), server.tls.wrap_socket(
                connection, server_side=True) as tls:
            for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 10_000:
                tls.sendall(bytes([byte]))
                if stop.wait(0.05):
                    return

    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as listening:
        edge = MeshEdge(tmp_path / "trickled",
                        f"https://127.0.0.1:{listening.getsockname()[1]}",
                        hub.flags["kube_ca_file"])
        with contextlib.closing(edge):
            edge.start()
            thread = threading.Thread(target=trickle)
            thread.start()
            try:
                refused(edge)
                edge.wait_fault("no whole answer within")
            finally:
                stop.set()
                thread.join()


def test_a_hub_stops_although_somebody_waits_at_the_door(world, server, tmp_path):
    _, _, pinned, _, _ = world
    silence = Silence()
    server.answer_all(silence)
    edge = MeshEdge(tmp_path / "stopped", server.url, pinned.root_file)

    def join():
        with contextlib.suppress(HungUp, OSError, TimeoutError):
            edge.join()

    with contextlib.closing(edge):
        edge.start()
        thread = threading.Thread(target=join)
        thread.start()
        server.wait_asked(paths_of("mattbox")[0])
        try:
            assert edge.stop() == 0
        finally:
            silence.let_go()
            thread.join()
