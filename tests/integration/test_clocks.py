"""A wall clock that is stepped or stands still: what counts is how long, never what time it is."""

import time

import pytest
from losos_tools import Daemon, Gateway, box, read_json, reply, run, until
from losos_tools.announcing import Box
from losos_tools.clocks import WallClock

DAY = 86400


@pytest.fixture
def clock(tmp_path):
    return WallClock(tmp_path)


HASTY = {"heartbeat_ttl": "1s", "reconcile_interval": "50ms"}


def reconciled_at(edge):
    return edge.metric("reconciled_time_seconds")


@pytest.mark.parametrize("seconds", [DAY, -DAY, 3 * 365 * DAY])
def test_a_stepped_clock_prunes_nobody_and_keeps_nobody(make_edge, clock, seconds):
    edge = make_edge(start=False, tenants=["beats", "silent"], **HASTY)
    edge.start(env=clock.env)
    edge.register("beats")
    before = time.monotonic()
    edge.register("silent")
    clock.step(seconds)

    def stepped():
        assert edge.heartbeat("beats").status == 204
        return abs(reconciled_at(edge) - time.time() - seconds) < 60

    until(stepped, "the step to be seen")
    assert set(edge.rows()) == {"beats", "silent"} or time.monotonic() - before > 0.9

    def pruned():
        assert edge.heartbeat("beats").status == 204
        return set(edge.rows()) == {"beats"}

    until(pruned, "the silent box pruned", 5)
    assert time.monotonic() - before >= 0.9


def test_a_clock_that_stands_still_stops_no_ttl_and_no_rest(make_edge, clock):
    edge = make_edge(start=False, tenants="ab", port_range="21000-21000", port_rest="1s", **HASTY)
    clock.stop(1_700_000_000)
    edge.start(env=clock.env)
    edge.register("a")
    until(lambda: not edge.rows(), "the silent box pruned", 5)
    until(lambda: edge.register("b").status == 200, "its port free", 5)
    assert reconciled_at(edge) == 1_700_000_000


@pytest.mark.parametrize("seconds", [DAY, -DAY])
def test_a_stepped_clock_neither_shortens_nor_lengthens_a_rest(make_edge, clock, seconds):
    edge = make_edge(start=False, tenants="ab", port_range="21000-21000", port_rest="1500ms",
                     reconcile_interval="50ms")
    edge.start(env=clock.env)
    edge.register("a")
    until(edge.routers, "the router")
    edge.deregister("a")
    until(lambda: not edge.routers(), "the router gone")
    gone = time.monotonic()
    clock.step(seconds)
    until(lambda: edge.register("b").status == 200, "its port free", 5)
    assert time.monotonic() - gone >= 1.3


def test_after_a_step_back_and_a_restart_a_rest_is_no_longer_than_it_was(make_edge, clock):
    edge = make_edge(start=False, tenants="ab", port_range="21000-21000", port_rest="1s",
                     reconcile_interval="50ms")
    edge.start(env=clock.env)
    edge.register("a")
    edge.deregister("a")
    edge.daemon.kill()
    clock.step(-DAY)
    edge.start(env=clock.env)
    assert edge.register("b").status == 503
    until(lambda: edge.register("b").status == 200, "its port free", 5)


@pytest.mark.parametrize("seconds", [DAY, -DAY])
def test_a_pass_after_a_step_takes_the_registrar_for_alive(make_edge, clock, tmp_path, seconds):
    hub = make_edge("hub", tenants={"acme": {"relay_zone": "acme.test"}})
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    gateway.write_live([box("a")])
    gateway.write_status()
    clock.step(seconds)
    done = run("losos-uplink", *gateway.pass_flags(), env=clock.env)
    assert done.code == 0 and gateway.services() == {"acme.a": 20000}, done
    assert abs(read_json(gateway.pass_file)["at"] - time.time() - seconds) < 60


@pytest.mark.parametrize("turn", [lambda clock: clock.step(DAY), lambda clock: clock.step(-DAY),
                                  lambda clock: clock.stop(1_700_000_000)],
                         ids=["forward", "back", "stopped"])
def test_a_box_beats_on_whatever_its_clock_does(tmp_path, clock, stand_in, turn):
    edge = stand_in({"/register": reply(200, {"rathole_port": 20000}), "/heartbeat": reply(204)})
    box_files = Box(tmp_path / "box")
    announce = Daemon(tmp_path, "losos-announce", box_files.arguments("--registrar-url", edge.url),
                      env=clock.env)
    try:
        edge.wait_asked("/heartbeat", 2)
        turn(clock)
        before = len(edge.asked("/heartbeat"))
        start = time.monotonic()
        edge.wait_asked("/heartbeat", before + 8)
        # Neither all at once nor never: eight of 150 ms each.
        assert time.monotonic() - start > 0.8
        assert len(edge.asked("/register")) == 1
    finally:
        announce.kill()
