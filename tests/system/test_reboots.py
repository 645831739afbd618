"""Machines that are switched off and on, and the daemons of others that are started anew: everything
comes back by itself."""

import itertools
import time

import pytest

from losos_system import seen

BACK = 30.0  # seconds from the last boot
NAMES = ("hub", "gateway", "box")
ALONE = [(name,) for name in NAMES]
# Every order in a soak; elsewhere the two that have nothing in common.
SOME_ORDERS = [("hub", "gateway", "box"), ("box", "gateway", "hub")]


def machines(site, names):
    return [getattr(site, name) for name in names]


def title(names):
    return "-".join(names)


@pytest.fixture
def well(site):
    """The site, with everything as it should be."""
    seen.wait_well(site, 60)
    return site


@pytest.mark.parametrize("names", ALONE, ids=title)
def test_a_machine_that_reboots_alone_is_missed_by_nobody_for_long(well, figure, names):
    reboot_one_after_another(well, figure, names)


@pytest.mark.parametrize("names", SOME_ORDERS, ids=title)
def test_machines_that_reboot_one_after_another_find_each_other(well, figure, names):
    reboot_one_after_another(well, figure, names)


def test_machines_reboot_in_every_order(well, figure, rounds):
    orders = list(itertools.permutations(NAMES))
    for names in orders if rounds >= 10 else orders[2:4]:
        reboot_one_after_another(well, figure, names)


def reboot_one_after_another(site, figure, names):
    for machine in machines(site, names):
        machine.poweroff()
        started = time.monotonic()
        machine.boot()
    took = seen.wait_well(site, BACK, started)
    figure(f"back after a reboot of {', '.join(names)}: {took:.1f} s")


def test_after_a_power_cut_that_meets_everybody_all_is_back(well, figure):
    for machine in well.machines:
        machine.kill()
    started = time.monotonic()
    well.boot()
    took = seen.wait_well(well, BACK, started)
    figure(f"back after a power cut everywhere: {took:.1f} s")


def test_a_box_that_boots_long_before_its_gateway_and_its_hub_waits_for_them(well, figure):
    for machine in well.machines:
        machine.poweroff()
    well.box.boot()
    # Nobody is there.
    seen.wait_until_no_path(well.box)
    well.gateway.start_booting()
    # Its gateway is there, and has no hub.
    seen.wait_source(well.box, "lan")
    started = time.monotonic()
    well.hub.boot()
    took = seen.wait_well(well, BACK, started)
    figure(f"back after the box had been alone: {took:.1f} s")


@pytest.mark.parametrize("unit", ["avahi-daemon", "dbus"])
def test_avahi_or_the_system_bus_is_started_anew_and_the_box_stays_on_its_path(well, unit):
    before = seen.switches(well.box)
    for machine in (well.gateway, well.box):
        machine.run(f"systemctl restart {unit}")
    for machine in (well.gateway, well.box):
        seen.wait_active(machine, "avahi-daemon")
    # A gateway whose advert is missing for ten seconds is left.
    seen.stays(lambda: seen.switches(well.box) == before, "the box changed its path", 12)
    assert seen.is_well(well) == []


UPGRADED = [("hub", "losos-registrar losos-rathole losos-traefik"),
            ("gateway", "losos-registrar losos-rathole losos-traefik losos-rathole-uplink"),
            ("box", "lososd-pathd losos-registrar-announce losos-rathole-client")]


@pytest.mark.parametrize("name, units", UPGRADED, ids=lambda value: value.split()[0])
def test_an_upgrade_that_restarts_all_daemons_of_a_machine_is_over_soon(well, figure, name, units):
    getattr(well, name).run(f"systemctl restart {units}")
    figure(f"back after an upgrade of the {name}: {seen.wait_well(well, BACK):.1f} s")
