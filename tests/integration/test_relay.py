"""POST /relay: what a gateway may hand on to a hub."""

import json
import socket

import pytest
from losos_tools import relay_pass, token, until, write_json

GATEWAYS = {"acme": {"relay_zone": "acme.losos.test"}, "beta": {"relay_zone": "beta.losos.test"},
            "plain": {}, "blank": {"relay_zone": None}}

SHARED_EDGE = {"tenants": GATEWAYS, "public_host": "hub.acme.losos.test",
               "reserved_host": ["www.acme.losos.test", "Api.Acme.losos.test"]}


def ids(rows):
    return [row["id"] for row in rows]


def reason(answer, box):
    return next(row["reason"] for row in answer["refused"] if row["id"] == box)


def test_an_accepted_box_has_a_port_a_row_a_service_and_a_router(shared_edge):
    answer = shared_edge.relay("acme", [("mattbox", "mattbox.acme.losos.test")])
    assert answer.status == 200
    port = answer.json()["accepted"][0]["rathole_port"]
    assert answer.json() == {
        "accepted": [{"id": "mattbox", "hostname": "mattbox.acme.losos.test",
                      "rathole_port": port}],
        "refused": [], "routes": []}
    assert shared_edge.rows()["acme.mattbox"] == {
        "hostname": "mattbox.acme.losos.test", "port": port, "via": "acme"}
    toml = shared_edge.server_toml.read_text()
    assert (f'[server.services."acme.mattbox"]\ntoken = "{token("acme")}"\n'
            f'bind_addr = "127.0.0.1:{port}"\n') in toml
    until(lambda: shared_edge.routers().get("losos_acme.mattbox") == "mattbox.acme.losos.test",
          "the router")
    assert "mattbox" not in shared_edge.live_ids()


@pytest.mark.parametrize("box, words", [
    ({"id": "Bad", "hostname": "a.acme.losos.test"}, "id"),
    ({"id": "a.b", "hostname": "a.acme.losos.test"}, "id"),
    ({"id": "", "hostname": "a.acme.losos.test"}, "id"),
    ({"id": "x" * 64, "hostname": "a.acme.losos.test"}, "id"),
    ({"id": "two", "hostname": "a.b.acme.losos.test"}, "one label under acme.losos.test"),
    ({"id": "apex", "hostname": "acme.losos.test"}, "one label under"),
    ({"id": "other", "hostname": "a.beta.losos.test"}, "one label under"),
    ({"id": "suffix", "hostname": "a.notacme.losos.test"}, "one label under"),
    ({"id": "odd", "hostname": "a b.acme.losos.test"}, "one label under"),
    ({"id": "wild", "hostname": "*.acme.losos.test"}, "one label under"),
    ({"id": "hub", "hostname": "hub.acme.losos.test"}, "reserved"),
    ({"id": "www", "hostname": "WWW.acme.losos.test"}, "reserved"),
    ({"id": "api", "hostname": "api.acme.losos.test"}, "reserved"),
], ids=lambda value: value["id"][:8] if isinstance(value, dict) else value.replace(" ", "-"))
def test_a_box_that_breaks_a_rule_is_refused_with_a_reason_and_the_others_are_not(
        shared_edge, box, words):
    answer = shared_edge.relay("acme", [("good", "good.acme.losos.test"), box,
                                        ("fine", "fine.acme.losos.test")])
    assert answer.status == 200
    assert ids(answer.json()["accepted"]) == ["good", "fine"]
    assert ids(answer.json()["refused"]) == [box["id"]]
    assert words in reason(answer.json(), box["id"])


def test_of_an_id_listed_twice_the_first_counts(shared_edge):
    answer = shared_edge.relay("acme", [("twin", "a.acme.losos.test"),
                                        ("twin", "b.acme.losos.test")]).json()
    assert [row["hostname"] for row in answer["accepted"]] == ["a.acme.losos.test"]
    assert "twice" in reason(answer, "twin")


def test_of_a_hostname_listed_twice_the_first_counts_whatever_its_case(shared_edge):
    answer = shared_edge.relay("acme", [("one", "same.acme.losos.test"),
                                        ("two", "SAME.acme.losos.test"),
                                        ("three", "same.acme.losos.test")]).json()
    assert ids(answer["accepted"]) == ["one"]
    assert ids(answer["refused"]) == ["two", "three"]
    assert "twice" in reason(answer, "two")


def test_a_refused_box_makes_neither_its_id_nor_its_hostname_taken(shared_edge):
    answer = shared_edge.relay("acme", [("one", "one.beta.losos.test"),
                                        ("one", "one.acme.losos.test")]).json()
    assert [row["hostname"] for row in answer["accepted"]] == ["one.acme.losos.test"]


def test_hostnames_are_lower_cased(shared_edge):
    answer = shared_edge.relay("acme", [("shout", "SHOUT.Acme.Losos.Test")]).json()
    assert answer["accepted"][0]["hostname"] == "shout.acme.losos.test"


