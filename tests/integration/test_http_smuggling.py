"""Requests made to be read in one way by a proxy and in another by the edge: none hides a second
request, and none takes the edge along. What is plainly malformed stands in test_http_bounds.py."""

import json

import pytest
from losos_tools import RawConnection, token
from losos_tools.http import HungUp, request_bytes

SHARED_EDGE = {"tenants": ["box", "acme"]}

CALLER = json.dumps({"appliance_id": "box", "token": token("box")}).encode()
LEAVE = request_bytes("POST", "/deregister", CALLER)
POST = b"POST /heartbeat HTTP/1.1\r\nHost: a\r\n"
SIZED = b"Content-Length: %d\r\n" % len(CALLER)
CHUNKED = b"%x\r\n%b\r\n0\r\n\r\n" % (len(CALLER), CALLER)


@pytest.fixture(autouse=True)
def registered(shared_edge):
    """Whatever a test sends, the box it did not take off is still there afterwards."""
    assert shared_edge.register("box").status == 200
    yield
    assert shared_edge.heartbeat("box").status == 204
    assert shared_edge.get("/health").text == "ok"


def answers(edge, data, most=50):
    """The statuses of everything that is answered before the connection ends or falls silent."""
    statuses = []
    with RawConnection(edge.port) as connection:
        connection.try_send(data)
        try:
            while len(statuses) < most:
                statuses.append(connection.answer(timeout=8).status)
        except (HungUp, TimeoutError):
            return statuses
    return statuses


LENGTHS = {
    "a tab before the colon": POST + b"Content-Length\t: %d\r\n\r\n" % len(CALLER) + CALLER,
    "blanks around": POST + b"Content-Length: %d \r\n\r\n" % len(CALLER) + CALLER,
    "in percents": POST + b"Content-Length: %%31\r\n\r\n" + CALLER,
    "a percent in it": POST + b"Content-Length: 1%%30\r\n\r\n" + CALLER,
    "encoded in percents": POST + b"Transfer-Encoding: %%63hunked\r\n\r\n" + CHUNKED,
    "with a fraction": POST + b"Content-Length: 5.0\r\n\r\n" + CALLER,
    "with an exponent": POST + b"Content-Length: 1e2\r\n\r\n" + CALLER,
    "with an underline": POST + b"Content-Length: 1_0\r\n\r\n" + CALLER,
    "two numbers": POST + b"Content-Length: 1 0\r\n\r\n" + CALLER,
    "in Arabic digits": POST + b"Content-Length: \xd9\xa1\xd9\xa0\r\n\r\n" + CALLER,
    "past 64 bits": POST + b"Content-Length: 18446744073709551617\r\n\r\n" + CALLER,
    "three of them": POST + SIZED * 3 + b"\r\n" + CALLER,
    "two in another case": POST + SIZED + SIZED.upper() + b"\r\n" + CALLER,
    "length, then chunked": POST + SIZED + b"Transfer-Encoding: chunked\r\n\r\n" + CHUNKED,
    "chunked, then length": POST + b"Transfer-Encoding: chunked\r\n" + SIZED + b"\r\n" + CHUNKED,
    "chunked and a length of 0": POST + b"Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n"
                                 + CHUNKED,
    "chunked in quotes": POST + b'Transfer-Encoding: "chunked"\r\n\r\n' + CHUNKED,
    "chunked with a parameter": POST + b"Transfer-Encoding: chunked;q=1\r\n\r\n" + CHUNKED,
    "chunked, chunked": POST + b"Transfer-Encoding: chunked, chunked\r\n\r\n" + CHUNKED,
    "chunked, identity": POST + b"Transfer-Encoding: chunked, identity\r\n\r\n" + CHUNKED,
    "a comma, chunked": POST + b"Transfer-Encoding: ,chunked\r\n\r\n" + CHUNKED,
    "chunked, a vertical tab": POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n" + CHUNKED,
    "chunked, a NUL": POST + b"Transfer-Encoding: chunked\x00\r\n\r\n" + CHUNKED,
    "an empty coding": POST + b"Transfer-Encoding:\r\n\r\n" + CHUNKED,
    "coding, blank, colon": POST + b"Transfer-Encoding : chunked\r\n\r\n" + CHUNKED,
    "coding in a folded line": POST + b"Transfer-Encoding:\r\n chunked\r\n\r\n" + CHUNKED,
    "coding folded by a tab": POST + b"X: a\r\n\tTransfer-Encoding: chunked\r\n\r\n" + CHUNKED,
    "a first line that is folded": b"POST /heartbeat HTTP/1.1\r\n Host: a\r\n" + SIZED + b"\r\n",
    "coding after a return": POST + b"X: a\rTransfer-Encoding: chunked\r\n\r\n" + CHUNKED,
    "coding after a line feed": POST + b"X: a\nTransfer-Encoding: chunked\r\n\r\n" + CHUNKED,
    "a head that ends in line feeds": POST.replace(b"\r\n", b"\n") + b"\n" + CALLER,
    "chunked in HTTP/1.0": b"POST /heartbeat HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"
                           + CHUNKED,
    "a NUL in a name": POST + b"X\x00Y: a\r\n\r\n",
    "a NUL in the target": b"GET /health\x00 HTTP/1.1\r\nHost: a\r\n\r\n",
    "a name with a byte past ASCII": POST + b"X-\xe4: a\r\n\r\n",
    "an empty name": POST + b": a\r\n\r\n",
    "a colon in front": POST + b":Content-Length: 5\r\n\r\n",
    "a body for a GET": b"GET /health HTTP/1.1\r\n" + SIZED + b"\r\n" + CALLER,
    "an empty coding for a GET": b"GET /health HTTP/1.1\r\nTransfer-Encoding:\r\n\r\n",
    "a coding without a colon": b"GET /health HTTP/1.1\r\nTransfer-Encoding\r\n\r\n",
    "an empty length for a GET": b"GET /health HTTP/1.1\r\nContent-Length: \t\r\n\r\n",
    "a chunked body for a GET": b"GET /health HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                                + CHUNKED,
}


