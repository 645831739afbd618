"""The Debian packages in a machine's life, step by step: each test goes on where the one before ended.

There is no network but the machines' own: what the packages depend on is on the disks.
"""

import hashlib

import pytest

from losos_system import BOX, BOX_NAME, HUB_NAME, setting_up, until
from losos_system import packages as debian
from losos_system.setting_up import SPOKE
from losos_system.stream import FILE, PAGE, Stream

CARRIERS = {"hub": ("losos-rathole", "losos-traefik"),
            "gateway": ("losos-rathole", "losos-traefik", "losos-rathole-uplink"),
            "box": ("losos-rathole-client",)}
OURS = {"hub": ("losos-registrar",), "gateway": ("losos-registrar",),
        "box": ("lososd-pathd", "losos-registrar-announce")}
TARGETS = {"hub": "losos-hub.target", "gateway": "losos-gateway.target", "box": "losos-box.target"}
# What the machine's identity, its owner's settings and its visitors hang on.
KEPT = {
    "hub": ("/var/lib/losos-registrar/noise.key", "/var/lib/losos-registrar/bootstrap.token",
            f"/etc/losos/tokens/{SPOKE}", "/etc/losos/tenants.json", "/etc/losos/losos-registrar.toml",
            "/etc/losos/traefik.yml", "/etc/losos/traefik.env", "/var/lib/losos-registrar/registry.json"),
    "gateway": ("/var/lib/losos-registrar/noise.key", "/var/lib/losos-registrar/bootstrap.token",
                f"/var/lib/losos-registrar/enrolled/{BOX}.token", "/var/lib/losos-edge/uplink.json",
                "/var/lib/losos-edge/uplink.token", "/etc/losos/losos-registrar.toml",
                "/etc/losos/traefik.yml", "/var/lib/losos-registrar/registry.json"),
    "box": ("/var/secrets/losos-proxy-token", "/var/secrets/losos-rathole-bootstrap",
            "/etc/losos/lososd-pathd.toml", "/etc/losos/losos-announce.toml"),
}
TENANTS = '{"%s": {"hostname": "%s", "token_file": "/etc/losos/tokens/%s", "relay_zone": "%s"}}\n'


@pytest.fixture(scope="module")
def home():
    """Three machines without anything of ours, and a repository with an older build."""
    with debian.PackagedFederation() as three:
        debian.everywhere(three, lambda machine: debian.offer(machine, "old"))
        yield three


def runs(machine):
    return machine.active(TARGETS[machine.name]) == "active" and machine.failed_units() == []


def invocations(machine, units):
    return {unit: machine.show(unit, "InvocationID") for unit in units}


def kept(machine):
    return {path: hashlib.sha256(machine.path(path).read_bytes()).hexdigest()
            for path in KEPT[machine.name]}


def wait_public(home):
    home.visitor.wait_status(BOX_NAME, 200, 60)


# --- installed ------------------------------------------------------------------------------------


def test_1_a_hub_that_is_told_its_name_and_an_address_runs(home):
    hub = home.hub
    debian.answer(hub, "losos-hub", hostname=HUB_NAME, email="hostmaster@losos.example")
    debian.apt(hub, "install losos-hub")
    assert runs(hub)
    assert hub.run(f"systemctl is-enabled {TARGETS['hub']}").out == "enabled\n"
    assert f'public-host = "{HUB_NAME}"\n' in hub.path("/etc/losos/losos-registrar.toml").read_text()
    assert "      email: hostmaster@losos.example\n" in hub.path("/etc/losos/traefik.yml").read_text()
    setting_up.certify(hub, home.authority)
    home.visitor.wait_status(HUB_NAME, 200, 30, path="/health")


def test_2_a_gateway_runs_without_a_question(home):
    debian.apt(home.gateway, "install losos-gateway")
    assert runs(home.gateway)
    assert "lan: advertised as " in home.gateway.run("losos-edge status").out
    assert "losos-hub" not in debian.installed(home.gateway)


