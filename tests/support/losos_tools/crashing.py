"""A registrar whose disk fails it at one step after the other, and what must hold all the same."""

import operator
import pathlib
import re
import signal

from .faults import ERRNO_OF, STRIDE, FaultInjector, leftovers, message_of
from .files import mode_of, read_json
from .http import HungUp
from .tokens import token
from .waiting import until

MODES = {"registry.json": 0o600, "live.json": 0o600, "status.json": 0o644, "metrics.prom": 0o644,
         "server.toml": 0o600, "losos.yml": 0o644, "losos-edge.service": 0o644, ".lock": 0o600,
         "tenants.json": 0o600, "enrolled": 0o700}


class Change:
    """What changes the registry: `call`, and `again` once the registrar has come back. `before` and
    `after` are rows, {id: hostname or None}. The operator's own changes have no answer, and count
    once they are made."""

    def __init__(self, call, before, after, again=None, operators=False):
        self.call, self.before, self.after = call, before, after
        self.again, self.operators = again or call, operators

    def attempt(self):
        """The answer; None when there was none."""
        try:
            return self.call()
        except (HungUp, ConnectionError):
            return None


def is_good(answer):
    return answer is not None and answer.status in (200, 204)


class CrashingEdge:
    """`rows` are the rows that must be there: {id: hostname}."""

    def __init__(self, edge, rows=()):
        self.edge = edge
        self.rows = dict(rows)
        self.folders = [edge.state, edge.run_dir, edge.traefik, edge.rathole, edge.avahi]
        self.injector = FaultInjector(edge.folder, *self.folders)
        self.where = "before any step"

    def start(self):
        self.injector.plan("count")
        self.edge.start(**self.injector.daemon_options())

    def change(self, call, after, **more):
        """A change of some rows as they stand now."""
        return Change(call, {name: self.rows.get(name) for name in after}, after, **more)

    def strike(self, action, number, change, error_number=0, until_passes=(1,)):
        """Makes the change with the fault planned; the answer, once the fault has struck or the
        registrar has done all there was to do, which are so many passes."""
        self.injector.plan(action, number, error_number)
        answer = change.attempt()
        self.wait_struck(*until_passes)
        self.where += f", answer {answer}"
        return answer

    def settle(self, change):
        """Ends a round with files that say what the registry says. A service that leaves has a
        second more, for which a restart need not wait."""
        if any(host is None for host in change.after.values()):
            self.edge.daemon.kill()
            self.start()
        self.check_files()
        self.edge.daemon.kill()

    def wait_struck(self, reconciles, after=None):
        """Until the fault has struck, or the registrar has done so many whole passes; those before
        a file named `after` took its name do not count."""
        def passes():
            names = [step.target.name for step in self.injector.steps() if step.call == "rename"]
            if after and after not in names:
                return -1
            return names[names.index(after) if after else 0:].count("metrics.prom")
        until(lambda: self.injector.struck() or passes() >= reconciles,
              lambda: f"the fault or the end: {self.injector.steps()}")
        self.where = f"at {self.injector.struck() or 'the end'}"

    # --- what must hold ---

    def check_rows(self, *allowed):
        """The registry holds the rows that must be there, and one of the given sets in place of
        those with the same ids."""
        found, wanted = self._compare_rows(*allowed)
        assert found in wanted, f"{self.where}: {found} is none of {wanted}"
        self.rows = found

    def wait_rows(self, *allowed):
        """The same, within a moment: what failed is undone after it was answered."""
        until(lambda: operator.contains(*reversed(self._compare_rows(*allowed))),
              lambda: f"{self.where}: %s is none of %s" % self._compare_rows(*allowed))
        self.check_rows(*allowed)

    def _compare_rows(self, *allowed):
        found = {name: row["hostname"] for name, row in self.edge.rows().items()}
        wanted = [{**self.rows, **each} for each in allowed]
        return found, [{name: host for name, host in each.items() if host} for each in wanted]

    def check_files(self):
        """Every file is whole, has its mode, and says what the registry says."""
        edge, rows = self.edge, self.edge.rows()
        ports = {name: row["port"] for name, row in rows.items()}
        assert len(set(ports.values())) == len(ports), f"{self.where}: {rows}"
        until(lambda: edge.services() == ports, lambda: f"{self.where}: {edge.services()}, {ports}")
        until(lambda: edge.routers() == {f"losos_{name}": host for name, host in self.rows.items()},
              lambda: f"{self.where}: {edge.routers()}, {self.rows}")
        direct = {name: {"id": name, **row} for name, row in rows.items() if "." not in name}
        until(lambda: {box["id"]: box for box in edge.live()} == direct,
              lambda: f"{self.where}: {edge.live()}, {direct}")
        self._check_secrets(rows)
        self._check_modes()

    def _check_secrets(self, rows):
        text = self.edge.server_toml.read_text(encoding="utf-8")
        found = dict(re.findall(r'services\."([^"]+)"\]\ntoken = "(.*)"', text))
        for name in rows:
            held = self.edge.etc / f"{name.split('.')[0]}.token"
            expected = held.read_text().strip() if held.exists() else token(name.split(".")[0])
            assert found[name] == expected, f"{self.where}: the token of {name}"
        if not self.edge.enrol_dir.exists():
            return
        tenants = self.edge.enrol_dir / "tenants.json"
        enrolled = read_json(tenants) if tenants.exists() else {}
        tokens = {path.stem: path.read_text().strip() for path in self.edge.enrol_dir.glob("*.token")}
        assert tokens == {name: token(name) for name in enrolled}, f"{self.where}: {enrolled}"
        assert all(row["token_file"] == str(self.edge.enrol_dir / f"{name}.token")
                   for name, row in enrolled.items()), f"{self.where}: {enrolled}"

    def _check_modes(self):
        until(lambda: not leftovers(*self.folders),
              lambda: f"{self.where}: {leftovers(*self.folders)}")
        for folder in self.folders:
            for path in folder.rglob("*"):
                # A pass may be at work at this very moment.
                if path.suffix == ".tmp":
                    continue
                wanted = 0o600 if path.suffix == ".token" else MODES[path.name]
                assert mode_of(path) == wanted, f"{self.where}: {path}"


