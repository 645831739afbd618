"""losos-announce: a box registers, says that it is there, and moves from edge to edge."""

import json
import time

import pytest
from losos_tools import (HangUp, mode_of, read_json, relay_pass, reply, run, token, until,
                         write_json, write_text)
from losos_tools.announcing import TAKEN, Box


# --- registering and staying ---


def test_a_box_registers_and_stays_registered_with_a_real_edge(a_box, make_edge):
    edge = make_edge(tenants=["box"], heartbeat_ttl="1s", reconcile_interval="100ms")
    start = time.monotonic()
    announce = a_box.start(url=edge.url)
    announce.wait_ready()
    until(lambda: "box" in edge.rows(), "the box registered")
    while time.monotonic() < start + 2.5:
        assert set(edge.rows()) == {"box"}
    assert announce.stop() == 0


def test_the_calls_hold_what_an_edge_asks_for_and_nothing_else(a_box, stand_in):
    edge = stand_in(TAKEN)
    a_box.start("--idle", "off", url=edge.url)
    edge.wait_asked("/heartbeat", 2)
    assert len(edge.asked("/register")) == 1
    register = edge.asked("/register")[0]
    assert (register.method, register.headers["content-type"]) == ("POST", "application/json")
    assert register.json() == {"appliance_id": "box", "token": token("box"),
                               "hostname": "box.losos.test"}
    assert edge.asked("/heartbeat")[0].json() == {"appliance_id": "box", "token": token("box")}


def test_what_it_registered_with_is_noted_for_its_owner_alone(a_box, stand_in):
    edge = stand_in(TAKEN)
    before = int(time.time())
    a_box.start(url=edge.url)
    until(a_box.registered_with, "the registration")
    noted = read_json(a_box.announced)
    assert set(noted) == {"url", "at"} and noted["url"] == edge.url
    assert before <= noted["at"] <= time.time()
    assert mode_of(a_box.announced) == 0o600


def test_a_box_the_edge_does_not_know_any_more_registers_again_at_once(a_box, stand_in):
    edge = stand_in({**TAKEN, "/heartbeat": lambda _: reply(
        404 if len(edge.asked("/heartbeat")) == 2 else 204)})
    announce = a_box.start(url=edge.url)
    edge.wait_asked("/heartbeat", 3)
    heartbeat = edge.asked("/heartbeat")[1]
    again = edge.wait_asked("/register", 2)[1]
    assert again.at - heartbeat.at < 1
    announce.wait_line("registering again")


def test_an_edge_that_lost_its_memory_has_the_box_again(a_box, make_edge):
    edge = make_edge(tenants=["box"])
    a_box.start(url=edge.url)
    until(lambda: "box" in edge.rows(), "the box registered")
    edge.stop()
    edge.registry_file.unlink()
    edge.start()
    until(lambda: "box" in edge.rows(), "the box registered again", 20)


# --- refusals ---


# What a refusal leaves its owner to do.
WAYS_OUT = {401: "list this box with its token", 403: "give --hostname as the edge lists it",
            409: "choose another --hostname"}


@pytest.mark.parametrize("status", WAYS_OUT)
@pytest.mark.parametrize("path", ["/register", "/heartbeat"])
def test_a_refusal_is_noted_and_said_once(a_box, stand_in, status, path):
    edge = stand_in({**TAKEN, path: reply(status, "go away\n")})
    announce = a_box.start(url=edge.url)
    until(a_box.refused.exists, "refused.json")
    noted = read_json(a_box.refused)
    assert noted == {edge.url: {"status": status, "at": noted[edge.url]["at"]}}
    assert abs(noted[edge.url]["at"] - time.time()) < 10
    assert mode_of(a_box.refused) == 0o600
    announce.wait_line(f"{status}: go away; ")
    line = next(line for line in announce.log().splitlines() if "go away" in line)
    assert WAYS_OUT[status] in line and line.endswith("; trying again every minute")


def test_a_refused_box_waits_a_minute_while_a_busy_edge_is_asked_again_soon(a_box, stand_in,
                                                                            tmp_path):
    refusing = stand_in({"/register": reply(401)})
    busy = stand_in({"/register": reply(503)})
    other = Box(tmp_path / "other")
    try:
        a_box.start(url=refusing.url)
        refusing.wait_asked("/register")
        other.start(url=busy.url)
        asked = busy.wait_asked("/register", 3)
        gaps = [later.at - earlier.at for earlier, later in zip(asked, asked[1:])]
        assert 0.45 <= gaps[0] <= 2.5 and 0.95 <= gaps[1] <= 3.5
        assert len(refusing.requests) == 1
        assert not other.refused.exists()
    finally:
        other.close()


