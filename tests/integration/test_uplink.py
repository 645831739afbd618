"""losos-uplink against a real hub: what a pass sends, renders and records."""

import fcntl

import pytest
from losos_tools import (Gateway, box, mode_of, read_json, relay_pass, reply, run, snapshot, token,
                         until, write_json, write_text)
from losos_tools.files import identity

SHARED_EDGE = {"tenants": {"acme": {"relay_zone": "acme.test"}, "zoneless": {}}}

UPLINK_TOML = f"""\
[client]
remote_addr = "127.0.0.1:2333"
default_token = "{token('acme')}"

[client.services."acme.one"]
token = "{token('acme')}"
local_addr = "127.0.0.1:20001"

[client.services."acme.two"]
token = "{token('acme')}"
local_addr = "127.0.0.1:20002"
"""


def relayed(hub):
    return {row for row in hub.rows() if "." in row}


# --- a pass that goes well ---


def test_a_pass_hands_the_boxes_on_and_renders_a_service_for_each(linked, shared_edge):
    done = linked.run_pass()
    assert (done.code, done.out) == (0, "")
    assert relayed(shared_edge) == {"acme.one", "acme.two"}
    assert linked.uplink_toml.read_text() == UPLINK_TOML
    assert mode_of(linked.uplink_toml) == 0o600
    assert read_json(linked.hub_routes) == {"routes": []}
    assert mode_of(linked.hub_routes) == 0o644
    status = linked.status()
    assert mode_of(linked.pass_file) == 0o644
    assert (status["hub"], status["id"], status["error"]) == (shared_edge.url, "acme", None)
    assert sorted(row["id"] for row in status["accepted"]) == ["one", "two"]


def test_a_pass_that_changes_nothing_rewrites_no_tunnel_and_no_route(linked):
    linked.run_pass()
    before = identity(linked.uplink_toml), identity(linked.hub_routes)
    assert linked.run_pass().code == 0
    assert (identity(linked.uplink_toml), identity(linked.hub_routes)) == before


def test_boxes_that_come_go_and_move_are_followed(linked, shared_edge):
    linked.run_pass()
    linked.write_live([box("two", 20009), box("three", 20003)])
    assert linked.run_pass().code == 0
    assert linked.services() == {"acme.two": 20009, "acme.three": 20003}
    assert relayed(shared_edge) == {"acme.two", "acme.three"}


def test_only_boxes_the_hub_accepted_get_a_service_and_refusals_are_told_when_they_change(
        linked, shared_edge):
    linked.write_live([box("good", 20001), box("alien", 20002, zone="elsewhere.test")])
    done = linked.run_pass()
    assert done.code == 0
    assert linked.services() == {"acme.good": 20001}
    assert "alien" in done.err and "one label under acme.test" in done.err
    assert [row["id"] for row in linked.status()["refused"]] == ["alien"]
    assert "alien" not in linked.run_pass().err
    linked.write_live([box("good", 20001), box("alien", 20002)])
    assert "refuses alien no longer" in linked.run_pass().err
    assert relayed(shared_edge) == {"acme.good", "acme.alien"}
    # Who leaves is not accepted.
    linked.write_live([box("good", 20001), box("alien", 20002, zone="elsewhere.test")])
    assert "refuses alien: " in linked.run_pass().err
    linked.write_live([box("good", 20001)])
    assert "alien" not in linked.run_pass().err


def test_passes_are_handed_on_with_their_boxes(gateway, stand_in):
    hub = stand_in({"/health": reply(200, "ok"),
                    "/relay": reply(200, {"accepted": [], "refused": [], "routes": []})})
    gateway.set_uplink(hub.url)
    gateway.write_live([box("one", **{"pass": relay_pass(480000)}), box("two")])
    assert gateway.run_pass().code == 0
    assert hub.asked("/relay")[0].json() == {
        "appliance_id": "acme", "token": token("acme"), "tenants": [
            {"id": "one", "hostname": "one.acme.test", "pass": relay_pass(480000)},
            {"id": "two", "hostname": "two.acme.test"}]}


