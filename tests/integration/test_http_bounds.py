"""What the API takes from callers it cannot trust: sizes, shapes, and how many at a time."""

import contextlib
import fcntl
import functools
import json
import select
import signal
import time

import pytest
from losos_tools import RawConnection, token, until
from losos_tools.http import HungUp, request_bytes

SHARED_EDGE = {"tenants": ["box", "other"], "enrol": True}

CAP = 64 * 1024
ROUTES = {"/health": "GET", "/noise-public-key": "GET", "/register": "POST", "/heartbeat": "POST",
          "/deregister": "POST", "/unregister": "POST", "/relay": "POST",
          "/domains/list": "POST", "/domains/add": "POST", "/domains/remove": "POST",
          "/cluster/join": "POST", "/identity": "GET", "/identity/public-key": "GET"}


def register_body(size=0, box="box"):
    """A sound registration of exactly `size` bytes, when that is more than it needs."""
    fields = {"appliance_id": box, "token": token(box), "hostname": f"{box}.losos.test"}
    text = json.dumps(fields)
    if size:
        fields["padding"] = "x" * (size - len(json.dumps({**fields, "padding": ""})))
        text = json.dumps(fields)
    return text.encode()


def chunked(body, size=4096):
    pieces = [body[at:at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def send_raw(edge, data):
    with RawConnection(edge.port) as connection:
        connection.try_send(data)
        return connection.answer()


# --- sizes ---


def test_a_body_of_exactly_the_cap_is_taken(shared_edge):
    body = register_body(CAP)
    assert len(body) == CAP
    assert shared_edge.post("/register", body).status == 200
    assert send_raw(shared_edge, request_bytes(
        "POST", "/register", chunked(body), [("Transfer-Encoding", "chunked")])).status == 200


@pytest.mark.parametrize("path", [path for path, method in ROUTES.items() if method == "POST"])
def test_a_body_one_byte_over_the_cap_is_413_on_every_route(shared_edge, path):
    body = register_body(CAP + 1)
    answer = shared_edge.post(path, body)
    assert answer.status == 413
    assert "larger" in answer.text
    assert send_raw(shared_edge, request_bytes(
        "POST", path, chunked(body), [("Transfer-Encoding", "chunked")])).status == 413


@pytest.mark.parametrize("length", ["65537", "99999999999", "9" * 40])
def test_a_body_that_is_said_to_be_too_large_is_not_waited_for(shared_edge, length):
    start = time.monotonic()
    answer = send_raw(shared_edge, request_bytes("POST", "/register", b"",
                                                 [("Content-Length", length)]))
    assert answer.status == 413
    assert time.monotonic() - start < 3


@pytest.mark.parametrize("head", [
    b"GET /health?" + b"x" * 70000 + b" HTTP/1.1\r\n\r\n",
    b"GET /health HTTP/1.1\r\nX-Long: " + b"x" * 70000 + b"\r\n\r\n",
    b"GET /health HTTP/1.1\r\n" + b"X-Many: x\r\n" * 7000 + b"\r\n",
], ids=["line", "header", "headers"])
def test_a_head_that_is_too_large_is_refused(shared_edge, head):
    assert send_raw(shared_edge, head).status in (400, 414, 431)


# --- paths and methods ---


@pytest.mark.parametrize("path", ["/", "/Health", "/health/", "/health/x", "/registry", "/api",
                                  "/register/box", "/..", "//health"])
def test_an_unknown_path_is_404(shared_edge, path):
    for method in ("GET", "POST", "DELETE"):
        assert send_raw(shared_edge, request_bytes(method, path)).status == 404


@pytest.mark.parametrize("path, right", ROUTES.items(), ids=list(ROUTES))
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_a_known_path_with_another_method_is_405_and_says_which(shared_edge, path, right, method):
    answer = send_raw(shared_edge, request_bytes(method, path))
    if method == right:
        # What this edge does not have is 404 as well, with a sentence that says so.
        assert answer.status not in (404, 405) or right == "GET" and "this edge" in answer.text
        return
    assert answer.status == 405
    assert answer.headers["allow"] == right


def test_health_is_ok_and_nothing_but_ok(shared_edge):
    answer = shared_edge.get("/health")
    assert (answer.status, answer.text.strip()) == (200, "ok")
    assert shared_edge.get("/health?x=y").status == 200


def test_one_connection_serves_many_requests_also_when_they_come_at_once(shared_edge):
    shared_edge.register("box")
    heartbeat = json.dumps({"appliance_id": "box", "token": token("box")}).encode()
    with RawConnection(shared_edge.port) as connection:
        for _ in range(20):
            connection.request("POST", "/heartbeat", heartbeat)
            assert connection.answer().status == 204
        connection.send(request_bytes("GET", "/health") * 10)
        assert [connection.answer().status for _ in range(10)] == [200] * 10


def test_a_caller_that_asks_first_is_told_to_go_on(shared_edge):
    body = register_body()
    with RawConnection(shared_edge.port) as connection:
        connection.send(request_bytes("POST", "/register", b"", [
            ("Content-Length", str(len(body))), ("Expect", "100-continue")]))
        assert connection.socket.recv(100).startswith(b"HTTP/1.1 100 ")
        connection.send(body)
        assert connection.answer().status == 200


# --- shapes ---

SMUGGLED = request_bytes("POST", "/deregister",
                         json.dumps({"appliance_id": "box", "token": token("box")}).encode())
POST = b"POST /heartbeat HTTP/1.1\r\nHost: a\r\n"

AMBIGUOUS = {
    "length and chunked": POST + b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunked and length": POST + b"Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n",
    "two lengths": POST + b"Content-Length: 2\r\nContent-Length: 9\r\n\r\n{}",
    "two equal lengths": POST + b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
    "a list of lengths": POST + b"Content-Length: 2, 2\r\n\r\n{}",
    "a signed length": POST + b"Content-Length: +2\r\n\r\n{}",
    "a negative length": POST + b"Content-Length: -1\r\n\r\n",
    "a hex length": POST + b"Content-Length: 0x2\r\n\r\n{}",
    "an empty length": POST + b"Content-Length:\r\n\r\n",
    "gzip, chunked": POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "chunked twice": POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"
                            b"0\r\n\r\n",
    "xchunked": POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "identity": POST + b"Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\n{}",
    "blank before colon": POST + b"Content-Length : 2\r\n\r\n{}",
    "folded": POST + b"X: a\r\n Content-Length: 2\r\n\r\n{}",
    "no colon": POST + b"Content-Length 2\r\n\r\n{}",
    "a NUL": POST + b"X: a\0b\r\n\r\n",
    "a bare line feed": b"POST /heartbeat HTTP/1.1\nContent-Length: 2\n\n{}",
    "a bare carriage return": POST + b"X: a\rContent-Length: 2\r\n\r\n{}",
    "two hosts": POST + b"Host: b\r\n\r\n",
    "a chunk size of nonsense": POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    "a signed chunk size": POST + b"Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
    "a huge chunk size": POST + b"Transfer-Encoding: chunked\r\n\r\n"
                                b"10000000000000002\r\n{}\r\n0\r\n\r\n",
    "a chunk longer than it says": POST + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}x\r\n0\r\n\r\n",
    "an absolute target": b"GET http://a/health HTTP/1.1\r\n\r\n",
    "an authority": b"CONNECT a:1 HTTP/1.1\r\n\r\n",
    "a star": b"OPTIONS * HTTP/1.1\r\n\r\n",
    "a blank in the target": b"GET /a b HTTP/1.1\r\n\r\n",
    "no version": b"GET /health\r\n\r\n",
    "no method": b" /health HTTP/1.1\r\n\r\n",
    "binary": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
}


@pytest.mark.parametrize("kind", AMBIGUOUS)
def test_a_request_that_two_servers_could_read_differently_is_400_and_ends_the_connection(
        shared_edge, kind):
    assert shared_edge.register("box").status == 200
    with RawConnection(shared_edge.port) as connection:
        connection.try_send(AMBIGUOUS[kind] + SMUGGLED)
        answer = connection.answer()
        assert answer.status in (400, 408, 413)
        assert connection.ended()
    assert shared_edge.heartbeat("box").status == 204


@pytest.mark.parametrize("request_line", [b"GET /health HTTP/2.0", b"PRI * HTTP/2.0",
                                          b"GET /health HTTP/1.2", b"GET /health http/1.1",
                                          b"BREW /health HTTP/1.1"])
def test_what_is_not_http_1_0_or_1_1_as_we_know_it_is_refused(shared_edge, request_line):
    assert send_raw(shared_edge, request_line + b"\r\n\r\n").status in (400, 405, 505)


def test_http_1_0_is_spoken(shared_edge):
    assert send_raw(shared_edge, b"GET /health HTTP/1.0\r\n\r\n").status == 200


def test_an_encoded_body_is_not_unpacked(shared_edge):
    answer = shared_edge.post("/register", register_body(), headers=[("Content-Encoding", "gzip")])
    assert answer.status == 415


# --- how many at a time ---


@contextlib.contextmanager
def held_up(edge):
    """Keeps the enrolment directory locked: who enrols meanwhile has to wait for an answer."""
    with open(edge.enrol_dir / ".lock", "r+", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield lambda: fcntl.flock(lock, fcntl.LOCK_UN)


def send_registrations(edge, boxes, headers=()):
    connections = []
    for box in boxes:
        connection = RawConnection(edge.port)
        connection.again = functools.partial(
            connection.request, "POST", "/register", register_body(box=box), headers)
        connection.again()
        connections.append(connection)
    return connections


def answers_of(connections):
    answers = [connection.answer() for connection in connections]
    for connection in connections:
        connection.close()
    return [answer.status for answer in answers]


def wait_busy(edge, connections, headers=()):
    """Asks until one more is turned away. What is sent is not always received at once, and a question
    may take the place of one of these requests that comes after it: that one is sent again, on a
    connection of its own, for its body was left unread."""
    def turned_away():
        for connection in connections:
            if select.select([connection.socket], [], [], 0)[0]:
                assert connection.answer().status == 503
                connection.reconnect()
                connection.again()
        answer = edge.get("/health", headers=headers)
        return answer if answer.status == 503 else None
    return until(turned_away, "one more to be turned away", 4)


def test_the_sixty_fifth_request_is_503_and_the_sixty_four_are_answered(make_edge):
    edge = make_edge(enrol=True)
    with held_up(edge) as let_go:
        connections = send_registrations(edge, [f"box{n}" for n in range(64)])
        answer = wait_busy(edge, connections)
        assert answer.text == "busy; retry later\n"
        let_go()
        assert answers_of(connections) == [200] * 64
    assert edge.get("/health").status == 200


def test_a_change_that_cannot_be_made_in_time_is_503_and_can_be_made_later(make_edge):
    edge = make_edge(enrol=True)
    with held_up(edge) as let_go:
        start = time.monotonic()
        connections = send_registrations(edge, ["box"])
        assert answers_of(connections) == [503]
        assert 4 <= time.monotonic() - start <= 6.5
        assert edge.get("/health").status == 200
        let_go()
    assert edge.register("box").status == 200


def test_eight_requests_of_one_source_behind_traefik_are_the_most(make_edge):
    edge = make_edge(enrol=True)
    source = [("X-Forwarded-For", "192.0.2.1")]
    with held_up(edge) as let_go:
        connections = send_registrations(edge, [f"box{n}" for n in range(8)], source)
        assert wait_busy(edge, connections, source).text == "busy; retry later\n"
        # The last entry is what Traefik saw; what stands before it is what the visitor says.
        for forged in ("198.51.100.7, 192.0.2.1", " 192.0.2.1 ", "::ffff:192.0.2.1"):
            assert edge.get("/health", headers=[("X-Forwarded-For", forged)]).status == 503
        for other in ("192.0.2.1, 198.51.100.7", "192.0.2.2", "2001:db8::1"):
            assert edge.get("/health", headers=[("X-Forwarded-For", other)]).status == 200
        assert edge.get("/health").status == 200
        let_go()
        assert answers_of(connections) == [200] * 8
    assert edge.get("/health", headers=source).status == 200


def test_an_ipv6_source_is_its_first_64_bits(make_edge):
    edge = make_edge(enrol=True)
    with held_up(edge) as let_go:
        connections = []
        for number in range(8):
            connections += send_registrations(
                edge, [f"box{number}"], [("X-Forwarded-For", f"2001:db8:1:2::{number}")])
        neighbour = [("X-Forwarded-For", "2001:db8:1:2:ffff::1")]
        assert wait_busy(edge, connections, neighbour).status == 503
        other = [("X-Forwarded-For", "2001:db8:1:3::1")]
        assert edge.get("/health", headers=other).status == 200
        let_go()
        assert answers_of(connections) == [200] * 8


def test_slow_bodies_count_against_their_source_behind_traefik(shared_edge):
    def wait_served(source):
        headers = [("X-Forwarded-For", source)]
        until(lambda: shared_edge.get("/health", headers=headers).status == 200, source, 4)

    source = [("X-Forwarded-For", "192.0.2.7")]
    head = request_bytes("POST", "/register", b"", [("Content-Length", "1000"), *source])
    with contextlib.ExitStack() as stack:
        slow = [stack.enter_context(RawConnection(shared_edge.port)) for _ in range(8)]
        for connection in slow:
            connection.again = functools.partial(connection.send, head + b"{")
            connection.again()
        wait_busy(shared_edge, slow, source)
        wait_served("192.0.2.8")
        ninth = stack.enter_context(RawConnection(shared_edge.port))
        ninth.send(head + b"{")
        assert ninth.answer().status == 503
        slow[0].close()
        wait_served("192.0.2.7")


def test_requests_in_flight_are_answered_before_a_clean_end(make_edge):
    edge = make_edge(enrol=True)
    with held_up(edge) as let_go:
        source = [("X-Forwarded-For", "192.0.2.1")]
        connections = send_registrations(edge, [f"box{n}" for n in range(8)], source)
        wait_busy(edge, connections, source)
        edge.daemon.signal(signal.SIGTERM)
        let_go()
        assert answers_of(connections) == [200] * 8
    assert edge.daemon.wait() == 0
    assert "STOPPING=1" in edge.daemon.all_notes()
    assert len(edge.rows()) == 8


# --- how long ---


def trickle(connections, until_time):
    """Sends a byte on each from time to time, until all were cut off; returns when each was."""
    ended = {}
    while len(ended) < len(connections) and time.monotonic() < until_time:
        for name, (connection, byte) in connections.items():
            if name in ended:
                continue
            if not connection.is_open() or not connection.try_send(byte):
                ended[name] = time.monotonic()
        time.sleep(0.05)
    return ended


def test_who_sends_too_slowly_or_nothing_is_cut_off_after_five_seconds(shared_edge):
    start = time.monotonic()
    head = b"POST /register HTTP/1.1\r\nContent-Length: 60000\r\n"
    with contextlib.ExitStack() as stack:
        def opened(data):
            connection = stack.enter_context(RawConnection(shared_edge.port))
            connection.send(data)
            return connection

        ended = trickle({
            "request line": (opened(b"GET /hea"), b"l"),
            "header": (opened(head + b"X: "), b"x"),
            "body": (opened(head + b"\r\n{"), b" "),
            "chunk": (opened(b"POST /register HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                             b"ffff\r\n"), b" "),
            "half a head, then nothing": (opened(head), b""),
            "nothing at all": (opened(b""), b""),
        }, start + 9)
    took = {name: at - start for name, at in ended.items()}
    assert len(took) == 6, took
    assert all(4.5 <= seconds <= 7 for seconds in took.values()), took


def test_a_caller_that_was_cut_off_is_told_so_and_changes_nothing(make_edge):
    edge = make_edge(tenants=["box"])
    with RawConnection(edge.port) as connection:
        body = register_body()
        connection.send(request_bytes("POST", "/register", b"",
                                      [("Content-Length", str(len(body) + 1))]) + body)
        with contextlib.suppress(HungUp):
            assert connection.answer().status == 408
    assert edge.rows() == {}
