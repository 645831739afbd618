"""kill -9 between any two steps of the registrar's writes, and each of these steps failing."""

import errno
import shutil

import pytest
from losos_tools import run, token, until, write_json, write_text
from losos_tools.crashing import (CrashingEdge, fail_at_every_step, kill_at_every_step,
                                  kill_from_the_start_on)

WALKS = pytest.mark.parametrize("walk", [kill_at_every_step, fail_at_every_step],
                                ids=["killed", "failing"])
# More than any change has steps.
MANY = 80


@pytest.fixture
def tmp_path(memory_disk):
    return memory_disk


def host(name):
    return f"{name}.losos.test"


def store_rows(edge, names):
    """A registry as a former run left it."""
    rows = {name: {"hostname": host(name), "port": 20000 + number}
            for number, name in enumerate(names)}
    write_json(edge.registry_file, {"tenants": rows, "compute_windows": {}, "resting": {}})
    return {name: host(name) for name in names}


def store_enrolled(edge, names):
    edge.enrol_dir.mkdir(0o700)
    rows = {}
    for name in names:
        path = write_text(edge.enrol_dir / f"{name}.token", token(name) + "\n")
        rows[name] = {"hostname": host(name), "token_file": str(path)}
    write_json(edge.enrol_dir / "tenants.json", rows)


@WALKS
def test_a_listed_box_registers(make_edge, walk):
    edge = make_edge(start=False, tenants=[f"t{number}" for number in range(MANY)])
    crash = CrashingEdge(edge)

    def scenario(number):
        name = f"t{number}"
        return crash.change(lambda: edge.register(name), {name: host(name)})

    walk(crash, scenario)


# The registrar sees that its own directory changed, and has a second look.
@WALKS
def test_a_stranger_enrols(make_edge, walk):
    edge = make_edge(start=False, enrol=True)
    crash = CrashingEdge(edge)

    def scenario(number):
        name = f"n{number}"
        return crash.change(lambda: edge.register(name), {name: host(name)})

    walk(crash, scenario, reconciles=2)


@WALKS
def test_an_enrolled_box_renames_itself(make_edge, walk):
    edge = make_edge(start=False, enrol=True)
    store_enrolled(edge, ["box"])
    crash = CrashingEdge(edge, store_rows(edge, ["box"]))

    def scenario(number):
        return crash.change(lambda: edge.register("box", host(f"name{number}")),
                            {"box": host(f"name{number}")})

    walk(crash, scenario, reconciles=2)


@WALKS
def test_a_gateway_relays_other_boxes_than_before(make_edge, walk):
    edge = make_edge(start=False, tenants={"acme": {"relay_zone": "acme.test"}})
    crash = CrashingEdge(edge)

    def scenario(number):
        hosts = {f"b{number}": f"b{number}.acme.test", "kept": "kept.acme.test"}
        gone = {name: None for name in crash.rows}
        return crash.change(lambda: edge.relay("acme", list(hosts.items())),
                            {**gone, **{f"acme.{name}": each for name, each in hosts.items()}})

    walk(crash, scenario)


@pytest.mark.parametrize("first", range(1, 40, 6))
def test_a_disk_that_can_only_be_read_from_some_step_on(make_edge, first):
    edge = make_edge(start=False, tenants=["old", "gone", "new"], enrol=True, reconcile_interval="100ms")
    crash = CrashingEdge(edge, store_rows(edge, ["old", "gone"]))
    crash.start()
    crash.injector.plan("fail-from", first, errno.EROFS)
    answers = [edge.register("stranger").status, edge.deregister("gone").status,
               edge.register("new").status]
    assert set(answers) <= {200, 204, 503} and answers[1:] == [503, 503], answers
    assert edge.heartbeat("old").status == 204
    edge.daemon.wait_line("Read-only file system")
    acknowledged = {"stranger": host("stranger")} if answers[0] == 200 else {}
    crash.check_rows(acknowledged, {"stranger": host("stranger")})
    crash.injector.plan("count")
    assert edge.register("stranger").status == 200
    assert edge.deregister("gone").status == 204
    crash.check_rows({"stranger": host("stranger"), "gone": None})
    edge.daemon.kill()
    crash.start()
    crash.check_files()


