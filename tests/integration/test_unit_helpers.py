"""The scripts that units run, with a stand-in for systemctl that notes what it is told."""

import os
import subprocess
import time
from pathlib import Path

import pytest
from losos_tools import mode_of, until, write_text
from losos_tools.script_program import ScriptProgram

LIBEXEC = Path(__file__).resolve().parents[2] / "units" / "libexec"
ANNOUNCE = "losos-registrar-announce.service"
TUNNEL = "losos-rathole-client.service"
PATIENCE = 2.0  # for a registration

SYSTEMCTL = """\
#!/bin/sh
folder=$(dirname "$0")
[ ! -e "$folder/broken" ] || exit 1
if [ "$1" = is-active ]; then
    cat "$folder/$2.state" 2> /dev/null || echo active
    exit 0
fi
if [ "$1" = show ]; then
    cat "$folder/$4.moment" 2> /dev/null || echo 0
    exit 0
fi
echo "$@" >> "$folder/told"
"""


def env(name):
    return (f"LOSOS_EDGE_PATH_URL=http://{name}.local:8443\n"
            f"LOSOS_EDGE_PATH_RATHOLE={name}.local:2333\n"
            f"LOSOS_EDGE_PATH_SOURCE=lan\nLOSOS_EDGE_PATH_NOISE_PUB=/pins/{name}.pub\n")


class Follower:
    """follow-edge-path, the files it reads, and what it told systemctl."""

    def __init__(self, folder):
        self.run_dir, self._state = (folder / name for name in ("run", "state"))
        for made in (self.run_dir, self._state):
            made.mkdir()
        self._systemctl = ScriptProgram(folder / "bin", "systemctl", SYSTEMCTL)
        self._bin = self._systemctl.folder
        self.env, self.none = self.run_dir / "edge-path.env", self.run_dir / "edge-none"

    def choose(self, name):
        new = write_text(self.run_dir / ".new", env(name))
        new.rename(self.env)
        self.none.unlink(missing_ok=True)

    def choose_none(self):
        self.none.touch()
        self.env.unlink(missing_ok=True)

    def register(self, name):
        text = f'{{\n  "url": "http://{name}.local:8443",\n  "at": 1\n}}\n'
        new = write_text(self.run_dir / ".new", text)
        new.rename(self.run_dir / "announced.json")

    def unit_is(self, unit, state):
        write_text(self._bin / f"{unit}.state", state + "\n")

    def entered(self, unit, moment):
        """When a target was last started, or a unit last failed."""
        write_text(self._bin / f"{unit}.moment", f"{moment}\n")

    def break_systemctl(self, broken):
        mark = self._bin / "broken"
        mark.touch() if broken else mark.unlink()

    def start(self):
        return subprocess.Popen([LIBEXEC / "follow-edge-path", self.run_dir, self._state],
                                env=self._systemctl.environment())

    def run(self):
        """What systemctl was told meanwhile, in order; fails unless the script succeeds."""
        code = self.start().wait(timeout=60)
        assert code == 0
        return self.take_told()

    def told(self):
        return self._systemctl.told()

    def take_told(self):
        return [line.removeprefix("--no-block ") for line in self._systemctl.take_told()]


@pytest.fixture
def follower(tmp_path):
    return Follower(tmp_path)


BOTH = [f"restart {ANNOUNCE}", f"restart {TUNNEL}"]


def test_a_new_path_starts_both_units_anew_and_then_nothing(follower):
    follower.choose("gateway")
    follower.register("gateway")
    assert follower.run() == BOTH
    assert follower.run() == []


def test_before_the_first_choice_both_units_dial_the_configured_edge(follower):
    follower.register("configured")
    assert follower.run() == BOTH
    assert follower.run() == []


def test_another_edge_gets_the_tunnel_once_the_box_is_registered_there(follower):
    follower.choose("gateway")
    # A name that begins like this one is another edge.
    follower.register("gateway.local:8443.else")
    running = follower.start()
    until(lambda: follower.told(), "the announcer to be started anew")
    assert follower.take_told() == BOTH[:1]
    follower.register("gateway")
    assert running.wait(timeout=60) == 0
    assert follower.take_told() == BOTH[1:]


def test_an_edge_that_does_not_register_the_box_gets_the_tunnel_two_seconds_later(follower):
    follower.choose("gateway")
    started = time.monotonic()
    assert follower.run() == BOTH
    assert time.monotonic() - started >= PATIENCE - 0.02


def test_an_edge_that_is_left_while_the_box_waits_for_it_gets_no_tunnel(follower):
    follower.choose("first")
    running = follower.start()
    until(lambda: follower.told(), "the announcer to be started anew")
    follower.register("second")
    follower.choose("second")
    assert running.wait(timeout=60) == 0
    assert follower.take_told() == BOTH[:1] + BOTH


def test_without_a_path_both_units_are_stopped_and_stay_so(follower):
    follower.choose_none()
    assert follower.run() == [f"stop {TUNNEL}", f"stop {ANNOUNCE}"]
    follower.unit_is(TUNNEL, "inactive")
    follower.unit_is(ANNOUNCE, "failed")
    assert follower.run() == []
    follower.unit_is(TUNNEL, "active")
    assert follower.run() == [f"stop {TUNNEL}"]


def test_the_marker_counts_more_than_a_path_that_is_still_there(follower):
    follower.choose("gateway")
    follower.none.touch()
    assert follower.run() == [f"stop {TUNNEL}", f"stop {ANNOUNCE}"]


