"""A hub whose operator offers custom domains: Knot serves the zone that the registrar writes, and each
change of it at once."""

import hashlib
import json
import statistics
import time

import pytest

from losos_system import Federation, HUB_ADDRESS, SPOKE, until
from losos_system import setting_up, zone
from losos_system.zone import DNS_ZONE, answered

UUIDS = [f"5e1b7d0c-3a55-4c8e-9d52-1f0a7c3e9b{number:02d}" for number in range(10, 30)]
RELOAD = "losos-dns-reload"
CERTIFICATE = f"{setting_up.IDENTITY}.cert.json"
# A name is offered to the certificate authority this long after it came into the zone.
SETTLES = 3.0
ROUNDS = 20


def name_of(uuid):
    """A box's name in the zone, computed here a second time."""
    digest = hashlib.sha256(f"losos-box-dns-v1\n{uuid}\n".encode()).hexdigest()
    return f"{digest[:16]}.{DNS_ZONE}"


@pytest.fixture(scope="module")
def hub():
    """An official hub with a zone, and nobody else."""
    alone = Federation()
    try:
        alone.make()
        alone.boot([alone.hub])
        alone.set_up_hub()
        zone.serve(alone.hub)
        yield alone.hub
    finally:
        alone.down()


def wait_served(hub):
    """Waits until Knot serves what stands in the file."""
    until(lambda: zone.served_serial(hub) == zone.written_serial(hub),
          lambda: f"Knot to serve {zone.written_serial(hub)}, not {zone.served_serial(hub)}", 30)


def failures(hub):
    """{what: says} of each check of doctor's that failed."""
    checks = json.loads(hub.run("losos-edge doctor --json", expect=None).out)["checks"]
    return {check["what"]: check["says"] for check in checks if check["verdict"] == "failed"}


def test_the_hub_answers_for_its_zone_with_its_own_addresses(hub):
    assert answered(hub, DNS_ZONE) == [HUB_ADDRESS]
    assert answered(hub, DNS_ZONE, "NS") == ["edge.losos.example."]
    assert answered(hub, f"nobody.{DNS_ZONE}") == []
    assert hub.run(f"stat -c '%a %U' {zone.ZONE_FILE}").out == "644 losos-edge\n"


def test_a_box_that_is_vouched_for_has_a_name_before_its_certificate_is_asked_for(hub, figure, rounds):
    took = []
    for uuid in UUIDS[:rounds]:
        began = time.monotonic()
        zone.vouch(hub, SPOKE, uuid)
        until(lambda: answered(hub, name_of(uuid)) == [HUB_ADDRESS], "the name in the zone", 30)
        took.append(time.monotonic() - began)
    figure("from 'vouch set' to Knot's answer: "
           f"median {statistics.median(took):.2f} s, worst {max(took):.2f} s of {len(took)}")
    assert statistics.median(took) < SETTLES
    zone.vouch_no_more(hub, SPOKE)
    until(lambda: not answered(hub, name_of(UUIDS[rounds - 1])), "the name to be gone", 30)


def test_of_many_changes_in_a_row_the_last_one_is_served(hub):
    for uuid in UUIDS:
        zone.vouch(hub, SPOKE, uuid)
    until(lambda: answered(hub, name_of(UUIDS[-1])) == [HUB_ADDRESS], "the last name in the zone", 30)
    wait_served(hub)
    assert answered(hub, name_of(UUIDS[0])) == []


def test_of_two_changes_in_a_row_the_second_is_never_left_to_the_timer(hub):
    for number in range(ROUNDS):
        first, second = UUIDS[number % 2:][:2]
        zone.vouch(hub, SPOKE, first)
        # Somewhere in the reload that this starts, or at its end.
        time.sleep(0.4 * number / ROUNDS)
        zone.vouch(hub, SPOKE, second)
        until(lambda name=name_of(second): answered(hub, name) == [HUB_ADDRESS], "the second name", 5)
        until(lambda: hub.active(RELOAD) == "inactive" and hub.active(f"{RELOAD}-look") == "inactive",
              "the reload to end")


def test_what_changes_while_knot_is_down_is_served_once_it_is_back(hub):
    hub.run("systemctl stop knot")
    zone.vouch(hub, SPOKE, UUIDS[0])
    until(lambda: name_of(UUIDS[0]) in hub.path(zone.ZONE_FILE).read_text(), "the name in the file")
    hub.run("systemctl start knot")
    until(lambda: answered(hub, name_of(UUIDS[0])) == [HUB_ADDRESS], "the name in the zone", 30)
    wait_served(hub)


