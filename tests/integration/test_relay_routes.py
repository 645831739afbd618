"""The route table of a hub: its key, what it writes down and when, and what a start makes of it."""

import json
import os
import re

import pytest
from losos_tools import Gateway, mode_of, read_json, run, until, write_json, write_text
from losos_tools.files import identity
from losos_tools.relaying import HOUR, NOW, sign_pass

ROUTE = {"domain": "mattbox.cloud.test", "tenant": "mattbox", "spoke": "acme",
         "service": "acme.mattbox"}


def lines_with(hub, words):
    return [line for line in hub.log().splitlines() if words in line]


def fill_the_place_of(hub):
    """Makes the route table one that cannot be written, also by root."""
    hub.routes_file.unlink()
    hub.routes_file.mkdir()


# --- the key ---


def test_the_key_is_made_once_for_its_owner_alone(make_hub):
    hub = make_hub()
    made = hub.pass_key.read_text(encoding="ascii")
    assert re.fullmatch(r"[0-9a-f]{64}\n", made)
    assert mode_of(hub.pass_key) == 0o600
    assert len(lines_with(hub, "made the key of relay passes")) == 1
    before = identity(hub.pass_key)
    hub.restart()
    assert identity(hub.pass_key) == before
    assert not lines_with(hub, "made the key of relay passes")
    for path in hub.folder.rglob("*"):
        if path.is_file() and path != hub.pass_key:
            assert made.strip() not in path.read_text(encoding="utf-8", errors="replace"), path


def lose(hub):
    hub.pass_key.unlink()


def replace(hub):
    write_text(hub.pass_key, "0f" * 32 + "\n")


@pytest.mark.parametrize("while_it_runs", [True, False], ids=["running", "stopped"])
@pytest.mark.parametrize("change", [lose, replace])
def test_a_lost_or_replaced_key_costs_the_passes_that_are_out_and_nothing_else(
        make_hub, change, while_it_runs):
    hub = make_hub()
    old = hub.sign("mattbox")
    hub.bind("acme", "mattbox")
    before = hub.pass_key.read_text(encoding="ascii")
    if while_it_runs:
        change(hub)
        until(lambda: lines_with(hub, "holds another key"), "the line that says so")
    else:
        assert hub.stop() == 0
        change(hub)
        hub.start()
    assert hub.pass_key.read_text(encoding="ascii") != before and mode_of(hub.pass_key) == 0o600
    assert hub.routes() == {"mattbox.cloud.test": "acme.mattbox"}
    hub.show("beta", {"mattbox": old})
    assert hub.holder("mattbox") == "acme"
    hub.show("acme", {"mattbox": old})
    assert hub.bindings() == {}
    hub.bind("acme", "mattbox")


def test_a_key_that_cannot_be_used_is_a_fault_and_moves_nothing(make_hub):
    hub = make_hub()
    pass_of_now = hub.sign("mattbox")
    hub.bind("acme", "mattbox")
    write_text(hub.pass_key, "no key at all\n")
    assert "no key at all" not in hub.wait_fault("relay-pass.key", "last good key stays in force")
    hub.show("acme", {"mattbox": pass_of_now})
    assert hub.holder("mattbox") == "acme"
    assert hub.stop() == 0
    hub.start()
    assert "no pass is made or judged" in hub.wait_fault("relay-pass.key")
    hub.show("acme", {})
    hub.show("beta", {"mattbox": pass_of_now})
    assert hub.holder("mattbox") == "acme"
    assert hub.pass_key.read_text(encoding="ascii") == "no key at all\n"


# --- the table ---


def test_the_table_names_box_gateway_and_service_and_can_be_read_by_anybody(make_hub):
    hub = make_hub()
    hub.bind("acme", "mattbox")
    assert read_json(hub.routes_file) == {
        "bindings": {"mattbox": {"spoke": "acme", "epoch": HOUR}}, "routes": [ROUTE]}
    assert mode_of(hub.routes_file) == 0o644


