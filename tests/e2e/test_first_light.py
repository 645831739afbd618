"""One request, all the way: visitor, hub, gateway, box."""

import pytest
from losos_lab import HUB_ADDRESS, VISITOR_ADDRESS, until


def test_a_visitors_https_request_reaches_the_box_through_both_tunnels(lab, mattbox):
    answer = lab.visitor.request(mattbox.hostname, "/first?light=1")
    assert answer.status == 200
    assert answer.names() == [mattbox.hostname]
    assert answer.issuer().startswith("Pebble")
    seen = answer.json()
    assert seen["page"] == "the box"
    assert seen["host"] == mattbox.hostname
    assert seen["uri"] == "/first?light=1"
    assert seen["x_forwarded_for"] == VISITOR_ADDRESS
    assert seen["x_real_ip"] == VISITOR_ADDRESS
    assert seen["x_forwarded_proto"] == "https"


def test_forwarding_headers_that_a_visitor_made_up_are_replaced(lab, mattbox):
    made_up = {"X-Forwarded-For": "192.0.2.66, 127.0.0.1", "X-Real-Ip": "192.0.2.66",
               "X-Forwarded-Proto": "http", "X-Forwarded-Host": "other.test"}
    seen = lab.visitor.request(mattbox.hostname, headers=made_up).json()
    assert seen["x_forwarded_for"] == VISITOR_ADDRESS
    assert seen["x_real_ip"] == VISITOR_ADDRESS
    assert seen["x_forwarded_proto"] == "https"


def test_a_visitor_on_port_80_is_sent_to_https(lab, mattbox):
    answer = lab.visitor.plain(mattbox.hostname, "/page?x=1")
    assert answer.status in (301, 308)
    assert answer.headers["Location"] == f"https://{mattbox.hostname}/page?x=1"


def test_the_registrar_answers_on_its_public_name_and_only_on_its_own_paths(lab):
    host = lab.names.public_host
    assert lab.visitor.request(host, "/health").status == 200
    assert lab.visitor.request(host, "/noise-public-key").body.decode().strip() == \
        lab.hub.noise_pub.read_text().strip()
    assert lab.visitor.request(host, "/metrics").status == 404
    assert lab.visitor.request(host, "/").status == 404


@pytest.mark.parametrize("size", [64 * 1024 + 1, 200 * 1024])
def test_a_body_over_the_cap_is_413_through_the_public_route(lab, size):
    answer = lab.visitor.request(lab.names.public_host, "/register", "POST", b" " * size)
    assert answer.status == 413


def test_half_sent_requests_of_one_visitor_leave_the_registrar_free_for_others(lab):
    host = lab.names.public_host
    head = (f"POST /register HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
            "Content-Length: 1000\r\n\r\n{").encode()
    slow = [lab.visitor.dial(host) for _ in range(20)]
    try:
        for connection in slow:
            connection.sendall(head)
        assert lab.hub.api("GET", "/health")[0] == 200
        until(lambda: lab.visitor.request(host, "/health").status == 429,
              "Traefik to turn the visitor away")
        # The gateway comes from another address, so the visitor's places are not its own.
        lab.gateway.uplink_pass()
    finally:
        for connection in slow:
            connection.close()


def test_the_same_static_file_serves_a_gateways_traefik_that_asks_no_acme_server(lab, mattbox):
    traefik = lab.gateway.traefik
    traefik.start()
    try:
        assert lab.request_on_lan(mattbox.hostname)["host"] == mattbox.hostname
        # An account is the first thing Traefik makes before it orders anything.
        assert "Account" not in traefik.acme_storage()
    finally:
        traefik.stop()
    assert "Account" in lab.hub.traefik.acme_storage()


def test_the_hub_knows_the_box_by_its_spoke_and_keeps_it_off_the_internet(lab, mattbox):
    services = lab.hub.server_toml.read_text()
    assert '[server.services."acme.mattbox"]' in services
    assert 'bind_addr = "127.0.0.1:' in services
    ports = [int(line.rsplit(":", 1)[1].strip('"')) for line in services.splitlines()
             if line.startswith('bind_addr = "127.0.0.1:')]
    for port in ports:
        assert lab.hub.space.listens(port)
        assert not lab.visitor_space.listens(port, HUB_ADDRESS)
