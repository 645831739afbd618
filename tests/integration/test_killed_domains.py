"""kill -9 between any two steps with which a claim or a binding is written down, and each of these
steps failing: what was answered holds, and what was not is whole, before or after."""

import signal
import time

import pytest
from losos_tools import read_json, until, write_json
from losos_tools.crashing import MODES, CrashingEdge, is_good
from losos_tools.faults import ERRNO_OF, STRIDE
from losos_tools.files import mode_of
from losos_tools.http import HungUp
from losos_tools.relaying import sign_pass

OWN_MODES = {**MODES, "domains.json": 0o600, "relay-routes.json": 0o644, "relay-pass.key": 0o600,
             "losos.example.zone": 0o644}


@pytest.fixture
def tmp_path(memory_disk):
    return memory_disk


class Claims:
    """A box adds a domain that it removes again when all is well."""

    def __init__(self, make_official):
        self.mine = make_official(start=False)
        # Nothing but calls writes here.
        del self.mine.edge.flags["dns_check_url"]
        self.mine.vouch("mattbox")
        self.edge = self.mine.edge
        self.domain = None

    def prepare(self, number):
        self.domain = f"d{number}.example.org"

    def call(self):
        return self.mine.call("add", "mattbox", self.domain)

    def is_done(self):
        """What the disk says."""
        try:
            stored = [each["domain"] for each in read_json(self.mine.domains_file)["claims"]]
        except FileNotFoundError:
            stored = []
        assert stored in ([], [self.domain]), stored
        return bool(stored)

    def is_shown(self):
        return self.domain in self.mine.seen("mattbox")

    def undo(self):
        assert self.mine.call("remove", "mattbox", self.domain).status == 200


class Bindings:
    """A box goes from one gateway to another, and back when all is well."""

    def __init__(self, make_edge):
        self.edge = make_edge(start=False, tenants={
            "acme": {"relay_zone": "acme.test"}, "beta": {"relay_zone": "beta.test"},
            "mattbox": {"hostname": "mattbox.cloud.test", "cluster": True}})
        self.key = self.edge.state / "relay-pass.key"
        self.routes = self.edge.state / "relay-routes.json"
        self.edge.flags.update(relay_pass_key_file=self.key, relay_routes_file=self.routes)
        write_json(self.edge.registry_file, {
            "tenants": {}, "compute_windows": {"mattbox": {}}, "resting": {}})

    def _show(self, gateway, *boxes):
        key = self.key.read_text(encoding="ascii").strip()
        rows = [{"id": box, "hostname": f"{box}.{gateway}.test",
                 "pass": sign_pass(key, box, int(time.time()) // 3600)} for box in boxes]
        return self.edge.relay(gateway, rows)

    def prepare(self, _):
        for gateway, boxes in (("beta", []), ("acme", ["mattbox"])):
            assert self._show(gateway, *boxes).status == 200
        assert not self.is_done()

    def call(self):
        return self._show("beta", "mattbox")

    def is_done(self):
        holder = read_json(self.routes)["bindings"]["mattbox"]["spoke"]
        assert holder in ("acme", "beta")
        return holder == "beta"

    def is_shown(self):
        def shown():
            return [each["service"] for each in read_json(self.routes)["routes"]]
        row = "beta" if self.is_done() else "acme"
        lead = [f"{row}.mattbox"] if f"{row}.mattbox" in self.edge.rows() else []
        until(lambda: shown() == lead, lambda: f"{shown()} is not {lead}")
        return bool(lead) and self.is_done()

    def undo(self):
        assert self._show("beta").status == 200


@pytest.fixture(params=[Claims, Bindings])
def change(request):
    fixture = "make_official" if request.param is Claims else "make_edge"
    return request.param(request.getfixturevalue(fixture))


def attempt(change):
    try:
        return change.call()
    except (HungUp, ConnectionError):
        return None


def begin(crash, change, number):
    """A registrar at work, after all that the last round and the preparation still had to do."""
    crash.start()
    change.prepare(number)
    # What leaves has its last second first.
    until(lambda: crash.edge.services() == {name: row["port"]
                                            for name, row in crash.edge.rows().items()},
          "the tunnels to be as the registry has them")


def end(crash, change):
    """Once all is there it is undone, and no file is left over or open to others."""
    again = change.call()
    assert is_good(again) or again.status == 201, f"{crash.where}: {again}"
    assert change.is_done() and change.is_shown(), crash.where
    change.undo()
    crash.edge.daemon.kill()
    for folder in crash.folders:
        for path in folder.rglob("*"):
            wanted = OWN_MODES.get(path.name)
            assert wanted is None or mode_of(path) == wanted, f"{crash.where}: {path}"


def test_what_was_answered_is_there_after_a_kill_at_any_step(change):
    crash = CrashingEdge(change.edge)
    number, struck = 1 - STRIDE, True
    while struck:
        number += STRIDE
        begin(crash, change, number)
        crash.injector.plan("kill-before", number)
        answer = attempt(change)
        crash.wait_struck(1)
        struck = crash.injector.struck()
        if struck:
            assert crash.edge.daemon.wait() == -signal.SIGKILL
        else:
            crash.edge.daemon.kill()
        crash.start()
        assert change.is_done() or answer is None, f"{crash.where}: {answer}"
        assert change.is_shown() == change.is_done() or isinstance(change, Bindings), crash.where
        end(crash, change)
    assert number > 2 * STRIDE


def test_a_step_that_fails_is_answered_503_and_undone(change):
    crash = CrashingEdge(change.edge)
    begin(crash, change, 0)
    crash.injector.plan("count")
    assert change.call().status in (200, 201)
    crash.wait_struck(1)
    calls = [step.call for step in crash.injector.steps()]
    end(crash, change)
    for number, call in list(enumerate(calls, 1))[::STRIDE]:
        begin(crash, change, number)
        crash.injector.plan("fail", number, ERRNO_OF[call])
        answer = attempt(change)
        crash.wait_struck(1)
        crash.injector.plan("count")
        if answer.status == 503:
            assert "retry later" in answer.text, f"{crash.where}: {answer}"
            until(lambda: not change.is_done(), lambda: f"{crash.where}: it is done")
        else:
            assert answer.status in (200, 201) and change.is_done(), f"{crash.where}: {answer}"
        end(crash, change)
