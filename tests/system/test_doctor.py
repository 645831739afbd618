"""losos-edge doctor on booted machines: what is broken on purpose is named, and nothing is left of it
once it is mended."""

import json
import os
import pathlib
import shutil

import pytest
from losos_system import HUB_ADDRESS, until
from losos_system.setting_up import BOX_NAME, HUB_NAME

ROUTES = "/etc/traefik/dynamic"
TOKEN = "/var/lib/losos-edge/uplink.token"
UPLINK = "/var/lib/losos-edge/uplink.json"
NOISE = "/var/lib/losos-registrar/noise.key"
TENANTS = "/etc/losos/tenants.json"
BOX_TOKEN = "/var/secrets/losos-proxy-token"
# libfaketime hangs what waits on the system bus.
CLOCK = pathlib.Path(os.environ.get("LOSOS_BUILD_DIR", "build/gcc"),
                     "tests/support/stepped_clock/losos-stepped-clock.so")
BOX_UNITS = "losos-edge-path.timer losos-edge-path.path losos-edge-path-none.path"


def doctor(machine, before=""):
    """({what: says} of each check that failed, exit code)."""
    done = machine.run(f"{before} losos-edge doctor --json", expect=None)
    failed = {}
    for check in json.loads(done.out)["checks"]:
        if check["verdict"] == "failed":
            failed[check["what"]] = failed.get(check["what"], "") + check["says"]
    return failed, done.code


def wait_well(machine):
    """Waits until every check passes; what did not is the failure's text."""
    last = [None]

    def is_well():
        last[0] = doctor(machine)
        return last[0] == ({}, 0)

    until(is_well, lambda: f"doctor on {machine.name} to find nothing, not {last[0]}", 45)


def wait_named(machine, what, words, before=""):
    last = [None]

    def is_named():
        failed, code = last[0] = doctor(machine, before)
        return code == 1 and words in failed.get(what, "")

    until(is_named, lambda: f"doctor on {machine.name} to say {words!r} of {what!r}, not {last[0]}", 30)


@pytest.fixture(scope="module")
def healed(site):
    """The three machines, on which doctor finds nothing."""
    # What the hub's operator has in DNS for the gateway's zone.
    site.hub.run(f"echo '{HUB_ADDRESS} {BOX_NAME}' >> /etc/hosts")
    for machine in site.machines:
        wait_well(machine)
    site.is_well = True
    return site


class Breakage:
    """`where` is broken by one line and mended by another; `what` doctor must say, and on which
    machine: that one, unless `seen` names another."""

    def __init__(self, where, broken, mended, what, words, seen=None):
        self.where, self.broken, self.mended = where, broken, mended
        self.what, self.words, self.seen = what, words, seen or where


def stop(where, units, what, words, seen=None):
    return Breakage(where, f"systemctl stop {units}", f"systemctl start {units}", what, words, seen)


def edit(where, path, broken, what, words, seen=None):
    """The file gets its content, mode and owner back."""
    return Breakage(where, f"cp -a {path} /root/kept && {broken}", f"cp -a /root/kept {path}", what,
                    words, seen)


NEW_KEY = (f"rm {NOISE} && setpriv --reuid=losos-edge --regid=losos-edge --clear-groups "
           f"losos-registrar noise keygen --noise-private-key-file {NOISE}")
# One after the other: rathole reads at its start what the registrar wrote at its own.
HUB_AGAIN = "systemctl restart losos-registrar && systemctl restart losos-rathole"

# First what would start the tunnel again.
NO_TUNNEL = (f"systemctl stop {BOX_UNITS} losos-edge-path.service && "
             "systemctl stop losos-rathole-client")
TUNNEL_AGAIN = f"systemctl start {BOX_UNITS} losos-rathole-client"