def test_a_route_is_a_router_of_its_own_to_the_relayed_box(make_hub):
    hub = make_hub(wildcard_resolver="dns")
    hub.bind("acme", "mattbox")
    until(lambda: len(hub.routers()) == 2, "both routers")
    further = next(name for name in hub.routers() if "_host_" in name)
    assert re.fullmatch(r"losos_acme\.mattbox_host_[0-9a-f]{32}", further)
    assert hub.routers() == {"losos_acme.mattbox": "mattbox.acme.test",
                             further: "mattbox.cloud.test"}
    text = hub.losos_yml.read_text(encoding="utf-8")
    assert text.count("service: losos_acme.mattbox\n") == 2 and text.count("loadBalancer:") == 1
    assert text.count('certResolver: "le"') == text.count('- main: "mattbox.cloud.test"') == 1


def test_the_table_is_not_written_again_while_nothing_changes(make_hub):
    hub = make_hub(reconcile_interval="20ms")
    hub.bind("acme", "mattbox")
    before = identity(hub.routes_file)
    for _ in range(3):
        hub.bind("acme", "mattbox")
    done = hub.metric("reconciles_total")
    until(lambda: hub.metric("reconciles_total") > done + 3, "some reconciles")
    assert identity(hub.routes_file) == before


def test_a_box_needs_a_place_in_the_mesh_for_a_route_and_none_for_its_binding(make_hub):
    hub = make_hub(boxes=["mattbox"], start=False)
    write_json(hub.registry_file, {"tenants": {}, "compute_windows": {}, "resting": {}})
    hub.start()
    hub.show("acme", {"mattbox": hub.sign("mattbox")})
    assert hub.holder("mattbox") == "acme" and hub.routes() == {}
    until(lambda: hub.routers() == {"losos_acme.mattbox": "mattbox.acme.test"},
          "the hostname alone")


def test_a_box_that_registers_itself_wins_over_its_gateway_and_has_its_route_back_after(make_hub):
    hub = make_hub()
    hub.bind("acme", "mattbox")
    assert hub.register("mattbox", "mattbox.cloud.test").status == 200
    until(lambda: hub.routers() == {"losos_acme.mattbox": "mattbox.acme.test",
                                    "losos_mattbox": "mattbox.cloud.test"}, "its own router")
    assert hub.routes() == {} and hub.holder("mattbox") == "acme"
    assert hub.deregister("mattbox").status == 204
    until(lambda: hub.routes() == {"mattbox.cloud.test": "acme.mattbox"}, "the route")
    until(lambda: any("_host_" in name for name in hub.routers()), "its router")


def test_a_name_that_a_relayed_box_has_is_not_routed_to_another(make_hub):
    hub = make_hub(start=False)
    hub.list_tenants({"acme": {"relay_zone": "acme.test"}, "beta": {"relay_zone": "beta.test"},
                      "mattbox": {"hostname": "held.beta.test", "cluster": True}})
    hub.start()
    hub.relay("beta", [("held", "held.beta.test")])
    hub.show("acme", {"mattbox": hub.sign("mattbox")})
    assert hub.holder("mattbox") == "acme" and hub.routes() == {}


def test_each_route_that_comes_or_goes_is_a_line(make_hub):
    hub = make_hub()
    said = "mattbox.cloud.test to mattbox through"
    hub.bind("acme", "mattbox")
    hub.bind("beta", "mattbox")
    hub.show("beta", {})
    until(lambda: lines_with(hub, f"route removed: {said} beta"), "the last line")
    assert [len(lines_with(hub, f"route {what}: {said} {gateway}"))
            for what in ("added", "removed") for gateway in ("acme", "beta")] == [1, 1, 1, 1]


def test_a_route_that_is_taken_away_does_not_wait_for_traefiks_pace(make_hub):
    """A change of thirty routers costs Traefik more than is allowed at once, so that those that
    come after it are still waiting when the route goes."""
    boxes = [f"b{n}" for n in range(40)]
    hub = make_hub(boxes=["mattbox", *boxes])
    hub.bind("acme", "mattbox")
    until(lambda: hub.routed_hosts() == {"mattbox.cloud.test"}, "the route")
    for box in boxes:
        hub.register(box, f"{box}.cloud.test")
    hub.show("acme", {"mattbox": None})
    writes = hub.metric("reconciles_total")
    until(lambda: hub.metric("reconciles_total") > writes, "one reconcile")
    assert "mattbox.cloud.test" not in hub.routed_hosts()
    assert hub.routes() == {}
    until(lambda: len(hub.routed_hosts()) == 40, "all that had to wait")


# --- before the answer ---


