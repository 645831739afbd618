"""An edge that makes itself known on its LAN."""

import os
import signal
import socket

import pytest
from losos_tools import mode_of, run, token, until
from losos_tools.files import identity

ADVERT = """\
<?xml version="1.0" standalone="no"?>
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<service-group>
  <name replace-wildcards="yes">LosOS edge on %h</name>
  <service>
    <type>_losos-edge._tcp</type>
    <port>{port}</port>
    <txt-record>url=http://{host}:{port}</txt-record>
    <txt-record>rathole={host}:{rathole}</txt-record>
    <txt-record>enrol={enrol}</txt-record>
    <txt-record>txtvers=1</txt-record>
  </service>
</service-group>
"""


def test_the_advert_says_where_api_and_tunnels_are_and_that_boxes_may_enrol(make_edge):
    edge = make_edge(enrol=True, advertise_host="Gateway.local", rathole_bind_port=4333)
    assert edge.advert.read_text() == ADVERT.format(port=edge.port, host="gateway.local",
                                                    rathole=4333, enrol="open")
    assert mode_of(edge.advert) == 0o644


def test_without_an_enrolment_directory_the_advert_says_closed(make_edge):
    edge = make_edge(lan=True, advertise_host="gateway.local")
    assert edge.advert.read_text() == ADVERT.format(port=edge.port, host="gateway.local",
                                                    rathole=2333, enrol="closed")
    assert edge.register("stranger").status == 401


def test_the_advertised_name_is_this_hosts_unless_another_is_given(make_edge):
    label = socket.gethostname().split(".")[0].lower()
    edge = make_edge(lan=True)
    assert f"url=http://{label}.local:{edge.port}<" in edge.advert.read_text()


def test_no_box_may_take_the_advertised_name(make_edge):
    edge = make_edge(enrol=True, advertise_host="gateway.local")
    assert edge.register("box", "Gateway.local").status == 409


def test_status_tells_what_is_advertised(make_edge):
    edge = make_edge(enrol=True, advertise_host="gateway.local")
    assert edge.status()["lan"] == {"url": f"http://gateway.local:{edge.port}",
                                    "rathole": "gateway.local:2333", "enrolment_open": True}


def test_an_edge_that_does_not_advertise_has_no_advert(make_edge):
    edge = make_edge(avahi_service_file=None)
    assert edge.status()["lan"] is None
    assert list(edge.avahi.iterdir()) == []


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT], ids=str)
def test_the_advert_is_taken_back_at_a_clean_stop(make_edge, ending):
    edge = make_edge(lan=True)
    assert edge.advert.exists()
    edge.daemon.signal(ending)
    edge.daemon.wait_note("STOPPING=1")
    assert edge.daemon.wait() == 0
    assert list(edge.avahi.iterdir()) == []


def test_a_crash_leaves_the_advert_and_the_next_start_keeps_it_as_it_is(make_edge):
    edge = make_edge(lan=True)
    before = identity(edge.advert)
    edge.daemon.kill()
    assert edge.advert.exists()
    edge.start()
    assert identity(edge.advert) == before


def test_an_advert_that_was_removed_comes_back_with_the_next_reconcile(make_edge):
    edge = make_edge(lan=True, reconcile_interval="50ms")
    edge.advert.unlink()
    until(edge.advert.exists, "the advert")


def test_an_avahi_directory_that_is_not_there_is_a_fault_and_no_reason_to_end(make_edge):
    edge = make_edge(lan=True, start=False, tenants=["box"])
    edge.avahi.rmdir()
    edge.start()
    edge.wait_fault(str(edge.advert))
    assert edge.register("box").status == 200
    assert edge.stop() == 0


@pytest.mark.parametrize("listen", ["127.0.0.1:8443", "127.1.2.3:8443", "[::1]:8443"])
def test_advertising_what_nobody_can_reach_is_wrong_usage(make_edge, listen):
    edge = make_edge(start=False, lan=True)
    for command in ("serve", "check"):
        done = run("losos-registrar", command, *edge.arguments(listen=listen))
        assert done.code == 2
        assert "--lan-advertise" in done.err and listen in done.err
        assert len(done.err.splitlines()) == 1


def test_advertising_with_the_default_of_listen_is_wrong_usage(make_edge):
    edge = make_edge(start=False, lan=True)
    assert edge.start_and_fail(listen=None).code == 2


def test_an_enrolment_directory_without_advertising_is_wrong_usage(make_edge):
    edge = make_edge(start=False)
    done = edge.start_and_fail(enrol_dir=edge.enrol_dir)
    assert done.code == 2
    assert "--enrol-dir" in done.err and "--lan-advertise" in done.err
    assert not edge.enrol_dir.exists()


@pytest.mark.parametrize("odd", ["no name", "a..local", "10.0.0.1:80", "", "gateway_1.local"])
def test_an_advertised_name_that_is_none_is_wrong_usage(make_edge, odd):
    edge = make_edge(start=False, lan=True)
    done = edge.start_and_fail(advertise_host=odd)
    assert done.code == 2
    assert "--advertise-host" in done.err


@pytest.mark.parametrize("path", ["/domains/list", "/domains/add", "/domains/remove",
                                  "/cluster/join"])
def test_what_a_gateway_does_not_offer_is_503_after_401(make_edge, path):
    edge = make_edge(enrol=True, tenants=["box"])
    body = {"appliance_id": "box", "token": token("box"), "domain": "a.test", "node_name": "box"}
    answer = edge.post(path, body)
    assert answer.status == 503
    assert "does not offer" in answer.text
    assert edge.post(path, {**body, "token": token("thief")}).status == 401
    assert edge.post(path, {**body, "appliance_id": "nobody"}).status == 401
    assert edge.post(path, {"token": token("box")}).status == 400
    assert edge.get(path).status == 405


def test_a_gateway_has_no_identity(make_edge):
    edge = make_edge(lan=True)
    assert edge.get("/identity?nonce=" + "ab" * 32).status == 404
    assert edge.get("/identity/public-key").status == 404


def test_an_edge_answers_on_every_address_it_is_told_to(make_edge):
    edge = make_edge(lan=True)
    assert edge.get("/health", host="127.0.0.2").status == 200


@pytest.mark.skipif(not os.path.exists("/proc/net/if_inet6"), reason="not run: there is no IPv6")
def test_an_edge_can_listen_on_ipv6(make_edge):
    edge = make_edge(start=False)
    edge.flags["listen"] = f"[::1]:{edge.port}"
    edge.start()
    assert edge.get("/health", host="::1").status == 200