def kill_at_every_step(crash, scenario, reconciles=1, after=None, first=1, every=1):
    """Kills the registrar before each step of a change (or `every` second, third... from the `first`
    on), and after the last; starts it again, looks at everything, and lets the box try again. The
    last step is the end of so many reconciles since a file named `after` took its name; of none of
    them, when it did."""
    number, struck = first - every * STRIDE, True
    while struck:
        number += every * STRIDE
        crash.start()
        change = scenario(number)
        answer = crash.strike("kill-before", number, change, 0, (reconciles, after))
        struck = crash.injector.struck()
        done = len(crash.injector.steps())
        if struck:
            assert crash.edge.daemon.wait() == -signal.SIGKILL
        else:
            crash.edge.daemon.kill()
        crash.start()
        acknowledged = is_good(answer) or change.operators
        crash.check_rows(*[change.after] if acknowledged else [change.before, change.after])
        crash.check_files()
        again = change.again()
        assert again is None or is_good(again), f"{crash.where}: {again} to the second attempt"
        crash.check_rows(change.after)
        crash.settle(change)
    assert number > first and done < number, f"{number} rounds, but {crash.where} {done} steps"


def kill_from_the_start_on(crash, prepare, check, done, after=None):
    """The same for what a registrar does by itself, its start included; `done` looks whether it did
    when nothing was in its way."""
    number, struck = 0, True
    while struck:
        number += 1 if number == 0 else STRIDE
        prepare()
        crash.injector.plan("kill-before", number)
        crash.edge.start(wait=False, **crash.injector.daemon_options())
        crash.wait_struck(1, after)
        struck = crash.injector.struck()
        if not struck:
            done()
        crash.edge.daemon.kill()
        check()
        crash.edge.daemon.kill()
    assert number > 1


def is_in_force(steps, struck):
    """Whether a whole list of the enrolled was in its place by then, or another file was and only
    its directory failed: what it says may be read and followed, though nobody was told so."""
    if struck.call == "fsync" and pathlib.Path(struck.path).is_dir():
        return True
    return any(step.call == "rename" and step.target.name == "tenants.json"
               for step in steps if step.number < struck.number)


def fail_at_every_step(crash, scenario, reconciles=1):
    """Lets each step of a change fail in its turn: an answer that promises nothing, a message that
    says why, nothing half done, and all of it done at the second attempt."""
    crash.start()
    first = scenario(0)
    crash.strike("count", 0, first, 0, (reconciles,))
    crash.check_rows(first.after)
    calls = [step.call for step in crash.injector.steps()]
    crash.edge.daemon.kill()
    for number, call in list(enumerate(calls, 1))[::STRIDE]:
        crash.start()
        change = scenario(number)
        answer = crash.strike("fail", number, change, ERRNO_OF[call], (reconciles,))
        struck = crash.injector.struck()
        steps = crash.injector.steps()
        assert struck, f"no step {number}: {steps}"
        crash.injector.plan("count")
        # Files that are written side by side may take their steps in another order than at first.
        crash.edge.daemon.wait_line(message_of(struck, ERRNO_OF[call]))
        if is_good(answer):
            crash.check_rows(change.after)
        else:
            assert answer.status == 503 and "retry later" in answer.text, crash.where
            crash.wait_rows(change.before, *[change.after] if is_in_force(steps, struck) else [])
        again = change.again()
        assert is_good(again), f"{crash.where}: {again} to the second attempt"
        crash.check_rows(change.after)
        crash.settle(change)