BREAKAGES = {
    # --- seen on the gateway
    "registrar stopped": stop("gateway", "losos-registrar", "unit losos-registrar.service",
                              "systemctl start losos-registrar"),
    "rathole stopped": stop("gateway", "losos-rathole", "port 2333", "no tunnel comes in"),
    "Traefik stopped": stop("gateway", "losos-traefik", f"route {BOX_NAME}", "losos-traefik"),
    "another file spoils the routes": Breakage(
        "gateway", f"printf 'http: [' > {ROUTES}/mine.yml && systemctl restart losos-traefik",
        f"rm {ROUTES}/mine.yml", f"route {BOX_NAME}", "mine.yml"),
    "token readable by all": Breakage("gateway", f"chmod 0644 {TOKEN}", f"chmod 0600 {TOKEN}",
                                      f"file {TOKEN}", f"chmod 0600 {TOKEN}"),
    "token of root": Breakage("gateway", f"chown root: {TOKEN}", f"chown losos-edge: {TOKEN}",
                              f"file {TOKEN}", f"chown losos-edge: {TOKEN}"),
    "token missing": Breakage("gateway", f"mv {TOKEN} /root/token", f"mv /root/token {TOKEN}",
                              f"file {TOKEN}", "losos-edge uplink set"),
    "uplink.json malformed": edit("gateway", UPLINK, f"echo '{{' > {UPLINK}", f"file {UPLINK}",
                                  "byte 1"),
    "routes on a read-only disk": Breakage(
        "gateway", f"mount --bind {ROUTES} {ROUTES} && mount -o remount,bind,ro {ROUTES}",
        f"umount {ROUTES}", f"directory {ROUTES}", "read-only"),
    "disk full": Breakage(
        "gateway", "mount -t tmpfs -o size=64k,mode=0755,uid=losos-edge,gid=losos-edge none /mnt "
        "&& mount --bind /mnt /var/lib/losos-registrar/enrolled && "
        "chmod 0700 /var/lib/losos-registrar/enrolled",
        "umount /var/lib/losos-registrar/enrolled /mnt",
        "directory /var/lib/losos-registrar/enrolled", "full"),
    "not started at a boot": Breakage(
        "gateway", "systemctl disable losos-gateway.target", "systemctl enable losos-gateway.target",
        "start at boot", "systemctl enable losos-gateway.target"),
    "timer masked": Breakage(
        "gateway", "systemctl mask --runtime --now losos-uplink.timer",
        "systemctl unmask --runtime losos-uplink.timer && systemctl start losos-uplink.timer",
        "unit losos-uplink.timer", "systemctl unmask losos-uplink.timer"),
    "Avahi stopped": stop("gateway", "avahi-daemon.socket avahi-daemon.service", "advert",
                          "systemctl start avahi-daemon"),
    "advert removed": Breakage("gateway", "rm /etc/avahi/services/losos-edge.service",
                               "systemctl restart losos-registrar", "advert", "is missing"),
    # It takes Avahi along.
    "D-Bus stopped": Breakage("gateway", "systemctl stop dbus.socket dbus.service",
                              "systemctl start dbus.socket dbus.service avahi-daemon", "units",
                              "systemctl start dbus"),
    "port taken": Breakage(
        "gateway", "systemctl stop losos-traefik && systemd-run --quiet --unit=squatter "
        "systemd-socket-activate --accept --listen=443 cat",
        "systemctl stop squatter && systemctl start losos-traefik", "port 443",
        "of squatter.service) has it, not traefik"),
    "hub's name unknown": edit("gateway", "/etc/hosts", f"sed -i /{HUB_NAME}/d /etc/hosts",
                               f"name {HUB_NAME}", "not found by that name"),
    "hub out of reach": Breakage(
        "gateway", f"ip route add unreachable {HUB_ADDRESS}", f"ip route del unreachable {HUB_ADDRESS}",
        f"hub tunnels {HUB_NAME}:2333", "no route to the host"),
    "token unknown at the hub": edit(
        "hub", "/etc/losos/tokens/acme", "openssl rand -hex 32 > /etc/losos/tokens/acme", "hub token",
        "does not take the token", seen="gateway"),
    "hub's key changed": Breakage(
        "hub", f"cp -a {NOISE} {NOISE}.pub /root && {NEW_KEY} && {HUB_AGAIN}",
        f"cp -a /root/noise.key {NOISE} && cp -a /root/noise.key.pub {NOISE}.pub && {HUB_AGAIN}",
        "hub key", "another key than the one in", seen="gateway"),
    "hub's registrar stopped": stop("hub", "losos-registrar", f"hub https://{HUB_NAME}",
                                    "not as an edge does", seen="gateway"),
    "box without a tunnel": Breakage("box", NO_TUNNEL, TUNNEL_AGAIN, "tunnel mattbox",
                                     "nothing is connected", seen="gateway"),
    "box without a web server": stop("box", "nginx", "tunnel mattbox", "web server does not answer",
                                     seen="gateway"),
    # --- seen on the hub
    "gateway's tunnels stopped": stop(
        "gateway", "losos-rathole-uplink.path losos-rathole-uplink.service", "tunnel acme.mattbox",
        "on its gateway", seen="hub"),
    "tenants.json malformed": edit("hub", TENANTS, f"echo '{{' > {TENANTS}", "registrar", TENANTS),
    # --- seen on the box
    "web server stopped": stop("box", "nginx", "web server", "nobody listens on port 80"),
    "pathd stopped": stop("box", "lososd-pathd", "unit lososd-pathd.service",
                          "systemctl start lososd-pathd"),
    "box's Avahi stopped": stop("box", "avahi-daemon.socket avahi-daemon.service",
                                "unit avahi-daemon.service", "systemctl start avahi-daemon"),
    "box's token readable by all": Breakage("box", f"chmod 0644 {BOX_TOKEN}", f"chmod 0600 {BOX_TOKEN}",
                                            f"file {BOX_TOKEN}", f"chmod 0600 {BOX_TOKEN}"),
    "box's tunnel stopped": Breakage("box", NO_TUNNEL, TUNNEL_AGAIN,
                                     "unit losos-rathole-client.service", "systemctl start"),
}