def test_a_binding_that_cannot_be_written_is_undone_and_answered_503(make_hub):
    hub = make_hub(boxes=["mattbox", "annabox"])
    hub.bind("beta", "annabox")
    fill_the_place_of(hub)
    answer = hub.relay("acme", [{"id": "mattbox", "hostname": "mattbox.acme.test",
                                 "pass": hub.sign("mattbox")}])
    assert answer.status == 503 and "could not be written" in answer.text
    assert "acme.mattbox" not in hub.rows()
    assert hub.wait_fault("relay-routes.json")
    # What asks for no change is answered: nothing of it has to be written.
    assert hub.show("beta", {"annabox": hub.sign("annabox")})["routes"] == [
        {"id": "annabox", "domain": "annabox.cloud.test"}]
    # Nor does anybody else have to wait for it.
    assert hub.register("mattbox", "mattbox.cloud.test").status == 200
    hub.deregister("mattbox")
    os.rmdir(hub.routes_file)
    hub.bind("acme", "mattbox")
    assert hub.holder("annabox") == "beta"
    until(lambda: not hub.faults("relay-routes.json"), "no fault any more")


def test_a_release_that_cannot_be_written_is_undone_and_answered_503(make_hub):
    hub = make_hub()
    hub.bind("acme", "mattbox")
    fill_the_place_of(hub)
    assert hub.relay("acme", []).status == 503
    assert "acme.mattbox" in hub.rows()
    os.rmdir(hub.routes_file)
    assert hub.show("acme", {"mattbox": hub.sign("mattbox")})["routes"] != []
    assert hub.holder("mattbox") == "acme"


# --- starts ---


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_a_hub_that_starts_routes_at_once_by_the_bindings_it_wrote(make_hub, how):
    hub = make_hub()
    hub.bind("acme", "mattbox")
    until(lambda: hub.routed_hosts() == {"mattbox.cloud.test"}, "the router")
    if how == "kill":
        hub.daemon.kill()
    else:
        assert hub.stop() == 0
    hub.losos_yml.unlink()
    hub.start()
    assert hub.routes() == {"mattbox.cloud.test": "acme.mattbox"}
    assert hub.routed_hosts() == {"mattbox.cloud.test"}
    assert lines_with(hub, "1 route by the bindings of before")
    # The gateway that listed it before is no news after the start either.
    hub.show("beta", {"mattbox": hub.sign("mattbox")})
    assert hub.holder("mattbox") == "beta"
    hub.restart()
    hub.show("acme", {"mattbox": hub.sign("mattbox")})
    assert hub.holder("mattbox") == "beta"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"bindings": 5}', '{"routes": []}', "\0" * 9])
def test_a_table_that_cannot_be_read_costs_its_bindings_and_a_fault(make_hub, text):
    hub = make_hub()
    hub.bind("acme", "mattbox")
    assert hub.stop() == 0
    write_text(hub.routes_file, text, 0o644)
    hub.start()
    assert hub.wait_fault("relay-routes.json", "gateways bind their boxes again")
    assert hub.bindings() == {}
    hub.bind("acme", "mattbox")


def test_an_odd_binding_costs_itself_and_routes_of_a_file_are_not_believed(make_hub):
    hub = make_hub()
    hub.bind("acme", "mattbox")
    assert hub.stop() == 0
    table = read_json(hub.routes_file)
    table["bindings"]["odd"] = {"spoke": "acme", "epoch": "soon"}
    table["routes"] = [{**ROUTE, "domain": "stolen.test"}, 7]
    write_json(hub.routes_file, table, 0o644)
    hub.start()
    assert hub.wait_fault("relay-routes.json", '"odd"', "dropped")
    assert read_json(hub.routes_file)["routes"] == [ROUTE]
    assert set(hub.bindings()) == {"mattbox"}


