"""registry.json: kept over restarts, validated and not trusted, and the rest of freed ports."""

import contextlib
import socket
import time

import pytest
from losos_tools import read_json, relay_pass, run, until, write_json, write_text


def stored(**tenants):
    return {"tenants": tenants, "compute_windows": {}, "resting": {}}


def test_the_registry_holds_exactly_the_fields_it_should(make_edge):
    edge = make_edge(tenants={"acme": {"relay_zone": "acme.test"}, "box": {}},
                     port_range="21000-21010")
    edge.register("box")
    edge.relay("acme", [("a", "a.acme.test")])
    assert edge.registry() == {
        "tenants": {"acme.a": {"hostname": "a.acme.test", "port": 21001, "via": "acme"},
                    "box": {"hostname": "box.losos.test", "port": 21000}},
        "compute_windows": {}, "resting": {}}


def test_a_restart_keeps_every_port(make_edge):
    edge = make_edge(tenants={"acme": {"relay_zone": "acme.test"}, "a": {}, "b": {}})
    for box in "ba":
        edge.register(box)
    edge.relay("acme", [("x", "x.acme.test")])
    before = edge.registry()
    edge.restart()
    assert edge.registry() == before
    assert edge.services() == {row: fields["port"] for row, fields in before["tenants"].items()}
    for box in "ab":
        assert edge.register(box).json()["rathole_port"] == before["tenants"][box]["port"]


def test_the_first_pass_is_done_before_the_api_opens(make_edge):
    edge = make_edge(tenants=["box"])
    edge.register("box")
    until(edge.routers, "the router")
    edge.stop()
    for path in (edge.losos_yml, edge.server_toml, edge.live_file):
        path.unlink()
    edge.start(wait=False)
    until(lambda: _answers(edge), "the API")
    assert set(edge.services()) == {"box"}
    assert set(edge.routers()) == {"losos_box"}
    assert edge.live_ids() == ["box"]


def _answers(edge):
    try:
        return edge.get("/health").status == 200
    except ConnectionError:
        return False


ROWS_TO_DROP = {
    "a row that is none": ("b", 7, "byte"),
    "a hostname that is a number": ("b", {"hostname": 5, "port": 21005}, "hostname"),
    "a port that is a text": ("b", {"hostname": "x.test", "port": "21005"}, "port"),
    "no port at all": ("b", {"hostname": "x.test"}, "port"),
    "an empty id": ("", {"hostname": "x.test", "port": 21005}, "id is empty"),
    "an id that is none": ("No_Id", {"hostname": "x.test", "port": 21005}, "DNS label"),
    "an empty hostname": ("b", {"hostname": "", "port": 21005}, "hostname is empty"),
    "a hostname that is none": ("b", {"hostname": "no name", "port": 21005}, "DNS name"),
    "a port below the range": ("b", {"hostname": "x.test", "port": 20999}, "outside the range"),
    "a port above the range": ("b", {"hostname": "x.test", "port": 21011}, "outside the range"),
    "a port of none": ("b", {"hostname": "x.test", "port": -1}, "outside the range"),
    "a port a lower id has": ("b", {"hostname": "x.test", "port": 21000}, "already has port"),
    "another spoke in via": ("acme.x", {"hostname": "x.acme.test", "port": 21005, "via": "b"},
                             "via"),
}


@pytest.mark.parametrize("kind", ROWS_TO_DROP)
def test_a_row_that_cannot_be_is_dropped_with_a_warning_and_the_others_stay(make_edge, kind):
    row, fields, words = ROWS_TO_DROP[kind]
    edge = make_edge(tenants={"a": {}, "b": {}, "acme": {"relay_zone": "acme.test"}}, start=False,
                     port_range="21000-21010")
    write_json(edge.registry_file, stored(**{
        "a": {"hostname": "a.losos.test", "port": 21000}, row: fields}))
    edge.start()
    assert edge.rows() == {"a": {"hostname": "a.losos.test", "port": 21000}}
    fault = edge.wait_fault(str(edge.registry_file), words)
    assert f'"{row}"' in fault
    edge.daemon.wait_line(words)