def test_a_refusal_is_forgotten_once_that_edge_takes_the_box(a_box, stand_in):
    edge = stand_in(TAKEN)
    write_json(a_box.refused, {edge.url: {"status": 401, "at": 1},
                               "http://other.test": {"status": 409, "at": 2}})
    a_box.start(url=edge.url)
    until(lambda: read_json(a_box.refused) == {"http://other.test": {"status": 409, "at": 2}},
          "the refusal forgotten, the other kept")


@pytest.mark.parametrize("name", ["announced", "refused"])
def test_a_note_that_cannot_be_read_costs_only_itself(a_box, stand_in, name):
    edge = stand_in(TAKEN)
    write_text(getattr(a_box, name), "{")
    announce = a_box.start(url=edge.url)
    edge.wait_asked("/heartbeat")
    announce.wait_line(f"{name}.json")


@pytest.mark.parametrize("answer", [HangUp, reply(200, "a captive portal"), reply(500),
                                    reply(200, {"rathole_port": 0}), b"nonsense\r\n\r\n"],
                         ids=["hung-up", "portal", "500", "port", "nonsense"])
def test_an_answer_no_edge_would_give_is_no_registration_and_is_tried_again(a_box, stand_in, answer):
    edge = stand_in({**TAKEN, "/register": answer})
    a_box.start(url=edge.url)
    edge.wait_asked("/register", 2)
    assert edge.asked("/heartbeat") == []
    assert not a_box.registered_with() and not a_box.refused.exists()
    edge.answers.update(TAKEN)
    edge.wait_asked("/heartbeat")


def test_an_edge_that_starts_later_is_found(a_box, make_edge):
    edge = make_edge(tenants=["box"], start=False)
    announce = a_box.start(url=edge.url)
    announce.wait_line("did not answer")
    edge.start()
    until(lambda: "box" in edge.rows(), "the box registered", 20)


# --- --once ---


def test_once_registers_and_ends_with_0(a_box, make_edge):
    edge = make_edge(tenants=["box"])
    done = a_box.once("--registrar-url", edge.url)
    assert (done.code, done.out) == (0, "")
    assert set(edge.rows()) == {"box"}
    assert read_json(a_box.announced)["url"] == edge.url


def test_once_without_a_run_directory_complains_of_it_once(a_box, stand_in):
    edge = stand_in(TAKEN)
    a_box.run_dir.rmdir()
    done = a_box.once("--registrar-url", edge.url)
    assert done.code == 0 and done.err.count(str(a_box.announced)) == 1, done


@pytest.mark.parametrize("status, code", [(401, 3), (403, 3), (409, 3), (503, 4), (500, 4), (400, 1),
                                          (404, 1), (413, 1), (302, 1)])
def test_once_has_an_exit_code_for_each_answer(a_box, stand_in, status, code):
    edge = stand_in({"/register": reply(status, "why not\n")})
    done = a_box.once("--registrar-url", edge.url)
    assert done.code == code, done
    assert str(status) in done.err and "why not" in done.err
    assert len(edge.requests) == 1
    assert a_box.refused.exists() == (code == 3)
    assert not a_box.registered_with()


def test_once_without_an_answer_is_4(a_box, stand_in):
    edge = stand_in({"/register": HangUp})
    assert a_box.once("--registrar-url", edge.url).code == 4
    edge.close()
    done = a_box.once("--registrar-url", edge.url)
    assert done.code == 4
    assert edge.url in done.err


def test_once_leaves_the_edge_it_was_at_as_well(a_box, stand_in):
    old, new = stand_in(TAKEN), stand_in(TAKEN)
    assert a_box.once("--registrar-url", old.url).code == 0
    assert a_box.once("--registrar-url", new.url).code == 0
    assert [request.path for request in old.requests if request.method == "POST"] == [
        "/register", "/deregister"]
    assert [request.path for request in new.requests if request.method == "POST"] == ["/register"]


# --- pass and idleness ---


def test_a_relay_pass_is_sent_with_every_call_as_it_is_now(a_box, stand_in):
    edge = stand_in(TAKEN)
    write_text(a_box.pass_file, relay_pass(480000) + "\n")
    announce = a_box.start(url=edge.url)
    edge.wait_asked("/heartbeat")
    for path in ("/register", "/heartbeat"):
        assert edge.asked(path)[0].json()["relay_pass"] == relay_pass(480000)
    write_text(a_box.pass_file, relay_pass(480001) + "\n")
    until(lambda: edge.asked("/heartbeat")[-1].json().get("relay_pass") == relay_pass(480001),
          "the newer pass")
    write_text(a_box.pass_file, "nonsense\n")
    until(lambda: "relay_pass" not in edge.asked("/heartbeat")[-1].json(), "no pass")
    announce.wait_line(str(a_box.pass_file))
    a_box.pass_file.unlink()
    count = len(edge.asked("/heartbeat"))
    edge.wait_asked("/heartbeat", count + 2)