def test_what_the_path_unit_misses_the_timer_brings(hub):
    hub.run(f"systemctl stop {RELOAD}.path")
    try:
        zone.vouch(hub, SPOKE, UUIDS[1])
        until(lambda: answered(hub, name_of(UUIDS[1])) == [HUB_ADDRESS], "the name in the zone", 45)
    finally:
        hub.run(f"systemctl start {RELOAD}.path")


def test_a_hub_that_is_no_longer_official_serves_the_bare_zone_until_it_is(hub):
    hub.run(f"mv {CERTIFICATE} /root/")
    until(lambda: answered(hub, DNS_ZONE) == [], "the apex to be gone", 30)
    assert answered(hub, DNS_ZONE, "SOA")
    hub.run(f"mv /root/identity.cert.json {CERTIFICATE}")
    until(lambda: answered(hub, DNS_ZONE) == [HUB_ADDRESS], "the apex again", 30)


def test_a_zone_that_knot_does_not_know_fails_loudly_and_is_well_once_it_does(hub):
    hub.write("/var/lib/losos-dns/zoe.example.zone", "\n 7 ; serial\n")
    until(lambda: hub.active(f"{RELOAD}.service") == "failed", "the unit to fail", 45)
    hub.wait_journal("zoe.example.*knot.conf", f"{RELOAD}.service")
    hub.run("rm /var/lib/losos-dns/zoe.example.zone")
    until(lambda: hub.active(f"{RELOAD}.service") != "failed", "the unit to be well again", 45)


def test_the_reload_is_exposed_no_more_than_it_has_to_be(hub, figure):
    done = hub.run(f"systemd-analyze security --no-pager --threshold=20 {RELOAD}", expect=None)
    figure(f"exposure of {RELOAD} on the hub: {done.out.splitlines()[-1].split(':')[1].split()[0]}")
    assert done.code == 0, done.out
    assert hub.show(RELOAD, "DynamicUser") == "yes" and hub.show(RELOAD, "User") not in ("", "root")


@pytest.mark.parametrize("broken, mended, what, words", [
    ("systemctl stop knot", "systemctl start knot", f"zone {DNS_ZONE}", "127.0.0.1 does not answer"),
    ("systemctl stop knot", "systemctl start knot", "unit knot.service", "systemctl start knot"),
    (f"systemctl stop {RELOAD}.path", f"systemctl start {RELOAD}.path", f"unit {RELOAD}.path",
     "systemctl start"),
    (f"chmod 0600 {zone.ZONE_FILE}", f"chmod 0644 {zone.ZONE_FILE}", f"file {zone.ZONE_FILE}",
     "chmod 0644"),
    (f"mv {CERTIFICATE} /root/", f"mv /root/identity.cert.json {CERTIFICATE}", "identity",
     "not official"),
], ids=["Knot stopped", "Knot's unit", "path unit stopped", "zone unreadable", "no certificate"])
def test_doctor_names_what_is_broken_and_nothing_once_it_is_mended(hub, broken, mended, what, words):
    until(lambda: failures(hub) == {}, lambda: f"doctor to find nothing: {failures(hub)}", 30)
    hub.run(broken)
    try:
        until(lambda: words in failures(hub).get(what, ""),
              lambda: f"doctor to say {words!r} of {what!r}: {failures(hub)}", 30)
    finally:
        hub.run(mended)
    until(lambda: failures(hub) == {}, lambda: f"doctor to find nothing again: {failures(hub)}", 30)


def test_doctor_names_a_zone_that_is_served_as_it_was_before(hub):
    stopped = f"{RELOAD}.path {RELOAD}.timer"
    hub.run(f"systemctl stop {stopped}")
    try:
        zone.vouch(hub, SPOKE, UUIDS[2])
        until(lambda: f"{zone.written_serial(hub)}" in failures(hub).get(f"zone {DNS_ZONE}", ""),
              lambda: f"doctor to name the serial: {failures(hub)}", 30)
    finally:
        hub.run(f"systemctl start {stopped}")
    # As doctor says.
    hub.run(f"systemctl start {RELOAD}")
    until(lambda: failures(hub) == {}, lambda: f"doctor to find nothing again: {failures(hub)}", 30)


def test_after_a_boot_the_zone_is_served_and_no_unit_has_failed(hub):
    hub.reboot()
    until(lambda: answered(hub, name_of(UUIDS[2])) == [HUB_ADDRESS], "the name in the zone", 30)
    wait_served(hub)
    assert hub.failed_units() == []