def test_a_bootstrap_token_of_its_own_stands_in_the_head_alone(linked, shared_edge):
    bootstrap = write_text(linked.folder / "bootstrap", token("hubs-bootstrap"))
    linked.set_uplink(shared_edge.url, "--bootstrap-token-file", bootstrap)
    assert linked.run_pass().code == 0
    assert linked.uplink_toml.read_text() == UPLINK_TOML.replace(
        f'default_token = "{token("acme")}"', f'default_token = "{token("hubs-bootstrap")}"')


def test_the_hubs_routes_are_recorded_sorted(gateway, stand_in):
    routes = [{"id": "b", "domain": "z.test"}, {"id": "a", "domain": "y.test"},
              {"id": "a", "domain": "x.test"}]
    hub = stand_in({"/health": reply(200, "ok"),
                    "/relay": reply(200, {"accepted": [], "refused": [], "routes": routes})})
    gateway.set_uplink(hub.url)
    assert gateway.run_pass().code == 0
    assert read_json(gateway.hub_routes) == {"routes": [routes[2], routes[1], routes[0]]}


@pytest.mark.parametrize("answer", [reply(500, "no"), reply(401, "no"), reply(200, "garbage")],
                         ids=["500", "401", "garbage"])
def test_a_hub_that_gives_no_answer_leaves_the_routes_it_said_last(gateway, stand_in, answer):
    routes = [{"id": "a", "domain": "x.test"}]
    hub = stand_in({"/health": reply(200, "ok"),
                    "/relay": reply(200, {"accepted": [], "refused": [], "routes": routes})})
    gateway.set_uplink(hub.url)
    assert gateway.run_pass().code == 0
    hub.answers["/relay"] = answer
    done = gateway.run_pass()
    assert done.code in (3, 4) and "no longer" not in done.err, done
    assert read_json(gateway.hub_routes) == {"routes": routes}


def test_a_real_gateway_and_a_real_hub_follow_each_other(make_edge, tmp_path):
    hub = make_edge("hub", tenants={"acme": {"relay_zone": "acme.test"}})
    site = make_edge("site", enrol=True)
    gateway = Gateway(tmp_path / "gateway", site)
    gateway.set_uplink(hub.url)
    port = site.register("box", "box.acme.test").json()["rathole_port"]
    site.wait_live("box")
    assert gateway.run_pass().code == 0
    assert gateway.services() == {"acme.box": port}
    until(lambda: hub.routers() == {"losos_acme.box": "box.acme.test"}, "the hub's router")
    done = run("losos-edge", "forget", "box", "--state-dir", site.state)
    assert done.code == 0, done
    site.wait_live()
    assert gateway.run_pass().code == 0
    assert gateway.services() == {}
    assert hub.rows() == {}


# --- when nothing is sent ---


def test_without_an_uplink_nothing_is_sent_and_the_tunnels_are_removed(linked):
    linked.run_pass()
    linked.uplink_json.unlink()
    done = linked.run_pass()
    assert done.code == 0
    assert not linked.uplink_toml.exists()
    assert not linked.hub_routes.exists()
    assert linked.run_pass().code == 0


def test_a_gateway_on_which_nothing_was_ever_set_does_nothing(gateway):
    gateway.edge_dir.mkdir()
    before = snapshot(gateway.state, gateway.run_dir, gateway.rathole)
    assert gateway.run_pass().code == 0
    assert snapshot(gateway.state, gateway.run_dir, gateway.rathole) == before


def absent_live(gateway):
    gateway.live_file.unlink()
    return "live.json"


def absent_status(gateway):
    gateway.status_file.unlink()
    return "status.json is not there"


def other_boot(gateway):
    gateway.write_status(boot="00000000-0000-0000-0000-000000000000")
    return "before this machine started"


def stale_status(gateway):
    gateway.write_status(age_ms=2100, ttl_ms=2000)
    return "out of date"


def unreadable_status(gateway):
    write_text(gateway.status_file, "{")
    return f"cannot use {gateway.status_file}: not JSON"


def status_from_the_future(gateway):
    gateway.write_status(age_ms=-60000)
    return "out of date"


@pytest.mark.parametrize("spoil", [absent_live, absent_status, other_boot, stale_status,
                                   unreadable_status, status_from_the_future])
