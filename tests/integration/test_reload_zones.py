"""The script of losos-dns-reload.service, with a stand-in for knotc that serves what it is told to read."""

import subprocess
from pathlib import Path

import pytest
from losos_tools import until, write_text
from losos_tools.script_program import ScriptProgram

SCRIPT = Path(__file__).resolve().parents[2] / "units" / "libexec" / "reload-zones"
ZONE = "boxes.losos.example"

KNOTC = """\
#!/bin/sh
folder=$(dirname "$0")
[ -e "$folder/running" ] || exit 1
shift 4
[ "$1" != --blocking ] || shift
case $1 in
status) ;;
zone-status)
    [ -e "$folder/$2.served" ] || exit 1
    echo "[$2.] serial: $(cat "$folder/$2.served")"
    ;;
zone-reload)
    echo "$2" >> "$folder/told"
    [ -e "$folder/$2.served" ] || { echo "error: [$2] (no such zone found)" >&2; exit 1; }
    [ -e "$folder/signs" ] || sed -n 's/^ *\\([0-9]*\\) ; serial$/\\1/p' "$folder/../zones/$2.zone" > "$folder/$2.served"
    ;;
esac
"""


class Reloader:
    """reload-zones, the zones it finds, and what it told Knot."""

    def __init__(self, folder):
        self._knotc = ScriptProgram(folder / "bin", "knotc", KNOTC)
        self._bin, self.zones, self.began = self._knotc.folder, folder / "zones", folder / "began"
        self.zones.mkdir()
        self.knot("running")

    def knot(self, mark, there=True):
        (self._bin / mark).touch() if there else (self._bin / mark).unlink()

    def serves(self, zone, serial="-"):
        """Knot's configuration names the zone, and this is what it has of it."""
        write_text(self._bin / f"{zone}.served", f"{serial}\n")

    def write(self, serial, name=f"{ZONE}.zone"):
        return write_text(self.zones / name,
                          f"{ZONE}. IN SOA ns1. a. (\n    {serial} ; serial\n    600 ; retry\n")

    def start(self):
        return subprocess.Popen([SCRIPT, self.zones, "/run/knot/knot.sock", self.began],
                                stderr=subprocess.PIPE, text=True, env=self._knotc.environment())

    def run(self, expect=0):
        """The zones that Knot was told to read."""
        running = self.start()
        self.said = running.communicate(timeout=60)[1]
        assert running.returncode == expect, self.said
        return self.take_told()

    def take_told(self):
        return self._knotc.take_told()


@pytest.fixture
def reloader(tmp_path):
    return Reloader(tmp_path)


def test_a_zone_is_read_once_when_its_serial_is_another(reloader):
    reloader.serves(ZONE)
    reloader.write(1_800_000_000)
    assert reloader.run() == [ZONE]
    assert reloader.run() == []
    reloader.write(1_800_000_001)
    assert reloader.run() == [ZONE]


def test_it_notes_when_it_began_to_look(reloader):
    reloader.run()
    first = reloader.began.stat().st_mtime_ns
    written = reloader.write(7).stat().st_ctime_ns
    reloader.serves(ZONE)
    reloader.run()
    assert reloader.began.stat().st_mtime_ns >= written > first


def test_a_serial_that_went_round_is_another_one(reloader):
    reloader.serves(ZONE, 4_294_967_295)
    reloader.write(0)
    assert reloader.run() == [ZONE]


def test_a_zone_that_is_being_written_is_read_when_it_is_whole(reloader):
    reloader.serves(ZONE, 7)
    reloader.write(7)
    new = reloader.write(8, f".{ZONE}.zone.1-ab.tmp")
    running = reloader.start()
    new.rename(reloader.zones / f"{ZONE}.zone")
    assert running.wait(timeout=60) == 0
    assert reloader.take_told() == [ZONE]


def test_what_a_killed_registrar_left_is_not_waited_for_for_ever(reloader):
    reloader.serves(ZONE)
    reloader.write(8)
    reloader.write(9, f".{ZONE}.zone.1-ab.tmp")
    assert reloader.run() == [ZONE]


def test_a_zone_that_knot_signs_has_serials_of_its_own_and_is_read_once_a_run(reloader):
    reloader.knot("signs")
    reloader.serves(ZONE, 99)
    reloader.write(8)
    assert reloader.run() == [ZONE]


def test_a_zone_that_knot_does_not_know_is_named_and_the_others_are_read(reloader):
    reloader.write(8)
    reloader.write(8, "zoe.example.zone")
    reloader.serves("zoe.example")
    assert sorted(reloader.run(expect=1)) == [ZONE, "zoe.example"]
    assert f"{reloader.zones}/{ZONE}.zone" in reloader.said and "knot.conf" in reloader.said


def test_a_knot_that_does_not_run_reads_the_zones_when_it_starts(reloader):
    reloader.serves(ZONE)
    reloader.write(8)
    reloader.knot("running", False)
    assert reloader.run() == []


def test_a_directory_without_zones_is_nothing_to_do(reloader):
    assert reloader.run() == []


def test_wrong_usage_is_said(tmp_path):
    done = subprocess.run([SCRIPT, tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "usage" in done.stderr


def test_it_does_not_look_while_a_zone_is_being_written(reloader):
    reloader.serves(ZONE, 7)
    reloader.write(7)
    new = reloader.write(8, f".{ZONE}.zone.1-ab.tmp")
    running = reloader.start()
    until(reloader.began.exists, "the look to begin")
    with pytest.raises(subprocess.TimeoutExpired):
        running.wait(timeout=0.5)
    new.rename(reloader.zones / f"{ZONE}.zone")
    assert running.wait(timeout=60) == 0
    assert reloader.take_told() == [ZONE]