def test_a_row_nobody_vouches_for_is_dropped(make_edge):
    edge = make_edge(tenants=["a"], start=False)
    write_json(edge.registry_file, stored(a={"hostname": "a.losos.test", "port": 20000},
                                          gone={"hostname": "gone.test", "port": 20001}))
    edge.start()
    assert set(edge.rows()) == {"a"}
    edge.daemon.wait_line("gone is dropped: it is neither listed nor enrolled any more")


def test_compute_windows_are_kept_as_they_are(make_edge):
    window = {"share_compute": True, "window_start": "22:00", "window_end": "06:00",
              "tz": "Europe/Berlin"}
    edge = make_edge(tenants={"box": {"cluster": True}}, start=False)
    write_json(edge.registry_file, {**stored(), "compute_windows": {"box": window}})
    edge.start()
    edge.register("box")
    assert edge.registry()["compute_windows"] == {"box": window}


@pytest.mark.parametrize("text, offset", [
    ('{"tenants":', 11), ('{"tenants": {"a": {"hostname": "a.test" "port": 1}}}', 40),
    ("nonsense", 0), ('{"tenants": []}', 12), ('{"tenants": {}, "resting": 7}', 27),
])
def test_a_registry_that_cannot_be_read_stops_the_start_and_is_not_touched(make_edge, text, offset):
    edge = make_edge(tenants=["a"], start=False)
    write_text(edge.registry_file, text)
    done = edge.start_and_fail()
    assert done.code == 6
    assert str(edge.registry_file) in done.err
    assert f"byte {offset}" in done.err
    assert edge.registry_file.read_text() == text


def test_a_second_registrar_on_the_same_state_ends_with_6_and_disturbs_nothing(make_edge):
    edge = make_edge(tenants=["a"])
    edge.register("a")
    before = edge.registry_file.read_bytes()
    for registry in (edge.registry_file, edge.state / "another.json"):
        done = edge.start_and_fail(registry=registry, listen="127.0.0.1:9")
        assert done.code == 6
        assert str(edge.state) in done.err and "another losos-registrar" in done.err
    assert edge.registry_file.read_bytes() == before
    assert edge.heartbeat("a").status == 204
    edge.daemon.kill()
    edge.start()
    assert edge.heartbeat("a").status == 204


def test_a_start_removes_its_own_left_over_temporary_files_and_no_others(make_edge):
    edge = make_edge(start=False)
    mine = [edge.state / ".registry.json.99-0123456789ab.tmp",
            edge.traefik / ".losos.yml.99-0123456789ab.tmp",
            edge.rathole / ".server.toml.99-0123456789ab.tmp",
            edge.run_dir / ".live.json.99-0123456789ab.tmp",
            edge.run_dir / ".status.json.99-0123456789ab.tmp",
            edge.run_dir / ".metrics.prom.99-0123456789ab.tmp"]
    others = [edge.rathole / ".uplink.toml.99-0123456789ab.tmp", edge.traefik / "other.yml",
              edge.state / ".registry.json.bak"]
    for path in mine + others:
        path.write_text("left over")
    edge.start()
    assert [path for path in mine if path.exists()] == []
    assert [path for path in others if not path.exists()] == []


def test_a_port_in_use_by_another_program_is_exit_1_and_says_so(make_edge):
    first = make_edge("first")
    second = make_edge("second", start=False)
    done = second.start_and_fail(listen=f"127.0.0.1:{first.port}")
    assert done.code == 1
    assert f"127.0.0.1:{first.port}" in done.err and "another program listens" in done.err


# --- resting ports ---


def test_a_freed_port_rests_and_says_whose_it_was(make_edge):
    edge = make_edge(tenants="ab", port_range="21000-21001")
    edge.register("a")
    edge.deregister("a")
    rest = edge.registry()["resting"]["21000"]
    assert rest["id"] == "a"
    assert 110 <= rest["until"] - time.time() <= 125
    assert edge.register("b").json() == {"rathole_port": 21001}
    until(lambda: edge.status()["counts"]["ports_resting"] == 1, "one resting port")


