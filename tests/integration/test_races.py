"""Two at once: enrolments and a forget, an operator who edits in place, runs of one tool side by
side, and calls that share a commit with one that cannot be written."""

import signal
import threading
import time

import pytest
from losos_tools import (NOISE_KEY, Daemon, read_json, reply, run, token, until, write_text)
from losos_tools.registrar import Reservation

ROUNDS = 12


def in_threads(*calls):
    """Runs all at once; what they returned."""
    results = [None] * len(calls)
    ready = threading.Barrier(len(calls))

    def work(number):
        ready.wait()
        results[number] = calls[number]()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


FORGET = {"losos-edge": lambda edge, name: run("losos-edge", "forget", name, "--state-dir",
                                               edge.state),
          "losos-registrar": lambda edge, name: run("losos-registrar", "enrol", "forget", name,
                                                    "--dir", edge.enrol_dir)}


def check_agreement(edge):
    """List, tokens and registry tell of the same boxes, and so do tunnels and routers."""
    listed = set(read_json(edge.enrol_dir / "tenants.json"))
    assert {path.stem for path in edge.enrol_dir.glob("*.token")} == listed
    until(lambda: set(edge.rows()) <= listed, lambda: f"{set(edge.rows())} within {listed}")
    until(lambda: set(edge.services()) == set(edge.rows()), "the tunnels to follow")
    until(lambda: {name[len("losos_"):] for name in edge.routers()} == set(edge.rows()),
          "the routers to follow")
    return listed


@pytest.mark.parametrize("tool", FORGET)
def test_an_enrolment_and_a_forget_leave_what_both_agree_on(make_edge, tool):
    edge = make_edge(enrol=True)
    assert edge.register("other").status == 200
    answers = []
    for number in range(ROUNDS):
        register = [lambda: edge.register("box").status] * (1 + number % 2)
        *registered, forgotten, other = in_threads(
            *register, lambda: FORGET[tool](edge, "box").code,
            lambda: edge.register("other", f"other{number}.losos.test").status)
        assert set(registered) <= {200, 503} and forgotten in (0, 1) and other == 200
        answers.append((registered, forgotten))
        assert edge.heartbeat("other").status == 204
        if 200 in registered and forgotten == 1:
            # Nobody forgot it: what was acknowledged is there.
            assert "box" in edge.rows() and edge.heartbeat("box").status == 204
        rows = read_json(edge.enrol_dir / "tenants.json")
        assert rows["other"]["hostname"] == f"other{number}.losos.test", answers
    listed = check_agreement(edge)
    assert "other" in listed
    edge.daemon.kill()
    edge.start()
    assert check_agreement(edge) == listed
    # Whatever happened to it, the box comes back with the token it holds.
    assert edge.register("box").status == 200
    assert check_agreement(edge) == {"box", "other"}


