"""Three machines boot, see of each other what they should, and leave nothing behind."""

import pathlib
import signal
import subprocess
import sys

from losos_system import HUB_NAME, LAN_ADDRESSES, until
from losos_system import keeper

OTHER = """
import sys
sys.path[:0] = sys.argv[1:]
from losos_system import Federation
with Federation() as other:
    print(other.tag, other.box.run("cat /proc/1/comm").out.strip(), flush=True)
    sys.stdin.read()
"""


def test_every_machine_boots_with_all_its_units_and_our_programs(federation):
    for machine in federation.machines:
        assert machine.run("hostname").out.strip() == machine.name
        assert machine.failed_units() == []
        assert machine.active("avahi-daemon") == "active"
        assert machine.run("losos-registrar --version").out.startswith("losos-registrar ")
        assert "losos-edge" in machine.run("getent passwd losos-edge").out


def test_the_internet_reaches_every_machine_and_mdns_stays_at_home(federation):
    federation.gateway.run(f"ping -c1 -W5 {HUB_NAME}")
    federation.box.run(f"ping -c1 -W5 {HUB_NAME}")
    assert LAN_ADDRESSES["gateway"] in federation.box.run("getent ahostsv4 gateway.local").out
    assert federation.hub.run("getent hosts gateway.local", expect=None).code != 0


def test_a_machine_reboots_with_its_disk_and_with_its_cables(federation):
    federation.box.write("/etc/kept", "kept")
    federation.box.reboot()
    assert federation.box.path("/etc/kept").read_text() == "kept"
    federation.box.run(f"ping -c1 -W5 {HUB_NAME}")


def test_a_machine_comes_back_after_a_power_cut(federation):
    federation.box.kill()
    federation.box.boot()
    federation.box.run(f"ping -c1 -W5 {LAN_ADDRESSES['gateway']}")


def traces(tag):
    """What there is of a federation: files, control groups, and processes that work with them."""
    places = [top / tag for top in [keeper.TMP, *keeper.hierarchies()] if (top / tag).exists()]
    for each in pathlib.Path("/proc").glob("[0-9]*/cgroup"):
        try:
            if tag in each.read_text():
                places.append(each)
        except OSError:
            pass  # ended while we looked
    return places


def test_a_second_federation_meets_nobody_and_leaves_nothing_when_its_process_is_killed(federation):
    other = subprocess.Popen([sys.executable, "-c", OTHER, *sys.path], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, text=True)
    tag, name = other.stdout.readline().split()
    assert name == "systemd"
    assert tag != federation.tag and traces(tag) and traces(federation.tag)
    other.send_signal(signal.SIGKILL)
    other.wait()
    until(lambda: not traces(tag), lambda: f"{traces(tag)} to go away", 30)
    federation.box.run(f"ping -c1 -W5 {HUB_NAME}")