@pytest.mark.parametrize("kind", LENGTHS)
def test_a_length_that_can_be_read_in_two_ways_hides_no_second_request(shared_edge, kind):
    data = LENGTHS[kind].replace(b"%%", b"%")
    statuses = answers(shared_edge, data + LEAVE, most=2)
    if kind == "blanks around":
        # Sound: blanks at the end of a value are not of it. Only then is the next one a request.
        assert statuses == [204, 204]
        assert shared_edge.register("box").status == 200
        return
    assert len(statuses) == 1, statuses
    assert statuses[0] in (400, 408, 413)


CHUNKS = {
    "a size with blanks in front": b" %x\r\n%b\r\n0\r\n\r\n" % (len(CALLER), CALLER),
    "a size in another base": b"0x%x\r\n%b\r\n0\r\n\r\n" % (len(CALLER), CALLER),
    "a size past 64 bits": b"1%016x\r\n%b\r\n0\r\n\r\n" % (len(CALLER), CALLER),
    "no size": b"\r\n%b\r\n0\r\n\r\n" % CALLER,
    "a line feed after the size": b"%x\n%b\r\n0\r\n\r\n" % (len(CALLER), CALLER),
    "a line feed after the data": b"%x\r\n%b\n0\r\n\r\n" % (len(CALLER), CALLER),
    "an extension": b"%x;a=b\r\n%b\r\n0\r\n\r\n" % (len(CALLER), CALLER),
    "an extension with a line feed": b"%x;a\nb\r\n%b\r\n0\r\n\r\n" % (len(CALLER), CALLER),
    "a trailer": b"%x\r\n%b\r\n0\r\nContent-Length: 5\r\n\r\n" % (len(CALLER), CALLER),
    "an end that is a request": b"%x\r\n%b\r\n0\r\n" % (len(CALLER), CALLER),
    "a size too small": b"%x\r\n%b\r\n0\r\n\r\n" % (len(CALLER) - 1, CALLER),
    "a size too large": b"%x\r\n%b\r\n0\r\n\r\n" % (len(CALLER) + 1, CALLER),
    "zeros in front": b"%032x\r\n%b\r\n000\r\n\r\n" % (len(CALLER), CALLER),
}


@pytest.mark.parametrize("kind", CHUNKS)
def test_after_a_body_in_chunks_nothing_is_read_as_a_request(shared_edge, kind):
    statuses = answers(shared_edge, POST + b"Transfer-Encoding: chunked\r\n\r\n" + CHUNKS[kind]
                       + LEAVE)
    assert len(statuses) == 1, statuses
    assert statuses[0] in (204, 400, 408, 413)


@pytest.mark.parametrize("target", [
    "http://edge.test/health", "https://edge.test/deregister", "http:/health", "//edge.test/health",
    "edge.test:80", "*", "health", "?x", "#x", "/a b", "", "/\\..\\health", "///health",
    "/health%00", "/health%2f", "/%2fhealth", "/%2e%2e/health", "/x/../health", "/./health",
    "/health/.", "/health;x", "/health%3fx", "/health%23x", "/HEALTH", "/h%C3%A4lth", "/%", "/%zz",
    "/health%", "/" + "a" * 4000])
