"""POST /heartbeat, /deregister and /unregister."""

import pytest
from losos_tools import relay_pass, token, until
from losos_tools.files import identity

SHARED_EDGE = {"tenants": [f"box{n}" for n in range(10)]}


def test_a_registered_box_is_answered_204_without_a_body(shared_edge):
    shared_edge.register("box0")
    answer = shared_edge.heartbeat("box0")
    assert (answer.status, answer.body) == (204, b"")
    assert "content-length" not in answer.headers


def test_a_known_box_that_is_not_registered_is_told_to_register(shared_edge):
    answer = shared_edge.heartbeat("box1")
    assert answer.status == 404
    assert "register again" in answer.text


@pytest.mark.parametrize("path", ["/heartbeat", "/deregister", "/unregister"])
@pytest.mark.parametrize("wrong", [{"token": token("box1")}, {"token": ""}, {"appliance_id": "who"},
                                   {"appliance_id": "BOX0"}], ids=str)
def test_who_cannot_prove_an_id_is_401_on_every_route(shared_edge, path, wrong):
    shared_edge.register("box0")
    body = {"appliance_id": "box0", "token": token("box0"), **wrong}
    answer = shared_edge.post(path, body)
    assert answer.status == 401
    assert answer.text == "unknown id or wrong token\n"
    assert shared_edge.heartbeat("box0").status == 204


def test_where_boxes_enrol_an_unknown_one_is_told_to_register(make_edge):
    edge = make_edge(enrol=True)
    assert edge.heartbeat("stranger").status == 404


@pytest.mark.parametrize("path", ["/heartbeat", "/deregister", "/unregister"])
@pytest.mark.parametrize("field", ["appliance_id", "token"])
@pytest.mark.parametrize("value", [5, ["x"], "absent"], ids=str)
def test_a_field_that_is_missing_or_no_text_is_400_and_named(shared_edge, path, field, value):
    body = {"appliance_id": "box0", "token": token("box0"), field: value}
    if value == "absent":
        del body[field]
    answer = shared_edge.post(path, body)
    assert answer.status == 400
    assert f'"{field}"' in answer.text


@pytest.mark.parametrize("idle", [True, False])
def test_a_box_may_say_whether_it_is_idle(shared_edge, idle):
    shared_edge.register("box2")
    assert shared_edge.heartbeat("box2", idle=idle).status == 204


@pytest.mark.parametrize("idle", ["yes", 1, []], ids=str)
def test_idleness_is_true_or_false_and_nothing_else(shared_edge, idle):
    shared_edge.register("box2")
    answer = shared_edge.heartbeat("box2", idle=idle)
    assert answer.status == 400
    assert '"idle"' in answer.text


def test_a_heartbeat_writes_nothing_to_the_disk(shared_edge):
    shared_edge.register("box3")
    until(lambda: "losos_box3" in shared_edge.routers(), "the router")
    files = (shared_edge.registry_file, shared_edge.server_toml, shared_edge.losos_yml)
    before = [identity(path) for path in files]
    for _ in range(50):
        assert shared_edge.heartbeat("box3").status == 204
    assert [identity(path) for path in files] == before


def test_a_heartbeat_brings_a_pass_keeps_it_and_clears_it(shared_edge):
    def wait_pass(expected):
        until(lambda: shared_edge.live_pass("box4") == expected, f"{expected} in live.json")

    shared_edge.register("box4")
    shared_edge.heartbeat("box4", relay_pass=relay_pass(480000))
    wait_pass(relay_pass(480000))
    shared_edge.heartbeat("box4")
    shared_edge.heartbeat("box4", relay_pass=relay_pass(480001))
    wait_pass(relay_pass(480001))
    shared_edge.heartbeat("box4", relay_pass="none")
    wait_pass(None)


@pytest.mark.parametrize("path", ["/deregister", "/unregister"])
def test_a_box_that_leaves_is_off_the_registry_and_has_to_register_again(shared_edge, path):
    shared_edge.register("box5")
    answer = shared_edge.deregister("box5", path)
    assert (answer.status, answer.body) == (204, b"")
    assert "box5" not in shared_edge.rows()
    assert shared_edge.heartbeat("box5").status == 404
    until(lambda: "box5" not in shared_edge.live_ids(), "live.json without the box")
    until(lambda: "losos_box5" not in shared_edge.routers(), "losos.yml without the box")
    until(lambda: "box5" not in shared_edge.services(), "server.toml without the box")


def test_leaving_twice_is_as_good_as_once(shared_edge):
    shared_edge.register("box6")
    assert [shared_edge.deregister("box6").status for _ in range(2)] == [204, 204]


def test_a_box_that_comes_back_at_once_has_its_port_again(shared_edge):
    first = shared_edge.register("box7").json()
    shared_edge.deregister("box7")
    shared_edge.register("box8")
    assert shared_edge.register("box7").json() == first
