"""Who is pruned and when; who is not, whatever clocks, stops and restarts do."""

import contextlib
import select
import signal
import time

from losos_tools import RawConnection, relay_pass, until
from losos_tools.announcing import Box

HASTY = {"heartbeat_ttl": "1s", "reconcile_interval": "100ms"}
CONNECTIONS = 512


def after(start, seconds):
    """Lets a TTL go by."""
    until(lambda: time.monotonic() >= start + seconds, f"{seconds} s", seconds + 5)


def test_a_silent_box_is_pruned_after_its_ttl_and_one_that_beats_is_not(make_edge):
    edge = make_edge(tenants=["silent", "beats"], **HASTY)
    edge.register("beats")
    start = time.monotonic()
    edge.register("silent")

    def silent_is_gone():
        assert edge.heartbeat("beats").status == 204
        return "silent" not in edge.rows()

    until(silent_is_gone, "the silent box pruned", 5)
    assert 0.95 <= time.monotonic() - start <= 2.5
    until(lambda: edge.heartbeat("silent").status == 404, "the silent box to be told")
    assert set(edge.rows()) == {"beats"}
    until(lambda: set(edge.routers()) == {"losos_beats"}, "one router")
    until(lambda: set(edge.services()) == {"beats"}, "one service")
    edge.daemon.wait_line("silent is pruned")
    until(lambda: edge.metric("pruned_total") >= 1, "it counted in the metrics")


def test_a_box_is_pruned_although_no_reconcile_was_due_for_long(make_edge):
    edge = make_edge(tenants=["box"], heartbeat_ttl="700ms", reconcile_interval="1h")
    edge.register("box")
    until(lambda: not edge.rows(), "the box pruned", 4)


def test_registering_again_is_a_sign_of_life_as_well(make_edge):
    edge = make_edge(tenants=["box"], **HASTY)
    start = time.monotonic()
    port = edge.register("box").json()
    while time.monotonic() < start + 1.6:
        assert edge.register("box").json() == port
        assert "box" in edge.rows()


def test_a_wrong_token_is_no_sign_of_life(make_edge):
    edge = make_edge(tenants=["box"], **HASTY)
    edge.register("box")

    def gone():
        assert edge.heartbeat("box", token="x" * 40).status == 401
        return not edge.rows()

    until(gone, "the box pruned", 4)


def test_relayed_boxes_age_with_their_gateways_relay_and_all_together(make_edge):
    hub = make_edge(tenants={"acme": {"relay_zone": "acme.test"}, "beta": {"relay_zone": "b.test"}},
                    **HASTY)
    hub.register("acme")
    hub.relay("acme", [(x, f"{x}.acme.test") for x in "abc"])

    def acme_is_gone():
        # A heartbeat of the gateway as a tenant says nothing about its boxes.
        assert hub.heartbeat("acme").status == 204
        assert hub.relay("beta", [("z", "z.b.test")]).status == 200
        rows = {row for row in hub.rows() if row.startswith("acme.")}
        assert rows in (set(), {"acme.a", "acme.b", "acme.c"})
        return not rows

    until(acme_is_gone, "acme's boxes pruned", 5)
    assert {"acme", "beta.z"} <= set(hub.rows())


def test_a_gateway_that_relays_keeps_its_boxes(make_edge):
    hub = make_edge(tenants={"acme": {"relay_zone": "acme.test"}}, **HASTY)
    start = time.monotonic()
    while time.monotonic() < start + 1.6:
        hub.relay("acme", [("a", "a.acme.test")])
        assert "acme.a" in hub.rows()


def test_a_process_that_was_stopped_for_three_ttls_prunes_nobody(make_edge):
    edge = make_edge(tenants={"acme": {"relay_zone": "acme.test"}, "box": {}},
                     heartbeat_ttl="800ms", reconcile_interval="100ms")
    edge.register("box")
    edge.relay("acme", [("a", "a.acme.test")])
    edge.daemon.signal(signal.SIGSTOP)
    after(time.monotonic(), 2.5)
    edge.daemon.signal(signal.SIGCONT)
    edge.daemon.wait_line("nobody is pruned for it")
    assert edge.heartbeat("box").status == 204
    assert set(edge.rows()) == {"box", "acme.a"}
    # Once: who stays silent from here on is pruned as ever.
    until(lambda: not edge.rows(), "both pruned", 5)