def test_a_target_that_is_no_path_of_the_edge_reaches_no_route(shared_edge, target):
    statuses = answers(shared_edge, request_bytes("GET", target, headers=[("Connection", "close")]))
    assert len(statuses) == 1
    assert statuses[0] in (400, 404), statuses


@pytest.mark.parametrize("target", ["/health", "/health?", "/health?x", "/health?x=/deregister",
                                    "/health?a=%00&a=b&=&&", "/%68ealth", "/healt%68?x"])
def test_a_query_and_the_escapes_of_letters_change_no_path(shared_edge, target):
    assert answers(shared_edge, request_bytes("GET", target,
                                              headers=[("Connection", "close")])) == [200]


def test_a_fragment_is_no_part_of_a_path(shared_edge):
    for target in ("/health#x", "/health#", "/health?x#y"):
        statuses = answers(shared_edge, request_bytes("GET", target,
                                                      headers=[("Connection", "close")]))
        assert statuses in ([200], [400], [404]), target


@pytest.mark.parametrize("method", ["get", "Get", "PRI", "TRACE", "CONNECT", "PROPFIND", "G ET",
                                    "GET\t", "G\x00T", "", "X" * 300, "\u00e4"])
def test_a_method_the_edge_does_not_know_is_refused(shared_edge, method):
    data = f"{method} /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode("latin-1")
    statuses = answers(shared_edge, data)
    assert len(statuses) == 1
    assert statuses[0] in (400, 405, 501), statuses


def test_head_is_get_without_a_body(shared_edge):
    with RawConnection(shared_edge.port) as connection:
        for _ in range(3):
            connection.request("HEAD", "/health")
            answer = connection.answer(head_only=True)
            assert (answer.status, answer.headers["content-length"]) == (200, "2")
        connection.request("GET", "/health")
        assert connection.answer().text == "ok"


def test_a_thousand_requests_that_come_at_once_are_answered_in_order(shared_edge):
    heartbeat = request_bytes("POST", "/heartbeat", CALLER)
    odd = request_bytes("POST", "/heartbeat", b"{")
    unknown = request_bytes("GET", "/nothing")
    each = heartbeat + odd + unknown + request_bytes("GET", "/health")
    assert answers(shared_edge, each * 250, most=1000) == [204, 400, 404, 200] * 250


def test_what_follows_the_wish_to_close_is_not_read(shared_edge):
    for wish in ("close", "Close", "keep-alive, close", "x,\tCLOSE ,"):
        close = request_bytes("GET", "/health", headers=[("Connection", wish)])
        assert answers(shared_edge, close + LEAVE) == [200]
    assert answers(shared_edge, request_bytes("GET", "/nothing",
                                              headers=[("Connection", "close")]) + LEAVE) == [404]


@pytest.mark.parametrize("path", ["/nothing", "/health"])
def test_a_body_that_nobody_reads_is_no_request(shared_edge, path):
    """The body is a whole request; were only the head taken, it would come next."""
    assert answers(shared_edge, request_bytes("POST", path, LEAVE)) in ([404], [405])


def test_a_wish_for_another_protocol_is_not_granted(shared_edge):
    statuses = answers(shared_edge, request_bytes("GET", "/health", headers=[
        ("Connection", "Upgrade, HTTP2-Settings, close"), ("Upgrade", "h2c"),
        ("HTTP2-Settings", "AAMAAABkAARAAAAAAAIAAAAA")]) + LEAVE)
    assert statuses == [200]


@pytest.mark.parametrize("headers", [
    [("X" * 20000, "a")], [("X", "a" * 30000)], [(f"X-{n}", "a") for n in range(60)],
], ids=["long-name", "long-value", "many"])
def test_a_head_within_its_bounds_is_taken_or_refused_but_never_the_end(shared_edge, headers):
    statuses = answers(shared_edge, request_bytes("GET", "/health",
                                                  headers=[*headers, ("Connection", "close")]))
    assert statuses in ([200], [400], [431])


def test_a_line_feed_or_two_before_a_request_hides_nothing(shared_edge):
    for blank in (b"\r\n", b"\r\n\r\n", b"\n", b"\r", b" ", b"\x00"):
        statuses = answers(shared_edge, blank + LEAVE + LEAVE)
        assert statuses == [400], (blank, statuses)