def test_the_relayed_set_becomes_exactly_the_accepted_list(shared_edge):
    def relayed():
        return {row for row in shared_edge.rows() if row.startswith("beta.")}

    shared_edge.relay("beta", [(x, f"{x}.beta.losos.test") for x in "abc"])
    assert relayed() == {"beta.a", "beta.b", "beta.c"}
    before = shared_edge.rows()["beta.b"]
    shared_edge.relay("acme", [("x", "x.acme.losos.test")])
    shared_edge.relay("beta", [("d", "d.beta.losos.test"), ("b", "b.beta.losos.test"),
                               ("c", "c.acme.losos.test")])
    assert relayed() == {"beta.b", "beta.d"}
    assert shared_edge.rows()["beta.b"] == before
    assert shared_edge.relay("beta", []).json() == {"accepted": [], "refused": [], "routes": []}
    assert relayed() == set()
    assert "acme.x" in shared_edge.rows()


def test_a_box_may_change_its_hostname_and_keep_its_port(shared_edge):
    first = shared_edge.relay("acme", [("box", "old.acme.losos.test")]).json()["accepted"][0]
    second = shared_edge.relay("acme", [("box", "new.acme.losos.test")]).json()["accepted"][0]
    assert second == {**first, "hostname": "new.acme.losos.test"}
    assert shared_edge.rows()["acme.box"]["hostname"] == "new.acme.losos.test"


def test_two_gateways_cannot_hold_one_hostname(make_edge):
    hub = make_edge(tenants={"one": {"relay_zone": "zone.test"}, "two": {"relay_zone": "zone.test"}})
    assert ids(hub.relay("one", [("a", "box.zone.test")]).json()["accepted"]) == ["a"]
    late = hub.relay("two", [("b", "BOX.zone.test"), ("c", "c.zone.test")]).json()
    assert ids(late["accepted"]) == ["c"]
    assert "another gateway" in reason(late, "b")
    hub.relay("one", [])
    assert ids(hub.relay("two", [("b", "box.zone.test")]).json()["accepted"]) == ["b"]


@pytest.mark.parametrize("gateway", ["plain", "blank"])
def test_a_tenant_without_a_relay_zone_is_403(shared_edge, gateway):
    answer = shared_edge.relay(gateway, [("a", "a.losos.test")])
    assert answer.status == 403
    assert "relay zone" in answer.text


@pytest.mark.parametrize("wrong", [{"token": token("beta")}, {"appliance_id": "nobody"},
                                   {"appliance_id": "ACME"}], ids=str)
def test_a_gateway_that_cannot_prove_its_id_is_401(shared_edge, wrong):
    assert shared_edge.relay("acme", [], **wrong).status == 401


def test_sixty_four_boxes_are_taken_and_sixty_five_are_400(shared_edge):
    boxes = [(f"b{n}", f"b{n}.beta.losos.test") for n in range(65)]
    assert len(shared_edge.relay("beta", boxes[:64]).json()["accepted"]) == 64
    answer = shared_edge.relay("beta", boxes)
    assert answer.status == 400
    assert "64" in answer.text and "tenants" in answer.text
    assert len([row for row in shared_edge.rows() if row.startswith("beta.")]) == 64
    shared_edge.relay("beta", [])


def test_the_largest_legal_list_fits_into_a_body(make_edge):
    zone = ".".join(["z" * 63, "z" * 63, "z" * 61])
    hub = make_edge(tenants={"acme": {"relay_zone": zone}})
    boxes = [{"id": f"{n:02}".ljust(63, "x"), "hostname": f"{n:02}".ljust(63, "y") + "." + zone,
              "pass": relay_pass("9" * 20)} for n in range(64)]
    assert {len(box["hostname"]) for box in boxes} == {253}
    body = {"appliance_id": "acme", "token": token("acme"), "tenants": boxes}
    assert len(json.dumps(body)) < 64 * 1024
    assert len(hub.post("/relay", body).json()["accepted"]) == 64


def test_where_no_port_is_free_that_box_is_refused_and_the_others_are_not(make_edge):
    hub = make_edge(tenants={"acme": {"relay_zone": "acme.test"}}, port_range="21000-21001")
    answer = hub.relay("acme", [(x, f"{x}.acme.test") for x in "abc"]).json()
    assert ids(answer["accepted"]) == ["a", "b"]
    assert "no port is free" in reason(answer, "c")


@pytest.mark.parametrize("row, words", [
    ("text", "tenants[1]"), (7, "tenants[1]"), ([], "tenants[1]"), (None, "tenants[1]"),
    ({"hostname": "a.acme.losos.test"}, '"id"'), ({"id": 5, "hostname": "a.b"}, '"id"'),
    ({"id": "a"}, '"hostname"'), ({"id": "a", "hostname": ["x"]}, '"hostname"'),
], ids=str)
def test_a_row_of_the_wrong_type_is_400_and_named(shared_edge, row, words):
    answer = shared_edge.relay("acme", [("good", "good.acme.losos.test"), row])
    assert answer.status == 400
    assert words in answer.text and "tenants[1]" in answer.text


