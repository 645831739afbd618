"""Registrations that arrive together share one commit, and what was answered survives a crash."""

import concurrent.futures
import threading

from losos_tools import RawConnection, read_json, token, until
from losos_tools.http import HungUp, request_bytes

import json


def registration(box):
    body = {"appliance_id": box, "token": token(box), "hostname": f"{box}.losos.test"}
    return request_bytes("POST", "/register", json.dumps(body).encode())


def test_registrations_that_arrive_together_share_commits(make_edge):
    boxes = [f"box{n}" for n in range(60)]
    edge = make_edge(tenants=boxes)
    connections = [RawConnection(edge.port) for _ in boxes]
    requests = [registration(box) for box in boxes]
    for connection, request in zip(connections, requests):
        connection.send(request)
    answers = [connection.answer() for connection in connections]
    for connection in connections:
        connection.close()
    assert {answer.status for answer in answers} == {200}
    ports = {box: answer.json()["rathole_port"] for box, answer in zip(boxes, answers)}
    assert len(set(ports.values())) == 60
    assert {box: row["port"] for box, row in edge.rows().items()} == ports
    assert edge.services() == ports
    until(lambda: edge.metric('live{kind="direct"}') == 60, "the metrics to follow")
    assert 1 <= edge.metric("commits_total") <= 20


def test_a_call_alone_is_one_commit_and_one_that_changes_nothing_is_none(make_edge):
    edge = make_edge(tenants=["a", "b"])
    edge.register("a")
    edge.register("b")
    edge.register("a")
    edge.deregister("b")
    until(lambda: edge.metric('live{kind="direct"}') == 1, "the metrics to follow")
    assert edge.metric("commits_total") == 3
    assert edge.metric("commit_failures_total") == 0


def test_strangers_who_come_together_each_get_a_place_of_their_own(make_edge):
    boxes = [f"box{n}" for n in range(40)]
    edge = make_edge(enrol=True)
    with concurrent.futures.ThreadPoolExecutor(40) as pool:
        answers = list(pool.map(edge.register, boxes))
    assert {answer.status for answer in answers} == {200}
    assert len({answer.json()["rathole_port"] for answer in answers}) == 40
    enrolled = read_json(edge.enrol_dir / "tenants.json")
    assert set(enrolled) == set(boxes)
    assert all((edge.enrol_dir / f"{box}.token").read_text() == token(box) + "\n" for box in boxes)


def test_of_two_who_want_one_hostname_together_one_gets_it(make_edge):
    edge = make_edge(enrol=True)
    boxes = [f"box{n}" for n in range(16)]
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda box: edge.register(box, "wanted.test"), boxes))
    assert sorted(answer.status for answer in answers) == [200] + [409] * 15
    assert len(edge.rows()) == 1


def test_what_was_answered_before_a_crash_is_in_the_registry_after_it(make_edge):
    boxes = [f"box{n}" for n in range(200)]
    edge = make_edge(enrol=True)
    answered = {}
    enough = threading.Event()

    def come(box):
        try:
            with RawConnection(edge.port) as connection:
                connection.send(registration(box))
                answer = connection.answer()
        except (OSError, HungUp):
            return
        if answer.status == 200:
            answered[box] = answer.json()["rathole_port"]
            if len(answered) >= 60:
                enough.set()

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for box in boxes:
            pool.submit(come, box)
        assert enough.wait(20)
        edge.daemon.kill()
    rows = edge.rows()
    assert {box: rows.get(box, {}).get("port") for box in answered} == answered
    edge.start()
    again = {box: edge.register(box).json().get("rathole_port") for box in answered}
    assert again == answered
