"""Machines that do not know what time it is. Our programs are given a wrong clock; all else has the
right one. What needs no clock goes on, and the rest is back once the clock is right.

The wrong clock is that of the integration ring: libfaketime moves timers of the monotonic clock too,
which no step of a real clock does, and systemd's event loop then fails."""

import os
import pathlib
import shutil
import time

import pytest

from losos_system import BOX, BOX_NAME, seen, until

DAY = 86400
BACK = 30.0
OURS = ("losos-registrar", "losos-uplink", "losos-registrar-announce", "lososd-pathd",
        "losos-rathole-client")
CLOCK = "/etc/clock"
LIBRARY = "/usr/local/lib/losos-stepped-clock.so"
BUILT = pathlib.Path(os.environ.get("LOSOS_BUILD_DIR", "build/gcc"),
                     "tests/support/stepped_clock/losos-stepped-clock.so")
DROP_IN = f"""[Service]
Environment=LD_PRELOAD={LIBRARY} LOSOS_TEST_CLOCK={CLOCK}
"""


class Clocks:
    """The wall clocks of our programs on all machines."""

    def __init__(self, site):
        self._machines = site.machines
        for machine in self._machines:
            shutil.copy(BUILT, machine.path(LIBRARY))
            for unit in OURS:
                machine.write(f"/etc/systemd/system/{unit}.service.d/clock.conf", DROP_IN)
        self.step(0)

    def step(self, seconds):
        """So many seconds from the right time."""
        for machine in self._machines:
            machine.write(f"{CLOCK}.new", f"step {seconds}\n")
            machine.path(f"{CLOCK}.new").rename(machine.path(CLOCK))


@pytest.fixture(scope="module")
def clocks(site):
    """The site, each of whose programs of ours has a clock that can be set."""
    found = Clocks(site)
    for machine in site.machines:
        machine.reboot()
    seen.wait_well(site, 60)
    return found


def works_at_home(site):
    """The box is at its gateway, and somebody at home gets its page."""
    seen.wait_source(site.box, "lan")
    until(lambda: f"{BOX}\t" in site.gateway.run("losos-edge boxes").out, "the box at its gateway")
    site.lan_visitor().wait_status(BOX_NAME, 200)


def test_the_clock_is_what_the_test_says(site, clocks):
    clocks.step(-DAY)
    site.box.run("systemctl restart lososd-pathd")
    until(lambda: seen.document(site.box)["checkedAt"] < time.time() - DAY + 600,
          "yesterday in edge.json")
    clocks.step(0)
    seen.wait_well(site)


def test_machines_that_boot_in_1970_work_at_home_and_are_public_once_it_is_now(site, clocks, figure):
    clocks.step(-int(time.time()) + 60)
    for machine in site.machines:
        machine.poweroff()
    site.boot()
    works_at_home(site)
    # The certificate of the hub is not valid so far, and the box is not at the hub.
    until(lambda: "not valid yet; look at this machine's clock" in uplink_status(site),
          lambda: f"the uplink to say why it does not work: {uplink_status(site)}")
    assert [unit for machine in site.machines for unit in machine.failed_units()] == []
    clocks.step(0)
    figure(f"back after a boot in 1970, once the clock was right: {seen.wait_well(site, BACK):.1f} s")


@pytest.mark.parametrize("days, said", [(400, "has expired"), (-400, "not valid yet")])
def test_a_clock_that_is_stepped_takes_nobody_offline(site, clocks, figure, days, said):
    before = seen.switches(site.box)
    clocks.step(days * DAY)
    with site.watcher(BOX_NAME) as visitor:
        until(lambda: said in uplink_status(site), "the uplink to notice", 30)
        works_at_home(site)
        clocks.step(0)
        took = seen.wait_well(site, BACK)
    assert set(visitor.statuses()) == {200}
    assert seen.switches(site.box) == before
    figure(f"back after a step of {days} days, once the clock was right: {took:.1f} s")


def uplink_status(site):
    return site.gateway.run("losos-edge status", expect=None).out