def test_a_resting_port_is_its_own_tenants_at_once_and_nobody_elses_before_its_time(make_edge):
    edge = make_edge(tenants="ab", port_range="21000-21000", port_rest="1500ms",
                     reconcile_interval="100ms")
    edge.register("a")
    until(edge.routers, "the router")
    edge.deregister("a")
    assert edge.register("b").status == 503
    assert edge.register("a").json() == {"rathole_port": 21000}
    until(edge.routers, "the router")
    edge.deregister("a")
    until(lambda: not edge.routers(), "the router gone")
    gone_at = time.monotonic()
    until(lambda: edge.register("b").status == 200, "the port free again")
    assert 1.3 <= time.monotonic() - gone_at <= 4


# A port of this test alone: while the connection is open, no registrar of this machine gives it out.
VISITED = 22222


@contextlib.contextmanager
def connection_to(port):
    """A visitor's connection that outlives the box's tunnel: the listening socket is gone."""
    with socket.create_server(("127.0.0.1", port)) as listening:
        caller = socket.create_connection(("127.0.0.1", port))
        called = listening.accept()[0]
    with called, caller:
        yield


@pytest.mark.parametrize("restart", [False, True])
def test_a_port_that_has_rested_is_nobody_elses_while_a_connection_to_it_is_open(make_edge, restart):
    edge = make_edge(tenants="ab", port_range=f"{VISITED}-{VISITED}", port_rest="200ms",
                     reconcile_interval="100ms")
    edge.register("a")
    until(edge.routers, "the router")
    with connection_to(VISITED):
        edge.deregister("a")
        rest = edge.registry()["resting"][str(VISITED)]
        until(lambda: not edge.routers(), "the router gone")
        until(lambda: time.time() > rest["until"] + 1, "the rest to be over")
        if restart:
            edge.daemon.kill()
            edge.start()
        assert edge.register("b").status == 503
        assert edge.registry()["resting"][str(VISITED)]["id"] == "a"
        assert edge.register("a").json() == {"rathole_port": VISITED}
        edge.deregister("a")
        until(lambda: not edge.routers(), "the router gone")
    until(lambda: edge.register("b").status == 200, "the port free again")


def test_the_rest_survives_a_restart(make_edge):
    edge = make_edge(tenants="ab", port_range="21000-21001")
    edge.register("a")
    edge.deregister("a")
    edge.daemon.kill()
    edge.start()
    assert edge.registry()["resting"]["21000"]["id"] == "a"
    assert edge.register("b").json() == {"rathole_port": 21001}
    assert edge.register("a").json() == {"rathole_port": 21000}


def test_what_remains_of_a_rest_at_a_start_is_at_most_the_flag(make_edge):
    edge = make_edge(tenants="ab", start=False, port_range="21000-21000", port_rest="1s",
                     reconcile_interval="100ms")
    write_json(edge.registry_file, {**stored(),
                                    "resting": {"21000": {"id": "a", "until": 10**11}}})
    edge.start()
    assert edge.register("b").status == 503
    until(lambda: edge.register("b").status == 200, "the port free within its second", 5)


def test_a_rest_that_is_over_is_forgotten_at_the_start(make_edge):
    edge = make_edge(tenants="ab", start=False, port_range="21000-21000")
    write_json(edge.registry_file, {**stored(),
                                    "resting": {"21000": {"id": "a", "until": 1000}}})
    edge.start()
    assert edge.register("b").json() == {"rathole_port": 21000}


def test_a_relayed_boxs_port_rests_as_well(make_edge):
    hub = make_edge(tenants={"acme": {"relay_zone": "acme.test"}}, port_range="21000-21001")
    hub.relay("acme", [("a", "a.acme.test")])
    hub.relay("acme", [])
    assert hub.registry()["resting"]["21000"]["id"] == "acme.a"
    after = hub.relay("acme", [("b", "b.acme.test"), ("a", "a.acme.test")]).json()["accepted"]
    assert {row["id"]: row["rathole_port"] for row in after} == {"b": 21001, "a": 21000}


