"""The zone as a running registrar keeps it: sound to Knot, and with a serial that never goes back."""

import re
import shutil
import subprocess
import time

import pytest
from losos_tools import until, write_text, zone_name
from losos_tools.process import ROOT

ZONE = "losos.example"
GOLDEN = sorted((ROOT / "tests" / "golden" / "zone").iterdir())


def check_with_knot(path):
    program = shutil.which("kzonecheck") or pytest.fail(
        "kzonecheck is missing; install knot-dnssecutils, or knot where it is part of that")
    done = subprocess.run([program, "-o", ZONE, path], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name)
def test_every_zone_that_the_pages_show_is_sound(path):
    check_with_knot(path)


def test_a_zone_that_is_not_sound_would_be_found(tmp_path):
    assert GOLDEN
    text = GOLDEN[0].read_text(encoding="utf-8")
    bad = write_text(tmp_path / "bad.zone", text.replace(" IN NS ", " IN N "))
    with pytest.raises(AssertionError):
        check_with_knot(bad)


def names(zone):
    """{name: {type: {data}}} of the records on one line."""
    found = {}
    for name, kind, data in re.findall(r"^(\S+)\. IN (\S+) (\S+)$", zone, re.MULTILINE):
        found.setdefault(name, {}).setdefault(kind, set()).add(data)
    return found


def test_the_zone_holds_the_edge_its_boxes_and_the_hostnames_in_it(make_official):
    mine = make_official(tenants={
        "mattbox": {"hostname": f"mattbox.{ZONE}"}, "zoe": {"hostname": "zoe.elsewhere.test"},
        "acme": {"hostname": f"acme.{ZONE}", "relay_zone": f"acme.{ZONE}"}},
        flags={"dns_ipv6": "2001:db8::7", "wildcard_resolver": "wild"})
    mine.vouch("mattbox")
    assert mine.edge.relay("acme", [("anna", f"anna.acme.{ZONE}")]).json()["accepted"]
    until(lambda: zone_name() in mine.zone() and "anna.acme" in mine.zone(), "both in the zone")
    check_with_knot(mine.zone_file)
    found = names(mine.zone())
    both = {"A": {"192.0.2.7"}, "AAAA": {"2001:db8::7"}}
    for name in (f"ns1.{ZONE}", f"ns2.{ZONE}", f"mattbox.{ZONE}", f"acme.{ZONE}",
                 f"anna.acme.{ZONE}", zone_name()):
        assert found.pop(name) == both, name
    delegated = {"NS": {f"ns1.{ZONE}.", f"ns2.{ZONE}."}}
    assert found.pop(ZONE) == {**both, **delegated}
    assert found == {f"_acme-challenge.acme.{ZONE}": delegated}

    mine.cert_file.unlink()
    until(lambda: set(names(mine.zone())) == {ZONE, f"ns1.{ZONE}", f"ns2.{ZONE}"}, "a bare zone")
    check_with_knot(mine.zone_file)


def test_the_serial_is_the_time_of_the_change_and_stays_while_nothing_changes(make_official):
    before = int(time.time())
    mine = make_official(flags={"reconcile_interval": "100ms"})
    first = mine.serial()
    assert before <= first <= int(time.time())
    written = mine.zone_file.stat().st_mtime_ns
    seen = mine.edge.status()["reconciled_monotonic_ms"]
    until(lambda: mine.edge.status()["reconciled_monotonic_ms"] > seen + 300, "more reconciles")
    mine.edge.restart()
    assert (mine.serial(), mine.zone_file.stat().st_mtime_ns) == (first, written)


def test_the_serial_goes_on_where_the_file_stands_whatever_the_clock_says(make_official):
    mine = make_official(start=False)
    for box, standing in (("mattbox", 3_900_000_000), ("zoe", 4_294_967_295)):
        mine.edge.start()
        mine.edge.stop()
        # A zone that a clock of another year left behind.
        write_text(mine.zone_file, re.sub(r"\d+ ; serial", f"{standing} ; serial", mine.zone()),
                   0o644)
        mine.edge.list_tenants({"mattbox": {}, box: {"hostname": f"{box}.{ZONE}"}})
        mine.edge.start()
        assert f"{box}.{ZONE}" in mine.zone()
        step = (mine.serial() - standing) % 2**32
        assert 0 < step < 2**31
        check_with_knot(mine.zone_file)
        mine.edge.stop()


def test_a_zone_file_that_vanishes_comes_back_with_a_later_serial(make_official):
    mine = make_official(flags={"reconcile_interval": "200ms"})
    first = mine.serial()
    mine.zone_file.unlink()
    until(mine.zone_file.exists, "the zone again")
    assert mine.serial() > first


@pytest.mark.parametrize(("without", "word"), [
    ("dns_zone", "--dns-zone"), ("dns_nameservers", "--dns-nameservers"),
    ("dns_ipv4", "--dns-ipv4")])
def test_a_zone_file_without_what_it_needs_is_wrong_usage(make_official, without, word):
    mine = make_official(start=False)
    done = mine.edge.start_and_fail(**{without: None})
    assert done.code == 2 and word in done.err, done


@pytest.mark.parametrize("host, servers, is_lost", [
    ("edge.losos.example", "ns1.losos.example,ns2.losos.example", True),
    ("edge.losos.example", "ns1.losos.example,edge.losos.example", False),
    ("losos.example", "ns1.losos.example", False),
    ("edge.example.net", "ns1.losos.example", False),
], ids=["lost", "a name server", "the top", "elsewhere"])
def test_an_operator_hears_that_the_zone_takes_the_edges_own_name_away(make_official, host, servers,
                                                                       is_lost):
    mine = make_official(flags={"public_host": host, "dns_nameservers": servers})
    said = [fault for fault in mine.edge.faults() if f"{host} has no address" in fault]
    assert bool(said) == is_lost, mine.edge.faults()
    # The warning says what is so.
    assert (f"{host}. IN A " not in mine.zone()) == (is_lost or not host.endswith("losos.example"))


def test_a_name_is_routed_seconds_after_it_is_in_the_zone(make_official):
    mine = make_official()
    assert mine.edge.register("mattbox").status == 200
    mine.vouch("mattbox")
    until(lambda: zone_name() in mine.zone(), "the name in the zone")
    written = mine.zone_file.stat().st_mtime
    until(lambda: zone_name() in mine.hosts(), "its router")
    # Knot has it by then, so whoever is asked to sign for it finds it.
    assert mine.edge.losos_yml.stat().st_mtime - written > 2