@pytest.mark.parametrize("name", BREAKAGES)
def test_a_breakage_is_named_and_gone_once_it_is_mended(healed, name):
    breakage = BREAKAGES[name]
    assert healed.is_well, "an earlier breakage was not mended"
    where, seen = getattr(healed, breakage.where), getattr(healed, breakage.seen)
    assert breakage.words not in doctor(seen)[0].get(breakage.what, "")
    where.run(breakage.broken)
    try:
        wait_named(seen, breakage.what, breakage.words)
    finally:
        healed.is_well = False
        where.run(breakage.mended)
        for machine in {where, seen}:
            wait_well(machine)
        healed.is_well = True


@pytest.mark.parametrize("clock, what, words", [
    ("stop 86400", "clock", "it shows 1970-01-02"),
    ("step 7200", f"clock against https://{HUB_NAME}", "s ahead"),
    # Then the hub's certificate is of the future, and no answer tells the time.
    ("step -7200", f"hub https://{HUB_NAME}", "look at this machine's clock"),
])
def test_a_clock_that_is_wrong_is_named(healed, clock, what, words):
    shutil.copy(CLOCK, healed.gateway.path("/root/clock.so"))
    healed.gateway.write("/root/clock", f"{clock}\n")
    wait_named(healed.gateway, what, words, "LD_PRELOAD=/root/clock.so LOSOS_TEST_CLOCK=/root/clock")


def test_who_is_not_root_is_told_what_was_not_checked_and_it_is_not_counted_as_right(healed):
    done = healed.box.run("setpriv --reuid=nobody --regid=nogroup --clear-groups losos-edge doctor "
                          "--json", expect=None)
    verdicts = {check["what"]: check["verdict"] for check in json.loads(done.out)["checks"]}
    assert verdicts[f"file {BOX_TOKEN}"] == "not_checked"
    assert verdicts["unit lososd-pathd.service"] == "ok"


def test_ssh_is_switched_on_and_off_for_now_and_for_every_boot(healed):
    gateway = healed.gateway
    for word, active, enabled in (("on", "active", "enabled"), ("off", "inactive", "disabled")) * 2:
        assert gateway.run(f"losos-edge ssh {word}").out == f"ssh: {word}\n"
        assert gateway.active("ssh.service") == active
        assert gateway.show("ssh.service", "UnitFileState") == enabled
    assert json.loads(gateway.run("losos-edge ssh off --json").out) == {"ssh": False}


def test_ssh_that_is_not_installed_is_said_in_plain_words(healed):
    gateway = healed.gateway
    gateway.run("mkdir /root/away && cd /root/away && mv /lib/systemd/system/ssh.service "
                "/etc/init.d/ssh . && systemctl daemon-reload")
    try:
        done = gateway.run("losos-edge ssh on", expect=1)
        assert "no SSH server is installed" in done.err
        assert gateway.run("losos-edge ssh off").out == "ssh: off\n"
    finally:
        gateway.run("cd /root/away && mv ssh.service /lib/systemd/system && mv ssh /etc/init.d && "
                    "systemctl daemon-reload")