def test_a_dead_registrars_boxes_go_silent_with_a_warning_and_exit_0(linked, shared_edge, spoil):
    linked.run_pass()
    before = linked.uplink_toml.read_bytes()
    live = [box("one", 20001)]
    linked.write_live(live)
    words = spoil(linked)
    contact = contact_age(shared_edge)
    done = linked.run_pass()
    assert done.code == 0
    assert "nothing is sent to the hub" in done.err and words in done.err
    assert words in linked.status()["held_back"]
    assert relayed(shared_edge) == {"acme.one", "acme.two"}
    assert contact_age(shared_edge) >= contact
    assert linked.uplink_toml.read_bytes() == before


def contact_age(hub):
    """How long ago the hub last heard of acme, at its last reconcile."""
    row = next(row for row in hub.status()["tenants"] if row["id"] == "acme.one")
    return row["last_contact_age_ms"]


def test_a_status_just_within_its_ttl_counts(linked, shared_edge):
    linked.write_status(age_ms=60000, ttl_ms=120000)
    assert linked.run_pass().code == 0
    assert relayed(shared_edge) == {"acme.one", "acme.two"}


def test_a_live_list_without_a_box_empties_the_hub(linked, shared_edge):
    linked.run_pass()
    linked.write_live([])
    assert linked.run_pass().code == 0
    assert relayed(shared_edge) == set()
    assert linked.uplink_toml.read_text().endswith("\n[client.services]\n")


@pytest.mark.parametrize("text", ["{", '{"boxes": 5}', '{"boxes": [{"id": "NO"}]}'])
def test_a_live_list_that_cannot_be_read_is_an_error_and_empties_nothing(linked, shared_edge, text):
    linked.run_pass()
    write_text(linked.live_file, text)
    done = linked.run_pass()
    assert done.code not in (0, 3, 4)
    assert str(linked.live_file) in done.err and "byte" in done.err
    assert relayed(shared_edge) == {"acme.one", "acme.two"}
    assert set(linked.services()) == {"acme.one", "acme.two"}


def test_of_more_than_64_boxes_the_first_are_sent_and_the_rest_are_named(linked, shared_edge):
    linked.write_live([box(f"b{n}", 20000 + n) for n in reversed(range(67))])
    done = linked.run_pass()
    assert done.code == 0
    assert relayed(shared_edge) == {f"acme.b{n}" for n in range(3, 67)}
    assert set(linked.services()) == relayed(shared_edge)
    assert "b2, b1, b0" in done.err and "64" in done.err
    assert linked.status()["left_out"] == ["b2", "b1", "b0"]


def test_who_has_room_again_is_left_out_no_longer(linked, shared_edge):
    linked.write_live([box(f"b{n}", 20000 + n) for n in range(66)])
    assert linked.run_pass().code == 0
    assert linked.status()["left_out"] == ["b64", "b65"]
    linked.write_live([box(f"b{n}", 20000 + n) for n in range(1, 66)])
    assert linked.run_pass().code == 0
    assert linked.status()["left_out"] == ["b65"]
    linked.write_live([box("b65", 20065)])
    assert linked.run_pass().code == 0
    assert linked.status()["left_out"] == []


# --- refusals, and hubs that do not answer ---


def expect_shrinking(gateway, code, *words):
    """After a good pass with one and two: two leaves, one moves, three comes, the hub fails."""
    gateway.write_live([box("one", 20011), box("three", 20003)])
    done = gateway.run_pass("--timeout", "2s")
    assert done.code == code, done
    for word in words:
        assert word in done.err
    assert gateway.services() == {"acme.one": 20011}
    assert gateway.status()["error"] in done.err
    assert [row["id"] for row in gateway.status()["accepted"]] == ["two", "one"]
    return done


def test_a_hub_that_is_down_is_4_and_services_only_shrink(linked, make_edge):
    hub = make_edge("hub", tenants=SHARED_EDGE["tenants"])
    linked.set_uplink(hub.url)
    assert linked.run_pass().code == 0
    hub.stop()
    expect_shrinking(linked, 4, hub.url)