@pytest.mark.parametrize("change", [{"tenants": None}, {"tenants": "a"}, {"tenants": {}},
                                    {"tenants": 4}], ids=str)
def test_a_list_that_is_none_is_400_and_named(shared_edge, change):
    answer = shared_edge.relay("acme", [], **change)
    assert answer.status == 400
    assert '"tenants"' in answer.text


@pytest.mark.parametrize("odd", ["nonsense", 7, None, [], relay_pass(480000)], ids=str)
def test_whatever_a_pass_is_it_never_costs_a_box_its_place(shared_edge, odd):
    box = {"id": "a", "hostname": "a.acme.losos.test", "pass": odd}
    assert ids(shared_edge.relay("acme", [box]).json()["accepted"]) == ["a"]


@pytest.mark.parametrize("route, fields", [
    ("/register", {"hostname": "mattbox.acme.losos.test"}), ("/heartbeat", {}), ("/deregister", {}),
    ("/unregister", {}), ("/relay", {"tenants": []}), ("/domains/list", {}), ("/cluster/join", {}),
])
def test_a_relayed_box_is_no_tenant_on_any_route(shared_edge, route, fields):
    shared_edge.relay("acme", [("mattbox", "mattbox.acme.losos.test")])
    for name in ("acme.mattbox", "mattbox"):
        body = {"appliance_id": name, "token": token("acme"), **fields}
        assert shared_edge.post(route, body).status == 401
    assert "acme.mattbox" in shared_edge.rows()


def test_where_a_direct_tenant_has_the_hostname_it_alone_has_the_router(make_edge):
    hub = make_edge(tenants={"acme": {"relay_zone": "acme.test"},
                             "direct": {"hostname": "box.acme.test"}})
    assert ids(hub.relay("acme", [("box", "box.acme.test")]).json()["accepted"]) == ["box"]
    until(lambda: hub.routers() == {"losos_acme.box": "box.acme.test"}, "the relayed router")
    assert hub.register("direct", "box.acme.test").status == 200
    until(lambda: hub.routers() == {"losos_direct": "box.acme.test"}, "the direct router alone")
    assert set(hub.services()) == {"acme.box", "direct"}
    hub.deregister("direct")
    until(lambda: hub.routers() == {"losos_acme.box": "box.acme.test"}, "the relayed router again")


def test_a_hostname_stays_with_a_tunnel_that_stands_until_the_direct_one_does(make_edge):
    hub = make_edge(tenants={"acme": {"relay_zone": "acme.test"},
                             "direct": {"hostname": "box.acme.test"}},
                    port_range="28400-28409")
    relayed = hub.relay("acme", [("box", "box.acme.test")]).json()["accepted"][0]["rathole_port"]
    until(lambda: "losos_acme.box" in hub.routers(), "the relayed router")
    # rathole listens on a service's port while its client is connected.
    with socket.create_server(("127.0.0.1", relayed)):
        direct = hub.register("direct", "box.acme.test").json()["rathole_port"]
        before = hub.metric("reconciles_total")
        until(lambda: hub.metric("reconciles_total") > before + 3, "several looks")
        assert hub.routers() == {"losos_acme.box": "box.acme.test"}
        with socket.create_server(("127.0.0.1", direct)):
            until(lambda: hub.routers() == {"losos_direct": "box.acme.test"}, "the direct router")
        # Once it has the name it keeps it, whatever its tunnel does.
        before = hub.metric("reconciles_total")
        assert hub.relay("acme", [("box", "box.acme.test")]).status == 200
        until(lambda: hub.metric("reconciles_total") > before, "another look")
        assert hub.routers() == {"losos_direct": "box.acme.test"}


def test_a_zone_that_is_taken_away_takes_its_boxes_with_it(make_edge):
    hub = make_edge(tenants=GATEWAYS)
    hub.relay("acme", [("a", "a.acme.losos.test")])
    hub.relay("beta", [("b", "b.beta.losos.test")])
    rows = json.loads(hub.tenants_file.read_text())
    rows["acme"]["relay_zone"] = "elsewhere.test"
    write_json(hub.tenants_file, rows)
    until(lambda: set(hub.rows()) == {"beta.b"}, lambda: f"beta's box alone; {set(hub.rows())}")
    until(lambda: set(hub.routers()) == {"losos_beta.b"}, "beta's router alone")


def test_a_gateway_taken_off_the_list_takes_its_boxes_with_it(make_edge):
    hub = make_edge(tenants=GATEWAYS)
    hub.relay("acme", [("a", "a.acme.losos.test")])
    hub.list_tenants({"beta": GATEWAYS["beta"]})
    until(lambda: not hub.rows(), "an empty registry")
    assert hub.relay("acme", []).status == 401