def test_a_pass_file_may_stand_elsewhere(a_box, stand_in, tmp_path):
    edge = stand_in(TAKEN)
    elsewhere = write_text(tmp_path / "pass", relay_pass(5))
    assert a_box.once("--registrar-url", edge.url, "--relay-pass-file", elsewhere).code == 0
    assert edge.requests[0].json()["relay_pass"] == relay_pass(5)


@pytest.mark.parametrize("mode, said", [("yes", True), ("no", False), ("off", None), (None, "auto"),
                                        ("auto", "auto")], ids=str)
def test_idleness_is_said_as_the_owner_wants(a_box, stand_in, mode, said):
    edge = stand_in(TAKEN)
    a_box.start(*(["--idle", mode] if mode else []), url=edge.url)
    idle = edge.wait_asked("/heartbeat")[0].json().get("idle")
    assert isinstance(idle, bool) if said == "auto" else idle is said
    assert "idle" not in edge.asked("/register")[0].json()


# --- where the edge is ---


def test_the_path_wins_over_the_flag_and_is_read_anew(a_box, stand_in):
    flag, first, second = (stand_in(TAKEN) for _ in range(3))
    a_box.write_path(first.url)
    a_box.start(url=flag.url)
    first.wait_asked("/heartbeat")
    a_box.write_path(second.url, "configured")
    second.wait_asked("/register")
    first.wait_asked("/deregister")
    # It may have had the box before a reboot; it is asked for nothing else.
    assert [request.path for request in flag.requests if request.method == "POST"] in (
        [], ["/deregister"])


def test_a_new_path_cuts_the_wait_after_a_refusal_short(a_box, stand_in):
    refusing = stand_in({"/register": reply(401, "no")})
    taking = stand_in(TAKEN)
    a_box.write_path(refusing.url)
    a_box.start()
    refusing.wait_asked("/register")
    a_box.write_path(taking.url)
    taking.wait_asked("/register")
    assert len(refusing.asked("/register")) == 1


def test_a_path_may_stand_elsewhere(a_box, stand_in, tmp_path):
    edge = stand_in(TAKEN)
    a_box.write_path(edge.url)
    a_box.path_env.rename(tmp_path / "path.env")
    assert a_box.once("--path-env", tmp_path / "path.env").code == 0
    assert len(edge.requests) == 1


def test_without_any_edge_it_is_6_and_says_what_to_do(a_box):
    for more in ([], ["--once"]):
        done = run("losos-announce", *a_box.arguments(*more))
        assert done.code == 6
        assert str(a_box.path_env) in done.err and "--registrar-url" in done.err


@pytest.mark.parametrize("text", ["nonsense\n", "LOSOS_EDGE_PATH_URL=ftp://x\n", ""],
                         ids=["nonsense", "url", "empty"])
def test_a_path_that_cannot_be_used_is_6_at_the_start_and_waited_out_later(a_box, stand_in, text):
    edge = stand_in(TAKEN)
    write_text(a_box.path_env, text)
    done = a_box.once("--registrar-url", edge.url)
    assert done.code == 6
    assert str(a_box.path_env) in done.err and '"systemctl restart lososd-pathd"' in done.err
    a_box.write_path(edge.url)
    a_box.start()
    beats = len(edge.wait_asked("/heartbeat"))
    write_text(a_box.path_env, text)
    edge.wait_asked("/heartbeat", beats + 3)


@pytest.mark.parametrize("content", [None, "", "short"], ids=["missing", "empty", "short"])
def test_a_token_that_cannot_be_used_is_6_at_the_start_and_waited_out_later(a_box, stand_in, content):
    edge = stand_in(TAKEN)
    announce = a_box.start(url=edge.url)
    beats = len(edge.wait_asked("/heartbeat"))
    a_box.token_file.unlink()
    if content is not None:
        write_text(a_box.token_file, content)
    last = edge.wait_asked("/heartbeat", beats + 3)[-1]
    assert last.json()["token"] == token("box")
    announce.wait_line(str(a_box.token_file))
    done = a_box.once("--registrar-url", edge.url)
    assert done.code == 6
    assert str(a_box.token_file) in done.err and "--token-file" in done.err


def test_a_rotated_token_is_used_at_the_next_call(a_box, stand_in):
    edge = stand_in(TAKEN)
    a_box.start(url=edge.url)
    edge.wait_asked("/heartbeat")
    write_text(a_box.token_file, token("rotated"))
    until(lambda: json.loads(edge.asked("/heartbeat")[-1].body)["token"] == token("rotated"),
          "the new token")
