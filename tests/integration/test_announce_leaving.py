"""losos-announce: a box leaves the edge it was at, once another one has taken it."""

import time

import pytest
from losos_tools import HangUp, read_json, reply, token, until, write_json
from losos_tools.announcing import TAKEN


def test_once_registered_elsewhere_the_box_leaves_the_edge_it_was_at(a_box, make_edge):
    old, new = (make_edge(name, tenants=["box"]) for name in ("old", "new"))
    first = a_box.start(url=old.url)
    until(a_box.registered_with, "the registration")
    assert first.stop() == 0
    assert set(old.rows()) == {"box"}
    a_box.start(url=new.url)
    until(lambda: not old.rows(), "the box gone at the old edge")
    assert set(new.rows()) == {"box"}
    assert read_json(a_box.announced)["url"] == new.url


def test_the_old_edge_is_asked_until_it_answers(a_box, stand_in):
    answers = iter([reply(503), HangUp, reply(204)])
    old = stand_in({"/deregister": lambda _: next(answers)})
    new = stand_in(TAKEN)
    write_json(a_box.announced, {"url": old.url, "at": 1})
    announce = a_box.start(url=new.url)
    asked = old.wait_asked("/deregister", 3, 20)
    assert asked[0].json() == {"appliance_id": "box", "token": token("box")}
    assert asked[0].at > new.asked("/register")[0].at
    announce.wait_line(f"left {old.url}")
    assert new.asked("/deregister") == []


def test_after_a_reboot_the_configured_edge_is_left_for_one_on_the_lan(a_box, make_edge):
    hub, gateway = (make_edge(name, tenants=["box"]) for name in ("hub", "gateway"))
    first = a_box.start(url=hub.url)
    until(a_box.registered_with, "the registration")
    assert first.stop() == 0
    a_box.announced.unlink()
    a_box.write_path(gateway.url)
    a_box.start(url=hub.url)
    until(lambda: not hub.rows(), "the box gone at the hub")
    assert set(gateway.rows()) == {"box"}


def test_an_edge_whose_answer_was_not_waited_for_is_left_as_well(a_box, stand_in):
    over = []
    old = stand_in({**TAKEN, "/register": lambda _: until(lambda: over, "the end of the test")
                    and HangUp})
    first = a_box.start(url=old.url)
    old.wait_asked("/register")
    assert first.stop() == 0
    assert read_json(a_box.announced) == {"leaving": [old.url]}
    new = stand_in(TAKEN)
    second = a_box.start(url=new.url)
    second.wait_line(f"left {old.url}: deregistered there")
    over.append(True)
    assert set(read_json(a_box.announced)) == {"url", "at"}
    assert old.asked("/deregister")[0].at > new.asked("/register")[0].at


def test_an_edge_that_is_reached_by_another_address_is_not_left(a_box, make_edge):
    edge = make_edge(tenants=["box"], noise=True)
    by_name = edge.url.replace("127.0.0.1", "localhost")
    assert by_name != edge.url
    a_box.write_path(edge.url)
    announce = a_box.start()
    until(a_box.registered_with, "the registration")
    a_box.write_path(by_name)
    announce.wait_line(f"{edge.url} is the edge {by_name} by another address")
    assert read_json(a_box.announced)["url"] == by_name
    assert "leaving" not in read_json(a_box.announced)
    assert set(edge.rows()) == {"box"}
    assert "left" not in announce.log()


def test_edges_with_keys_of_their_own_are_two_edges(a_box, make_edge):
    old, new = (make_edge(name, tenants=["box"], noise=True) for name in ("old", "new"))
    a_box.write_path(old.url)
    a_box.start()
    until(a_box.registered_with, "the registration")
    a_box.write_path(new.url)
    until(lambda: not old.rows(), "the box gone at the old edge")
    assert set(new.rows()) == {"box"}


@pytest.mark.parametrize("status", [401, 404])
def test_an_old_edge_that_refuses_is_left_alone(a_box, stand_in, status):
    old = stand_in({"/deregister": reply(status)})
    new = stand_in(TAKEN)
    write_json(a_box.announced, {"url": old.url, "at": 1})
    announce = a_box.start(url=new.url)
    announce.wait_line(f"left {old.url}.*{status}")
    heartbeats = len(new.asked("/heartbeat"))
    new.wait_asked("/heartbeat", heartbeats + 5)
    assert len(old.asked("/deregister")) == 1


def test_the_old_edge_is_not_left_before_the_new_one_took_the_box(a_box, stand_in):
    old = stand_in(TAKEN)
    new = stand_in({**TAKEN, "/register": reply(503)})
    write_json(a_box.announced, {"url": old.url, "at": 1})
    a_box.start(url=new.url)
    new.wait_asked("/register", 2)
    assert old.requests == []
    assert read_json(a_box.announced)["url"] == old.url
    new.answers.update(TAKEN)
    old.wait_asked("/deregister")


def test_a_restart_at_the_same_edge_leaves_nothing(a_box, stand_in):
    edge = stand_in(TAKEN)
    for _ in range(2):
        announce = a_box.start(url=edge.url)
        beats = len(edge.asked("/heartbeat"))
        edge.wait_asked("/heartbeat", beats + 2)
        assert announce.stop() == 0
    assert edge.asked("/deregister") == []


@pytest.mark.parametrize("busy", [False, True], ids=["idle", "in-a-call"])
def test_sigterm_deregisters_nothing_and_is_obeyed_at_once(a_box, stand_in, busy):
    over = []
    edge = stand_in({**TAKEN, "/heartbeat": lambda _: busy and until(
        lambda: over, "the end of the test") and HangUp or reply(204)})
    announce = a_box.start(url=edge.url)
    edge.wait_asked("/heartbeat")
    start = time.monotonic()
    assert announce.stop() == 0
    over.append(True)
    assert time.monotonic() - start < 2
    assert edge.asked("/deregister") == []
    assert read_json(a_box.announced)["url"] == edge.url


