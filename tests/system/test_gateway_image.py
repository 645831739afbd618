"""The image of a gateway, booted by QEMU: what its owner sees and types from the first start to the second,
and a box at the same switch that becomes public through it."""

import contextlib
import filecmp
import os
import re
import signal
import subprocess
import time

import pytest

from losos_image import Home, image_file
from losos_lab import parts, wait
from losos_system import BOX, BOX_NAME, SPOKE, seen
from losos_image.home import UPLINK_SET

PASSWORD = "Vier-Ziegen-7"
KEYS = ("/etc/ssh/ssh_host_ed25519_key /var/lib/losos-registrar/noise.key "
        "/var/lib/losos-registrar/bootstrap.token /etc/machine-id")


@pytest.fixture(scope="module")
def second_build(tmp_path_factory):
    """The image once more, of the same packages, made while the first one is looked at."""
    packages = sorted((image_file().parent / "packages").glob("*.deb"))
    folder = tmp_path_factory.mktemp("second-build")
    with open(folder / "log", "w", encoding="utf-8") as log:
        build = subprocess.Popen(
            [parts.ROOT / "units/gateway-image/build", folder / "image.qcow2", *packages],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    yield build, folder
    with contextlib.suppress(ProcessLookupError):
        os.killpg(build.pid, signal.SIGTERM)
    build.wait()


@pytest.fixture(scope="module")
def home(second_build):
    """Switched on for the first time, and nobody has typed anything."""
    with Home() as made:
        yield made


@pytest.fixture(scope="module")
def first_sight(home, figure):
    """What stands above the login prompt once there is an address."""
    home.console.expect(r"address: [^\n]*192\.168\.1\.10 ", timeout=420)
    _, _, above = home.console.expect(r"login: $")
    figure(f"the gateway's image, emulated: an address at the first login prompt after "
           f"{home.machine.seconds():.0f} s")
    return above


@pytest.fixture(scope="module")
def asked_for_password(home, first_sight):
    return home.console.log_in("losos", PASSWORD)


@pytest.fixture(scope="module")
def owned(home, asked_for_password):
    """The owner is logged in."""
    return home


@pytest.fixture(scope="module")
def online(owned):
    """The owner has typed the one command that a gateway needs."""
    owned.trust_the_hub()
    owned.bring_the_token()
    assert f"uplink set: {SPOKE}\n" in owned.run(UPLINK_SET)
    owned.wait_public()
    return owned


@pytest.fixture(scope="module")
def second_start(online, figure):
    """Switched off by its button and on again with the other kind of firmware, after a kernel came
    that is new by its name only, and the first one went."""
    online.run("losos-edge ssh on")
    before = online.run(f"sha256sum {KEYS}")
    version = online.run("uname -r").strip()
    new, began = f"{version}.1", time.monotonic()
    online.run(f"""set -e
cp -al /lib/modules/{version} /lib/modules/{new}
touch /lib/modules/{new}/.fresh-install
mv /boot/vmlinuz-{version} /boot/vmlinuz-{new}
rm /boot/initrd.img-{version}
sed 's/^version=.*/version={new}/' /var/lib/dpkg/info/linux-image-{version}.postinst > postinst
sh postinst configure""")
    installed = time.monotonic()
    online.machine.power_down()
    off = time.monotonic()
    online.switch_on("bios")
    online.console.expect(r"login: $", timeout=420)
    figure(f"a kernel's installation {installed - began:.0f} s, switched off in {off - installed:.0f} s, "
           f"the next login prompt after {online.machine.seconds():.0f} s")
    return online, before, online.console.log_in(PASSWORD)


# --- the first start ------------------------------------------------------------------------------


def test_the_console_tells_state_next_command_and_first_password(first_sight):
    assert re.search(r"^state:   \S", first_sight, re.M)
    assert re.search(r"^next:    \S", first_sight, re.M)
    assert "\nlogin:   root, first password: losos\n" in first_sight


def test_the_first_login_demands_another_password(asked_for_password):
    assert asked_for_password


def test_every_unit_has_started(owned):
    state = owned.console.run("systemctl is-system-running --wait")[1]
    assert (state, owned.run("systemctl --failed --no-legend --plain")) == ("running\n", "")
    units = "losos-registrar losos-rathole losos-traefik avahi-daemon systemd-timesyncd"
    assert owned.run(f"systemctl is-active {units}").split() == ["active"] * 5


def test_the_root_has_grown_to_its_disk(owned):
    assert int(owned.run("df --output=size -B1M / | tail -n 1")) > 9 * 1024


def test_security_updates_come_by_themselves_and_nothing_else_does(owned):
    assert owned.run("systemctl is-enabled apt-daily.timer apt-daily-upgrade.timer").split() == ["enabled"] * 2
    said = owned.run("unattended-upgrade --dry-run --verbose")
    assert "Allowed origins are: origin=Debian,codename=bookworm-security,label=Debian-Security\n" in said


def test_ssh_is_closed_until_the_owner_opens_it(owned):
    assert not owned.answers_ssh()
    owned.run("losos-edge ssh on")
    assert owned.answers_ssh()
    owned.run("losos-edge ssh off")
    assert not owned.answers_ssh()


def test_the_screen_follows_an_address(owned):
    owned.run("ip address add 192.168.1.77/24 dev eth0")
    wait.until(lambda: re.search(r"^address: .*192\.168\.1\.77", owned.screen(), re.M), owned.screen, 120, 0.5)
    owned.run("ip address del 192.168.1.77/24 dev eth0")


def test_the_manual_is_there(owned):
    assert "LOSOS-EDGE(8)" in owned.run("man losos-edge")


# --- its box --------------------------------------------------------------------------------------


def test_a_box_at_the_switch_finds_it_and_is_taken_in(owned):
    path = seen.wait_source(owned.box, "lan", 180)
    assert path["url"] in ("http://gateway.local:8443", "http://192.168.1.10:8443")
    wait.until(lambda: f"{BOX}\t" in owned.run("losos-edge boxes"), "the box at the gateway", 120, 0.5)


def test_three_commands_make_the_box_public(online):
    """The first of them is typed by the fixture."""
    wait.until(lambda: "\nrelaying: 1 box\n" in online.run("losos-edge status"),
               lambda: online.run("losos-edge status"), 120, 0.5)
    assert re.search(rf"^{BOX}\t{BOX_NAME.split('.')[0]}\S*\tport \d+$", online.run("losos-edge boxes"), re.M)
    assert f"{SPOKE}.{BOX}\t" in online.hub.run("losos-edge boxes").out
    assert b"Hello from mattbox" in online.visitor.request(BOX_NAME).body


def test_the_screen_follows_the_state(online):
    state = re.search(r"^in short: (.{20})", online.run("losos-edge status"), re.M)[1]
    wait.until(lambda: state in online.screen(), online.screen, 120, 0.5)


# --- the second start -----------------------------------------------------------------------------


def test_a_new_kernel_starts_by_bios_and_nothing_is_asked_again(second_start):
    home, _, asked = second_start
    assert not asked
    assert not home.run("ls /sys/firmware").split().count("efi")
    assert "first password" not in home.run("cat /run/issue.d/50-losos.issue")


def test_keys_ssh_and_the_uplink_are_those_of_before(second_start):
    home, before, _ = second_start
    assert home.run(f"sha256sum {KEYS}") == before
    assert home.answers_ssh()
    home.wait_public()


def test_without_an_image_the_failure_says_how_to_get_one(monkeypatch):
    monkeypatch.setenv("LOSOS_IMAGE", "/nowhere.qcow2")
    with pytest.raises(RuntimeError, match="/nowhere.qcow2 is missing: './dev build image' makes it"):
        image_file()


def test_two_builds_of_the_same_packages_are_the_same_to_the_byte(second_build):
    build, folder = second_build
    assert build.wait(900) == 0, (folder / "log").read_text()
    assert filecmp.cmp(image_file(), folder / "image.qcow2", shallow=False)