def test_a_restart_of_a_gateways_registrar_releases_nothing(make_hub, make_edge, tmp_path):
    hub = make_hub()
    gateway = make_edge("gateway", tenants={"mattbox": {"hostname": "mattbox.acme.test"}})
    uplink = Gateway(tmp_path / "uplink", gateway)
    uplink.set_uplink(hub.url)
    gateway.register("mattbox", "mattbox.acme.test", relay_pass=hub.sign("mattbox"))
    gateway.wait_live("mattbox")
    done = uplink.run_pass()
    assert hub.holder("mattbox") == "acme", done
    assert "the hub routes mattbox.cloud.test to mattbox" in done.err
    assert read_json(uplink.hub_routes) == {
        "routes": [{"id": "mattbox", "domain": "mattbox.cloud.test"}]}
    gateway.restart()
    done = uplink.run_pass()
    assert done.code == 0 and "hub routes" not in done.err
    assert hub.holder("mattbox") == "acme"
    assert not hub.refusals("acme", "mattbox")
    # After a reboot nothing is left of /run, and the next heartbeat binds the box again.
    assert gateway.stop() == 0
    gateway.live_file.unlink()
    gateway.start()
    done = uplink.run_pass()
    assert "the hub routes mattbox.cloud.test no longer to mattbox" in done.err
    assert hub.bindings() == {}
    gateway.heartbeat("mattbox", relay_pass=hub.sign("mattbox"))
    until(lambda: gateway.live_pass("mattbox"), "the pass in live.json")
    uplink.run_pass()
    assert hub.holder("mattbox") == "acme"


# --- flags ---


def test_without_its_flags_a_hub_judges_no_pass_and_writes_no_table(make_hub):
    hub = make_hub(relay_pass_key_file=None, relay_routes_file=None)
    answer = hub.show("acme", {"mattbox": sign_pass("00" * 32, "mattbox", HOUR)})
    assert answer["routes"] == []
    assert not hub.pass_key.exists() and not hub.routes_file.exists()
    assert not hub.refusals("acme", "mattbox")


@pytest.mark.parametrize("alone", ["relay_pass_key_file", "relay_routes_file"])
def test_one_of_the_two_flags_alone_is_wrong_usage(make_hub, alone):
    hub = make_hub(start=False)
    done = hub.start_and_fail(**{alone: None})
    assert done.code == 2 and "need each other" in done.err


def test_an_edge_on_a_lan_has_no_route_table(make_hub):
    hub = make_hub(lan=True)
    assert hub.wait_fault("--relay-routes-file", "ignored")
    hub.show("acme", {"mattbox": None})
    assert not hub.pass_key.exists() and not hub.routes_file.exists()


def test_check_prints_the_table_and_makes_no_key(make_hub):
    hub = make_hub(start=False)
    write_json(hub.routes_file, {"bindings": {
        "mattbox": {"spoke": "acme", "epoch": HOUR}, "gone": {"spoke": "nobody", "epoch": HOUR},
        "future": {"spoke": "acme", "epoch": 900_000_000}}}, 0o644)
    registry = read_json(hub.registry_file)
    registry["tenants"]["acme.mattbox"] = {"hostname": "mattbox.acme.test", "port": 20000,
                                           "via": "acme"}
    write_json(hub.registry_file, registry)
    before = hub.routes_file.read_text(encoding="utf-8")
    done = run("losos-registrar", "check", *hub.arguments(), env=hub.clock.env)
    assert done.code == 0, done
    printed = json.loads(done.out[done.out.rindex("\n{\n"):])
    assert printed == {"bindings": {"mattbox": {"spoke": "acme", "epoch": HOUR}}, "routes": [ROUTE]}
    assert 'rule: "Host(`mattbox.cloud.test`)"' in done.out
    assert not hub.pass_key.exists()
    assert hub.routes_file.read_text(encoding="utf-8") == before


def test_a_route_goes_with_its_hour_without_any_call(make_hub):
    hub = make_hub(reconcile_interval="20ms")
    hub.bind("acme", "mattbox")
    until(lambda: hub.routed_hosts() == {"mattbox.cloud.test"}, "the router")
    hub.stop_clock((HOUR + 3) * 3600 - 1)
    seen = hub.metric("reconciles_total")
    until(lambda: hub.metric("reconciles_total") > seen + 2, "some reconciles")
    assert hub.routes() == {"mattbox.cloud.test": "acme.mattbox"}
    hub.stop_clock((HOUR + 3) * 3600)
    until(lambda: hub.routes() == {}, "no route")
    until(lambda: not hub.routed_hosts(), "no router")
    # A clock that was only ahead for a while costs nothing for good.
    hub.stop_clock(NOW)
    until(lambda: hub.routed_hosts() == {"mattbox.cloud.test"}, "the router again")