def test_3_a_box_that_is_told_nothing_is_not_started(home):
    said = debian.apt(home.box, "install losos-box").out
    assert "dpkg-reconfigure losos-box" in said
    assert home.box.active(TARGETS["box"]) == "inactive"
    assert home.box.run(f"systemctl is-enabled {TARGETS['box']}", expect=None).out == "disabled\n"


def test_3_a_box_that_is_told_its_id_and_name_finds_its_gateway(home):
    setting_up.web_server(home.box)
    home.box.write("/etc/nginx/conf.d/page.conf", setting_up.PAGE.replace("    location", PAGE + "    location", 1))
    home.box.run(f"mkdir -p /var/www && truncate -s 1G {FILE} && systemctl reload nginx")
    debian.answer(home.box, "losos-box", id=BOX, hostname=BOX_NAME)
    home.box.run("dpkg-reconfigure -f noninteractive losos-box")
    assert runs(home.box)
    until(lambda: f"{BOX}\t{BOX_NAME}\t" in home.gateway.run("losos-edge boxes").out,
          "the gateway to have the box", 60)


def test_4_it_is_public_once_the_gateway_has_its_uplink(home):
    home.hub.run(f"openssl rand -hex 32 | install -o losos-edge -m 0600 /dev/stdin /etc/losos/tokens/{SPOKE}")
    home.hub.write("/etc/losos/tenants.json",
                   TENANTS % (SPOKE, setting_up.ZONE, SPOKE, setting_up.ZONE))
    setting_up.hand_over_token(home.gateway, home.hub)
    home.set_uplink()
    wait_public(home)
    assert home.visitor.request(BOX_NAME).body.decode().startswith("Hello from mattbox.")


# --- upgraded -------------------------------------------------------------------------------------


def test_5_an_upgrade_keeps_streams_state_and_what_was_edited(home):
    # An owner's own line in a file that came with the package.
    home.gateway.run(setting_up.FEWER_PORTS)
    before = {machine.name: kept(machine) for machine in home.machines}
    carriers = {machine.name: invocations(machine, CARRIERS[machine.name]) for machine in home.machines}
    ours = {machine.name: invocations(machine, OURS[machine.name]) for machine in home.machines}
    with Stream(home.visitor, BOX_NAME) as stream, home.watcher(BOX_NAME) as watcher:
        watcher.settled()
        debian.everywhere(home, lambda machine: debian.offer(machine, "new"))
        debian.everywhere(home, lambda machine: debian.apt(machine, "upgrade"))
        stream.wait_more()
        watcher.settled()
        assert set(watcher.statuses()) == {200}, watcher.statuses()
    for machine in home.machines:
        ours_now = {name: version for name, version in debian.installed(machine).items()
                    if name in debian.OURS}
        assert ours_now and set(ours_now.values()) == {debian.version_of(debian.packages()["losos-box"])}
        assert runs(machine)
        assert invocations(machine, CARRIERS[machine.name]) == carriers[machine.name]
        now = invocations(machine, OURS[machine.name])
        assert all(now[unit] != ours[machine.name][unit] for unit in now), "what runs is the old program"
        assert kept(machine) == before[machine.name]


def test_6_a_downgrade_is_refused_and_changes_nothing(home):
    with Stream(home.visitor, BOX_NAME) as stream:
        for machine in home.machines:
            before = debian.installed(machine), invocations(machine, OURS[machine.name])
            debian.offer(machine, "old")
            older = [f"{name}={version}" for name, version in older_builds(machine)]
            said = debian.apt(machine, f"install --allow-downgrades {' '.join(older)}", expect=100)
            assert "may not understand its files: refused" in said.out
            assert (debian.installed(machine), invocations(machine, OURS[machine.name])) == before
            assert machine.run("dpkg --audit").out == ""
            assert runs(machine)
        stream.wait_more()