def test_a_smaller_port_range_takes_no_rest_for_a_port_of_its_own(make_edge):
    edge = make_edge(tenants="ab", start=False, port_range="21005-21006")
    write_json(edge.registry_file, {**stored(),
                                    "resting": {"21000": {"id": "a", "until": 10**11}}})
    edge.start()
    assert edge.register("a").json() == {"rathole_port": 21005}


def test_passes_are_in_live_json_and_nowhere_else_and_come_back_from_there(make_edge):
    edge = make_edge(tenants=["box"])
    edge.register("box", relay_pass=relay_pass(480000))
    until(lambda: [box.get("pass") for box in edge.live()] == [relay_pass(480000)], "the pass")
    assert relay_pass(480000) not in edge.registry_file.read_text()
    edge.daemon.kill()
    edge.start()
    assert edge.live()[0]["pass"] == relay_pass(480000)


def test_a_live_json_that_cannot_be_read_costs_only_the_passes(make_edge):
    edge = make_edge(tenants=["box"])
    edge.register("box", relay_pass=relay_pass(480000))
    edge.stop()
    write_text(edge.live_file, "{")
    edge.start()
    assert edge.live() == [{"id": "box", "hostname": "box.losos.test",
                            "port": edge.rows()["box"]["port"]}]
    edge.daemon.wait_line("live.json")


def test_losos_edge_boxes_shows_what_the_registry_holds(make_edge):
    edge = make_edge(tenants=["box"])
    port = edge.register("box").json()["rathole_port"]
    done = run("losos-edge", "boxes", "--state-dir", edge.state)
    assert done.out == f"box\tbox.losos.test\tport {port}\n"
    assert read_json(edge.registry_file)["tenants"]["box"]["port"] == port


def test_a_rest_does_not_begin_while_the_router_stands_also_over_a_restart(make_edge):
    edge = make_edge(tenants="ab", port_range="21000-21000", port_rest="1s",
                     reconcile_interval="100ms")
    edge.register("a")
    until(edge.routers, "the router")
    edge.daemon.kill()
    # Row and port went, then the power did, before the router could follow.
    write_json(edge.registry_file, {**stored(), "resting": {"21000": {"id": "a", "until": 1000}}})
    edge.start()
    assert not edge.routers()
    assert edge.register("b").status == 503
    until(lambda: edge.register("b").status == 200, "the port free after its second", 5)


def test_an_end_of_a_rest_that_is_no_time_at_all_is_in_the_past_or_capped(make_edge):
    edge = make_edge(tenants="abc", start=False, port_range="21000-21002")
    write_json(edge.registry_file, {**stored(), "resting": {
        "21000": {"id": "a", "until": -2**63}, "21001": {"id": "a", "until": 2**63 - 1}}})
    edge.start()
    assert edge.register("b").json() == {"rathole_port": 21000}
    assert edge.register("c").json() == {"rathole_port": 21002}
    assert edge.registry()["resting"]["21001"]["until"] <= time.time() + 121


def test_ports_that_rest_outside_a_smaller_range_are_not_missing_in_it(make_edge):
    edge = make_edge(tenants="a", start=False, port_range="21000-21001")
    write_json(edge.registry_file, {**stored(), "resting": {
        str(port): {"id": "a", "until": 10**11} for port in range(20990, 21000)}})
    edge.start()
    assert edge.status()["counts"]["ports_free"] == 2


def test_a_port_of_which_a_restored_registry_knows_nothing_rests_all_the_same(make_edge):
    edge = make_edge(tenants="ab")
    before = edge.registry_file.read_text(encoding="utf-8")
    port = edge.register("a").json()["rathole_port"]
    until(lambda: "losos_a" in edge.routers(), "its router")
    edge.stop()
    write_text(edge.registry_file, before)
    edge.start()
    assert edge.register("b").json()["rathole_port"] != port
    assert edge.register("a").json()["rathole_port"] == port