def test_a_tenants_file_written_in_two_halves_counts_once_it_is_whole(make_edge):
    edge = make_edge(tenants=["a"], reconcile_interval="1h")
    assert edge.register("a").status == 200
    old = edge.tenants_file.read_text()
    write_text(edge.token_file("b"), token("b"))
    new = old.replace('"a"', '"b"').replace("a.losos.test", "b.losos.test").replace("a.token",
                                                                                   "b.token")
    edge.tenants_file.write_text(new[:len(new) // 2])
    edge.wait_fault(str(edge.tenants_file), "last good")
    assert edge.heartbeat("a").status == 204
    assert edge.register("b").status == 401
    with open(edge.tenants_file, "a", encoding="utf-8") as file:
        file.write(new[len(new) // 2:])
    written = time.monotonic()
    until(lambda: edge.register("b").status == 200, "the new list in force")
    assert time.monotonic() - written < 2
    until(lambda: set(edge.rows()) == {"b"} and not edge.faults(edge.tenants_file), "the old box gone")


def test_a_token_written_in_two_halves_counts_once_it_is_whole(make_edge):
    edge = make_edge(tenants=["a", "b"], reconcile_interval="1h")
    for name in "ab":
        assert edge.register(name).status == 200
    new = token("rotated")
    edge.token_file("a").write_text(new[:10])
    edge.wait_fault(str(edge.token_file("a")))
    assert edge.heartbeat("a", token=new[:10]).status == 401
    assert edge.heartbeat("b").status == 204
    with open(edge.token_file("a"), "a", encoding="utf-8") as file:
        file.write(new[10:])
    until(lambda: edge.register("a", token=new).status == 200, "the new token in force")
    assert edge.heartbeat("a").status == 401
    until(lambda: set(edge.services()) == {"a", "b"}, "both tunnels")


def test_strangers_that_cannot_be_written_down_cost_nobody_else_a_commit(make_edge):
    names = [f"t{number}" for number in range(12)]
    edge = make_edge(tenants=names, enrol=True)
    good = (edge.enrol_dir / "tenants.json")
    assert edge.register("before").status == 200
    text = good.read_text()
    write_text(good, "{")
    edge.wait_fault(str(good), "last good")
    calls = [lambda name=name: edge.register(name).status for name in names]
    strangers = [lambda number=number: edge.register(f"s{number}").status for number in range(12)]
    answers = in_threads(*[call for pair in zip(calls, strangers) for call in pair])
    assert answers == [200, 503] * len(names)
    assert good.read_text() == "{"
    write_text(good, text)
    until(lambda: edge.register("s0").status == 200, "a stranger enrolled")
    assert set(edge.rows()) == {*names, "before", "s0"}


def test_runs_of_client_config_side_by_side_all_write_the_whole_file(tmp_path, stand_in):
    edge = stand_in({"/health": reply(200, "ok"), "/noise-public-key": reply(200, NOISE_KEY + "\n")})
    secret = write_text(tmp_path / "token", token("box"))
    words = ["client-config", "--appliance-id", "box", "--path-env", tmp_path / "env", "--token-file",
             secret, "--bootstrap-token-file", secret, "--pins-dir", tmp_path / "pins",
             "--noise-public-key-file", tmp_path / "pins" / "pin", "--output",
             tmp_path / "out" / "client.toml", "--registrar-url", edge.url, "--edge-rathole-endpoint"]
    calls = [lambda number=number: run("lososd-pathd", *words, f"edge{number}.test:2333")
             for number in range(8)]
    for done in in_threads(*calls):
        assert done.code == 0, done
    assert "edge" in (tmp_path / "out" / "client.toml").read_text()


def test_makers_of_one_key_side_by_side_make_one_pair(tmp_path):
    key = tmp_path / "key"
    words = ["noise", "keygen", "--noise-private-key-file", key]
    for done in in_threads(*[lambda: run("losos-registrar", *words)] * 8):
        assert done.code == 0, done
    pair = key.read_bytes(), (tmp_path / "key.pub").read_bytes()
    assert run("losos-registrar", *words).code == 0
    assert (key.read_bytes(), (tmp_path / "key.pub").read_bytes()) == pair


def test_of_registrars_started_at_once_one_runs_and_the_others_end_with_6(make_edge):
    edge = make_edge(tenants=["a"])
    assert edge.register("a").status == 200
    edge.daemon.kill()
    before = edge.registry_file.read_bytes()
    # Each on a port of its own: it is the directory that only one of them gets.
    reserved = [Reservation() for _ in range(4)]
    rivals = [Daemon(edge.folder, "losos-registrar", ["serve", *edge.arguments(
        listen=f"127.0.0.1:{each.port}")]) for each in reserved]
    try:
        until(lambda: sum(each.running() for each in rivals) == 1, "three of four to give way")
        winner = next(each for each in rivals if each.running())
        losers = [each for each in rivals if each is not winner]
        assert [each.wait() for each in losers] == [6] * 3
        assert all(str(edge.state) in each.log() for each in losers)
        assert winner.wait_ready().stop() == 0
        assert edge.registry_file.read_bytes() == before
    finally:
        for each in rivals:
            each.kill()
        for each in reserved:
            each.close()


def test_a_hangup_ends_no_daemon(make_edge, tmp_path, stand_in):
    edge = make_edge(enrol=True)
    edge.daemon.signal(signal.SIGHUP)
    assert edge.register("box").status == 200
    assert edge.stop() == 0
    assert not edge.advert.exists()
    secret = write_text(tmp_path / "token", token("box"))
    announce = Daemon(tmp_path, "losos-announce", [
        "--appliance-id", "box", "--hostname", "box.test", "--token-file", secret, "--run-dir",
        tmp_path, "--registrar-url", stand_in().url])
    announce.wait_ready()
    announce.signal(signal.SIGHUP)
    assert announce.stop() == 0