def test_a_401_is_3_and_services_only_shrink(linked, make_edge):
    hub = make_edge("hub", tenants=SHARED_EDGE["tenants"])
    linked.set_uplink(hub.url)
    assert linked.run_pass().code == 0
    write_text(hub.token_file("acme"), token("rotated"))
    until(lambda: hub.relay("acme", []).status == 401, "the token to be rotated")
    expect_shrinking(linked, 3, "401", "losos-edge uplink set")


def test_a_403_is_3_and_services_only_shrink(linked, make_edge):
    hub = make_edge("hub", tenants=SHARED_EDGE["tenants"])
    linked.set_uplink(hub.url)
    assert linked.run_pass().code == 0
    hub.list_tenants({"acme": {}})
    until(lambda: hub.relay("acme", []).status == 403, "the zone to be gone")
    expect_shrinking(linked, 3, "403", "relay zone")


def test_the_first_pass_to_a_hub_that_refuses_renders_no_service(gateway, shared_edge):
    gateway.set_uplink(shared_edge.url, name="zoneless")
    gateway.write_live([box("one")])
    assert gateway.run_pass().code == 3
    assert not gateway.services()


def test_what_a_hub_took_back_comes_back_once_it_answers_again(linked, make_edge):
    hub = make_edge("hub", tenants=SHARED_EDGE["tenants"])
    linked.set_uplink(hub.url)
    linked.run_pass()
    hub.stop()
    expect_shrinking(linked, 4)
    hub.start()
    assert linked.run_pass().code == 0
    assert linked.services() == {"acme.one": 20011, "acme.three": 20003}
    assert linked.status()["error"] is None


# --- one pass at a time, and with what is there now ---


def test_a_pass_waits_for_its_lock_before_it_reads_anything(linked, shared_edge):
    linked.run_pass()
    with open(linked.edge_dir / ".uplink.lock", "r+", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        waiting = linked.start_pass()
        until(waiting.waits_for_lock, "the pass to wait")
        linked.write_live([box("late", 20007)])
        fcntl.flock(lock, fcntl.LOCK_UN)
    assert waiting.wait() == 0
    waiting.stop()
    assert linked.services() == {"acme.late": 20007}
    assert relayed(shared_edge) == {"acme.late"}


def test_a_pass_repeats_when_its_inputs_changed_meanwhile(gateway, stand_in):
    def answer(request):
        if len(hub.asked("/relay")) == 1:
            gateway.write_live([box("new", 20005)])
        rows = [{**row, "rathole_port": 30000} for row in request.json()["tenants"]]
        return reply(200, {"accepted": rows, "refused": [], "routes": []})

    hub = stand_in({"/health": reply(200, "ok"), "/relay": answer})
    gateway.set_uplink(hub.url)
    gateway.write_live([box("old", 20004)])
    assert gateway.run_pass().code == 0
    assert [[row["id"] for row in request.json()["tenants"]]
            for request in hub.asked("/relay")] == [["old"], ["new"]]
    assert gateway.services() == {"acme.new": 20005}


def test_an_uplink_set_by_hand_is_read_anew_at_every_pass(linked, make_edge):
    linked.run_pass()
    other = make_edge("other", tenants=SHARED_EDGE["tenants"])
    write_json(linked.uplink_json, {**read_json(linked.uplink_json), "registrar_url": other.url,
                                    "comment": "by hand"})
    assert linked.run_pass().code == 0
    assert relayed(other) == {"acme.one", "acme.two"}


# --- files it cannot use ---


def test_a_pass_removes_its_own_left_over_temporary_files(linked):
    left = [path.with_name(f".{path.name}.7-0123456789ab.tmp")
            for path in (linked.uplink_toml, linked.hub_routes, linked.pin, linked.pass_file)]
    for path in left:
        path.write_text("left over")
    assert linked.run_pass().code == 0
    assert [path for path in left if path.exists()] == []


def test_the_registrars_status_is_beside_the_live_file_unless_named(linked, shared_edge, tmp_path):
    linked.status_file.rename(tmp_path / "elsewhere.json")
    assert "nothing is sent" in linked.run_pass().err
    done = linked.run_pass("--registrar-status-file", tmp_path / "elsewhere.json")
    assert (done.code, done.err) == (0, "")
    assert relayed(shared_edge) == {"acme.one", "acme.two"}