def older_builds(machine):
    """What the repository has, of what is installed."""
    new = debian.version_of(debian.packages()["losos-box"])
    older = debian.OLD_VERSION + new[new.index("+"):]
    return [(name, older) for name in debian.installed(machine) if name in debian.OURS]


# --- removed, and back ----------------------------------------------------------------------------


def refuse_the_gateway(home):
    """Its uplink fails for good, until somebody does something."""
    home.gateway.run("openssl rand -hex 32 > /var/lib/losos-edge/uplink.token")
    until(lambda: home.gateway.active("losos-uplink") == "failed", "the hub to refuse the gateway")


def test_7_a_removal_ends_everything_and_leaves_the_state(home):
    refuse_the_gateway(home)
    before = {machine.name: kept(machine) for machine in home.machines}
    debian.everywhere(home, lambda machine: debian.offer(machine, "new"))
    debian.everywhere(home, lambda machine: debian.apt(machine, f"remove {' '.join(debian.OURS)}"))
    for machine in home.machines:
        assert not set(debian.installed(machine)) & set(debian.OURS)
        out = machine.run("systemctl list-units --no-legend --plain 'losos*'").out
        assert out == "", f"{machine.name} still has {out}"
        assert kept(machine) == before[machine.name]
        assert machine.failed_units() == []
    assert not home.gateway.path("/etc/avahi/services/losos-edge.service").exists()
    home.gateway.run(f"cat {SPOKE}.token > /var/lib/losos-edge/uplink.token")


def test_8_what_is_installed_again_goes_on_where_it_was(home):
    before = {machine.name: kept(machine) for machine in home.machines}
    debian.everywhere(home, lambda machine: debian.apt(machine, f"install losos-{machine.name}"))
    assert all(runs(machine) for machine in home.machines)
    wait_public(home)
    secrets = {name: {path: digest for path, digest in files.items() if "registry" not in path}
               for name, files in before.items()}
    for machine in home.machines:
        now = kept(machine)
        assert {path: now[path] for path in secrets[machine.name]} == secrets[machine.name]


def purge(machine):
    debian.apt(machine, f"purge {' '.join(debian.OURS)} losos-rathole losos-traefik")


def test_9_a_purge_leaves_nothing(home):
    home.hub.run("rm -r /etc/traefik/certificate.* /etc/traefik/dynamic/certificate.yml")
    purge(home.hub)
    # A gateway whose uplink is between two tries.
    until(lambda: home.gateway.show("losos-uplink", "SubState") == "auto-restart",
          "the gateway to miss its hub", 60)
    purge(home.gateway)
    purge(home.box)
    for machine in home.machines:
        assert debian.traces(machine) == set(), machine.name
        assert machine.failed_units() == []
    assert home.gateway.run("stat -c '%a %U' /etc/avahi/services").out == "755 root\n"


def test_9_a_purged_machine_is_as_good_as_new(home):
    debian.answer(home.box, "losos-box", id="zoe", hostname=f"zoe.{setting_up.ZONE}")
    debian.apt(home.box, "install losos-box")
    assert runs(home.box)
    until(lambda: home.box.path("/var/secrets/losos-proxy-token").exists(), "a new token", 30)
    assert 'appliance-id = "zoe"\n' in home.box.path("/etc/losos/lososd-pathd.toml").read_text()


def test_9_a_gateway_runs_the_rathole_and_the_traefik_that_its_owner_has(home):
    for program in ("rathole", "traefik"):
        debian.bring(home.gateway, program)
    debian.apt(home.gateway, "install --no-install-recommends losos-gateway")
    assert not {"losos-rathole", "losos-traefik"} & set(debian.installed(home.gateway))
    assert runs(home.gateway)
    for program in ("rathole", "traefik"):
        running = home.gateway.run(f"readlink /proc/$(systemctl show -P MainPID losos-{program})/exe").out
        assert running == f"/usr/local/bin/{program}\n"
