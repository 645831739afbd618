"""POST /register for tenants the operator listed. Enrolment has a file of its own."""

import pytest
from losos_tools import relay_pass, token, until

SHARED_EDGE = {"tenants": [f"box{n}" for n in range(12)]}

SOUND = {"appliance_id": "box0", "token": token("box0"), "hostname": "box0.losos.test"}


def test_a_listed_box_gets_a_port_of_the_default_range(shared_edge):
    answer = shared_edge.register("box0")
    assert answer.status == 200
    assert list(answer.json()) == ["rathole_port"]
    assert 20000 <= answer.json()["rathole_port"] <= 29999
    assert answer.headers["content-type"].startswith("application/json")


def test_a_box_that_registers_again_keeps_its_port(shared_edge):
    first = shared_edge.register("box1").json()
    shared_edge.register("box2")
    assert shared_edge.register("box1").json() == first


def test_a_new_box_gets_the_lowest_free_port_and_the_last_one_none(make_edge):
    edge = make_edge(tenants="abcd", port_range="21000-21002")
    assert [edge.register(box).json()["rathole_port"] for box in "abc"] == [21000, 21001, 21002]
    full = edge.register("d")
    assert full.status == 503
    assert "no port is free" in full.text
    assert "d" not in edge.rows()
    assert edge.register("b").json() == {"rathole_port": 21001}


def test_a_wrong_token_is_401_even_where_no_port_is_free(make_edge):
    edge = make_edge(tenants="ab", port_range="21000-21000")
    edge.register("a")
    assert edge.register("b").status == 503
    assert edge.register("b", token="x" * 40).status == 401


def test_an_answered_registration_is_on_disk_and_in_rathole_file_already(shared_edge):
    port = shared_edge.register("box3").json()["rathole_port"]
    assert shared_edge.rows()["box3"] == {"hostname": "box3.losos.test", "port": port}
    assert shared_edge.services()["box3"] == port


@pytest.mark.parametrize("wrong", [
    {"token": token("box1")},
    {"token": token("box0")[:-1]},
    {"token": token("box0") + "x"},
    {"token": ""},
    {"token": " " * 40},
    {"token": token("box0") + "\n\u0007"},
    {"appliance_id": "nobody"},
    {"appliance_id": ""},
    {"appliance_id": "BOX0"},
    {"appliance_id": "box0."},
    {"appliance_id": "box0\u0000"},
    {"appliance_id": "../box0"},
], ids=lambda wrong: ascii(next(iter(wrong.items()))))
def test_who_cannot_prove_an_id_is_401_and_told_nothing_else(shared_edge, wrong):
    answer = shared_edge.post("/register", {**SOUND, **wrong})
    assert answer.status == 401
    assert answer.text == "unknown id or wrong token\n"


def test_blanks_around_a_token_do_not_count(shared_edge):
    assert shared_edge.register("box4", token=f" \t{token('box4')}\r\n").status == 200


def test_a_listed_box_cannot_take_another_hostname(shared_edge):
    assert shared_edge.register("box5").status == 200
    answer = shared_edge.register("box5", "other.losos.test")
    assert answer.status == 403
    assert "hostname" in answer.text
    assert shared_edge.rows()["box5"]["hostname"] == "box5.losos.test"


@pytest.mark.parametrize("odd", ["no name", "-a.test", "a..test", "a.test.", "x" * 254, "\u00e4.test"])
def test_a_listed_box_with_a_hostname_that_is_no_name_is_refused(shared_edge, odd):
    answer = shared_edge.register("box5", odd)
    assert answer.status == 400
    assert "hostname" in answer.text


def test_hostnames_are_the_same_in_any_case(shared_edge):
    assert shared_edge.register("box6", "BOX6.Losos.TEST").status == 200
    assert shared_edge.rows()["box6"]["hostname"] == "box6.losos.test"


def test_fields_nobody_knows_are_ignored(shared_edge):
    assert shared_edge.register("box7", version=3, nested={"a": [1]}).status == 200


@pytest.mark.parametrize("field", ["appliance_id", "token", "hostname"])
@pytest.mark.parametrize("value", [None, 7, True, ["x"], {"x": "y"}, "absent"], ids=str)
def test_a_field_that_is_missing_or_no_text_is_400_and_named(shared_edge, field, value):
    body = {**SOUND, field: value}
    if value == "absent":
        del body[field]
    answer = shared_edge.post("/register", body)
    assert answer.status == 400
    assert f'"{field}"' in answer.text
    assert token("box0") not in answer.text


@pytest.mark.parametrize("body", [
    b"", b"{", b"[]", b"null", b'"text"', b"{} {}", b'{"a": 1,}', b'{"a": \x01}', b'{"a": "\xff"}',
    b'{"appliance_id": "box0", "appliance_id": "box1"}', b"[" * 5000,
    b"\xef\xbb\xbf{}",
], ids=lambda body: ascii(body[:20]))
def test_a_body_that_is_no_json_object_is_400(shared_edge, body):
    answer = shared_edge.post("/register", body)
    assert answer.status == 400
    assert len(answer.text.strip().splitlines()) == 1


def test_a_pass_of_the_right_shape_is_kept_and_handed_on(shared_edge):
    def wait_pass(expected):
        until(lambda: shared_edge.live_pass("box8") == expected, "the pass in live.json")

    shared_edge.register("box8", relay_pass=relay_pass(480000))
    wait_pass(relay_pass(480000))
    shared_edge.register("box8")
    assert shared_edge.live_pass("box8") == relay_pass(480000)
    shared_edge.register("box8", relay_pass=relay_pass(480001, "b"))
    wait_pass(relay_pass(480001, "b"))


@pytest.mark.parametrize("odd", [
    "", "v1", relay_pass(1).upper(), relay_pass(1) + "0", relay_pass("1" * 21), relay_pass(""),
    relay_pass(-1), relay_pass(1, "g"), "v2" + relay_pass(1)[2:], 7, True, [relay_pass(1)], {},
], ids=lambda odd: ascii(odd)[:30])
def test_a_pass_of_another_shape_or_type_clears_the_one_kept(shared_edge, odd):
    assert shared_edge.register("box9", relay_pass=relay_pass(480000)).status == 200
    until(lambda: shared_edge.live_pass("box9"), "the pass in live.json")
    assert shared_edge.register("box9", relay_pass=odd).status == 200
    until(lambda: not shared_edge.live_pass("box9"), "live.json without the pass")
    assert "box9" in shared_edge.live_ids()


def test_a_pass_with_an_hour_of_twenty_digits_is_kept(shared_edge):
    longest = relay_pass("9" * 20)
    shared_edge.register("box10", relay_pass=longest)
    until(lambda: shared_edge.live_pass("box10") == longest, "the pass")


@pytest.mark.parametrize("path", ["/register", "/deregister", "/relay"])
def test_who_proves_nothing_is_turned_away_the_same_way_known_or_not(make_edge, path):
    edge = make_edge(tenants=["known"], reconcile_interval="1h")
    before = edge.metric("reconciles_total")
    for name in ("known", "unknown", "UNKNOWN"):
        body = {"appliance_id": name, "token": token("thief"), "hostname": "known.losos.test",
                "tenants": []}
        assert edge.post(path, body).status == 401
    assert edge.deregister("known").status == 204
    until(lambda: edge.metric("reconciles_total") > before, "the one call that proved itself")
    assert edge.metric("reconciles_total") == before + 1
