"""The API of lososd-pathd: what it says, and to whom."""

import re

import pytest
from losos_tools import RawConnection, reply, until
from losos_tools.files import identity

OK = {"/health": reply(200, "ok")}


def test_the_api_says_what_edge_json_says(box, stand_in):
    edge = stand_in(OK)
    open_box = box(edge.url)
    open_box.wait_url(edge.url)
    until(lambda: open_box.document()["reachable"], "edge.json to say so")
    answer = open_box.get("/api/edge")
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    timeless = [re.sub(r'"(at|checkedAt)": \d+', "", text)
                for text in (answer.text, open_box.edge_json.read_text())]
    assert timeless[0] == timeless[1]
    gates = open_box.get("/api/gates").json()
    assert gates["sharing"]["allowed"] is True and gates["market"]["available"] is False
    assert gates["sharing"]["reason"] and gates["market"]["reason"]


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8082", "127.0.0.1:1", "[::1]:65535"])
def test_the_api_answers_to_this_machines_names(box, host):
    assert box().get("/api/edge", headers=[("Host", host)]).status == 200


def test_the_api_answers_to_no_other_name(box):
    shy = box()
    for host in ("evil.test", "evil.test:8082", "localhost.evil.test", "127.0.0.1.nip.io", "",
                 "192.168.1.2", "[::2]", "localhost:port", "localhost@evil.test", "[::1].evil.test"):
        for path in ("/api/edge", "/api/gates"):
            answer = shy.get(path, headers=[("Host", host)])
            assert answer.status in (400, 403), (host, answer)
            assert "candidates" not in answer.text and "allowed" not in answer.text
    with RawConnection(shy.port) as raw:
        raw.socket.sendall(b"GET /api/edge HTTP/1.1\r\nHost: localhost\r\nHost: evil.test\r\n\r\n")
        assert raw.answer().status == 400
    with RawConnection(shy.port) as raw:
        raw.socket.sendall(b"GET /api/edge HTTP/1.0\r\n\r\n")
        assert raw.answer().status in (400, 403)


def test_the_api_takes_get_only(box):
    shy = box()
    local = [("Host", "localhost")]
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        with RawConnection(shy.port) as raw:
            raw.request(method, "/api/edge", b"", local)
            assert raw.answer().status in (400, 405), method
    for path in ("/", "/api", "/api/edge/", "/health", "/api/token"):
        assert shy.get(path).status == 404


def test_a_second_one_at_the_same_port_ends_and_leaves_the_first_ones_files_alone(box, stand_in):
    edge = stand_in(OK)
    first = box(edge.url)
    first.wait_url(edge.url)
    before = identity(first.env_file)
    done = first.start_and_fail(registrar_url=None, edge_rathole_endpoint=None)
    assert done.code == 1 and str(first.port) in done.err and done.err.count("\n") == 1
    assert identity(first.env_file) == before and not first.none_file.exists()