def test_a_box_that_was_stopped_for_three_ttls_is_back_on_its_port(make_edge, tmp_path):
    edge = make_edge(tenants=["box", "other"], heartbeat_ttl="600ms", reconcile_interval="100ms",
                     port_range="21000-21001")
    box = Box(tmp_path / "box")
    try:
        announce = box.start(url=edge.url)
        until(lambda: "box" in edge.services(), "the box's tunnel")
        before = edge.rows()["box"]
        announce.signal(signal.SIGSTOP)
        after(time.monotonic(), 1.8)
        until(lambda: not edge.rows(), "the silent box pruned")
        # Nobody else gets its port meanwhile.
        assert edge.register("other").json()["rathole_port"] != before["port"]
        announce.signal(signal.SIGCONT)
        until(lambda: edge.rows().get("box") == before, lambda: f"{before} back: {edge.rows()}")
        until(lambda: "box" in edge.services() and "losos_box" in edge.routers(), "its way back")
        assert announce.running()
    finally:
        box.close()


def test_a_restart_gives_everybody_a_fresh_ttl_and_live_json_still_lists_them(make_edge):
    edge = make_edge(tenants=["box"], **HASTY)
    edge.register("box", relay_pass=relay_pass(480000))
    until(lambda: any("pass" in box for box in edge.live()), "the pass")
    edge.daemon.kill()
    assert edge.live_ids() == ["box"]
    after(time.monotonic(), 1.2)
    edge.start()
    started = time.monotonic()
    assert edge.live() == [{"id": "box", "hostname": "box.losos.test",
                            "port": edge.rows()["box"]["port"], "pass": relay_pass(480000)}]
    until(lambda: not edge.rows(), "the box pruned", 5)
    assert time.monotonic() - started >= 0.9


def test_a_clean_stop_leaves_live_json_and_every_route_as_they_are(make_edge):
    edge = make_edge(tenants=["box"])
    edge.register("box")
    until(edge.routers, "the router")
    assert edge.stop() == 0
    assert edge.live_ids() == ["box"]
    assert set(edge.routers()) == {"losos_box"}
    assert set(edge.services()) == {"box"}


def flood(edge, held):
    """Fills the house with silent connections, and has one more turned away."""
    while len(held) < CONNECTIONS:
        held.append(RawConnection(edge.port))
    with RawConnection(edge.port) as one_more:
        assert one_more.answer().status == 503


def test_while_the_api_sheds_load_nobody_is_pruned_but_after_three_ttls(make_edge):
    edge = make_edge(tenants=["box"], **HASTY)
    with contextlib.ExitStack() as stack:
        held = []
        stack.callback(lambda: [connection.close() for connection in held])
        edge.register("box")
        start = time.monotonic()

        def gone():
            with contextlib.suppress(ConnectionError):
                flood(edge, held)
            return not edge.rows()

        until(gone, "the box pruned after all", 8)
        assert 2.8 <= time.monotonic() - start <= 4.5


def test_a_full_house_is_waited_for_a_moment(make_edge):
    edge = make_edge()

    def came_in():
        held = [RawConnection(edge.port) for _ in range(CONNECTIONS)]
        newcomer = RawConnection(edge.port)
        newcomer.request("GET", "/health")
        # It is not turned away at once.
        said_at_once = select.select([newcomer.socket], [], [], 0.05)[0]
        held[0].close()
        answer = newcomer.answer()
        for connection in [*held, newcomer]:
            connection.close()
        assert not said_at_once, answer
        return answer.status == 200

    # On a busy machine the moment may be over before the place is free.
    until(came_in, "a newcomer that was let in", 20)