@WALKS
def test_a_box_deregisters(make_edge, walk):
    names = [f"t{number}" for number in range(MANY)]
    edge = make_edge(start=False, tenants=names)
    crash = CrashingEdge(edge, store_rows(edge, names))
    edge.start()
    edge.stop()

    def scenario(number):
        name = f"t{number}"
        return crash.change(lambda: edge.deregister(name), {name: None})

    walk(crash, scenario)


def test_the_last_box_deregisters(make_edge):
    """To the end: Traefik's file goes with it, instead of being replaced, and a second later the
    service goes as well."""
    edge = make_edge(start=False, tenants=["box"])
    crash = CrashingEdge(edge)

    def scenario(_):
        crash.injector.plan("count")
        assert edge.register("box").status == 200
        crash.wait_struck(1, after="losos.yml")
        crash.rows = {"box": host("box")}
        return crash.change(lambda: edge.deregister("box"), {"box": None})

    # Up to the end of the first pass it is like any departure; from there on a round takes two seconds.
    kill_at_every_step(crash, scenario, reconciles=0, after="server.toml", first=20, every=2)


def test_an_operator_forgets_a_box(make_edge):
    names = [f"n{number}" for number in range(MANY)]
    edge = make_edge(start=False, enrol=True)
    store_enrolled(edge, names)
    crash = CrashingEdge(edge, store_rows(edge, names))
    edge.start()
    edge.stop()

    def scenario(number):
        def forget():
            done = run("losos-edge", "forget", f"n{number}", "--state-dir", edge.state)
            assert done.code == 0, done
        return crash.change(forget, {f"n{number}": None}, again=lambda: None, operators=True)

    kill_at_every_step(crash, scenario)


def test_an_operator_rotates_a_token(make_edge):
    edge = make_edge(start=False, tenants=["box"])
    crash = CrashingEdge(edge, store_rows(edge, ["box"]))

    def scenario(number):
        new = token(f"rotated{number}")
        return crash.change(lambda: write_text(edge.token_file("box"), new + "\n") and None,
                            {"box": host("box")}, operators=True,
                            again=lambda: edge.heartbeat("box", token=new))

    kill_at_every_step(crash, scenario)


def test_an_operator_takes_a_box_off_the_list(make_edge):
    names = [f"t{number}" for number in range(MANY)]
    edge = make_edge(start=False, tenants=names)
    crash = CrashingEdge(edge, store_rows(edge, names))
    edge.start()
    edge.stop()

    def scenario(number):
        gone = f"t{number}"
        if gone in names:
            names.remove(gone)
        return crash.change(lambda: edge.list_tenants(names), {gone: None}, operators=True,
                            again=lambda: None)

    kill_at_every_step(crash, scenario)


def test_an_operator_gives_a_box_another_name(make_edge):
    edge = make_edge(start=False, tenants=["box"])
    crash = CrashingEdge(edge, store_rows(edge, ["box"]))

    def scenario(number):
        renamed = host(f"name{number}")
        return crash.change(lambda: edge.list_tenants({"box": {"hostname": renamed}}),
                            {"box": renamed}, operators=True, again=lambda: edge.heartbeat("box"))

    kill_at_every_step(crash, scenario)


def test_a_silent_box_is_pruned(make_edge):
    edge = make_edge(start=False, tenants=["box"], reconcile_interval="1s")
    crash = CrashingEdge(edge)

    def prepare():
        edge.flags["heartbeat_ttl"] = "50ms"
        crash.rows = store_rows(edge, ["box"])

    def check():
        edge.flags["heartbeat_ttl"] = "1h"
        crash.start()
        crash.check_rows({"box": host("box")}, {"box": None})
        crash.check_files()
        assert edge.register("box").status == 200
        # What the next start need not write costs its departure no delay.
        until(edge.routers, "the router")

    def done():
        assert edge.rows() == {}, crash.injector.steps()
        until(lambda: not edge.losos_yml.exists(), "the router gone")

    kill_from_the_start_on(crash, prepare, check, done, after="registry.json")


def test_a_first_start(make_edge):
    edge = make_edge(start=False, enrol=True, tenants=["box"])
    crash = CrashingEdge(edge)

    def prepare():
        for folder in crash.folders:
            shutil.rmtree(folder)
            folder.mkdir()

    def check():
        crash.start()
        crash.check_rows({})
        crash.check_files()
        assert edge.advert.exists()

    kill_from_the_start_on(crash, prepare, check, lambda: crash.check_rows({}))