def test_a_path_after_none_starts_also_what_had_failed(follower):
    follower.choose_none()
    follower.run()
    follower.unit_is(ANNOUNCE, "failed")
    follower.choose("gateway")
    follower.register("gateway")
    assert follower.run() == BOTH


def test_what_was_stopped_by_hand_is_started_and_what_failed_is_left_to_its_owner(follower):
    follower.choose("gateway")
    follower.register("gateway")
    follower.run()
    follower.unit_is(ANNOUNCE, "failed")
    follower.unit_is(TUNNEL, "inactive")
    assert follower.run() == [f"start {TUNNEL}"]


def test_what_failed_is_tried_once_when_its_owner_starts_the_box_anew(follower):
    follower.choose("gateway")
    follower.register("gateway")
    follower.run()
    follower.unit_is(ANNOUNCE, "failed")
    follower.entered("losos-box.target", 5_000_000)
    follower.entered(ANNOUNCE, 6_000_000)
    assert follower.run() == []
    follower.entered("losos-box.target", 31_000_000_000)
    assert follower.run() == [f"start {ANNOUNCE}"]
    follower.entered(ANNOUNCE, 31_000_000_001)
    assert follower.run() == []


def test_what_systemd_did_not_take_is_told_again(follower):
    follower.choose("gateway")
    follower.register("gateway")
    follower.break_systemctl(True)
    assert follower.start().wait(timeout=60) != 0
    follower.break_systemctl(False)
    assert follower.run() == BOTH


class Looker:
    """look-back after a service whose record stands beside its two inputs, and what it told systemctl."""

    def __init__(self, folder):
        self._systemctl = ScriptProgram(folder / "bin", "systemctl", SYSTEMCTL)
        self.record, self._seen, self.one, self.other, self._probe = (
            folder / name for name in ("record", "seen", "one", "other", "probe"))
        self.put(self.one)
        self.put(self.other)
        self.put(self.record)

    def put(self, file, *, written=0):
        """A whole new file in the old one's place; its content is so many seconds old."""
        new = write_text(file.with_suffix(".new"), f"{time.monotonic_ns()}")
        now = time.time_ns()
        os.utime(new, ns=(now - written * 10**9,) * 2)
        # The kernel's clock of files has a grain, and is behind.
        until(lambda: write_text(self._probe, "").stat().st_mtime_ns > now, "the clock of files to go on")
        new.rename(file)

    def path_is(self, state):
        write_text(self._systemctl.folder / "job.path.state", state + "\n")

    def look(self):
        """What systemctl was told; fails unless the script succeeds."""
        subprocess.run([LIBEXEC / "look-back", "job", self.record, self._seen, self.one, self.other],
                       env=self._systemctl.environment(), check=True, timeout=60)
        return self._systemctl.take_told()


@pytest.fixture
def looker(tmp_path):
    return Looker(tmp_path)


AGAIN = ["--no-block start job.service"]


def test_a_look_back_that_finds_nothing_new_starts_nothing(looker):
    assert looker.look() == []
    looker.other.unlink()
    assert looker.look() == []


def test_what_changed_after_the_record_starts_the_service_again_and_once(looker):
    looker.put(looker.other)
    assert looker.look() == AGAIN
    # Even where the record cannot be written.
    assert looker.look() == []
    looker.put(looker.other)
    assert looker.look() == AGAIN
    looker.put(looker.record)
    assert looker.look() == []


def test_a_file_counts_from_when_it_took_its_place_and_not_from_when_it_was_written(looker):
    looker.put(looker.one, written=60)
    assert looker.look() == AGAIN


def test_without_a_record_everything_is_new(looker):
    looker.record.unlink()
    assert looker.look() == AGAIN
    assert looker.look() == []


def test_what_nobody_watches_is_not_started_again(looker):
    looker.put(looker.one)
    looker.path_is("inactive")
    assert looker.look() == []
    looker.path_is("active")
    assert looker.look() == AGAIN


def make_token(file):
    return subprocess.run([LIBEXEC / "make-token", file]).returncode


def test_a_token_is_made_once_and_only_its_owner_reads_it(tmp_path):
    file = tmp_path / "token"
    assert make_token(file) == 0
    made = file.read_text()
    assert len(made) == 65 and set(made[:64]) <= set("0123456789abcdef") and made[64] == "\n"
    assert mode_of(file) == 0o600
    assert make_token(file) == 0
    assert file.read_text() == made
    assert list(tmp_path.iterdir()) == [file]


def test_no_two_tokens_are_alike(tmp_path):
    made = [tmp_path / name for name in ("a", "b")]
    assert [make_token(file) for file in made] == [0, 0]
    assert made[0].read_text() != made[1].read_text()


# What make-token finds in its way when it is about to give its file the name.
LATE_FILE = """\
#!/bin/sh
[ -e "$LATE" ] || echo "of somebody else" > "$LATE"
exec /bin/sync "$@"
"""


def test_a_token_that_appeared_meanwhile_is_not_replaced(tmp_path):
    sync = ScriptProgram(tmp_path / "bin", "sync", LATE_FILE)
    file = tmp_path / "secrets" / "token"
    file.parent.mkdir()
    done = subprocess.run([LIBEXEC / "make-token", file], env={**sync.environment(), "LATE": str(file)})
    assert done.returncode == 0
    assert file.read_text() == "of somebody else\n"
    assert list(file.parent.iterdir()) == [file]
