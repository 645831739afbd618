"""What our units may do on machines that run them: no more than they need."""

import pytest
from losos_system import until

OURS = 20  # tenths; what systemd-analyze calls the exposure level
OTHERS = 30
MOST = {"losos-rathole": OTHERS, "losos-rathole-client": OTHERS, "losos-rathole-uplink": OTHERS,
        "losos-traefik": OTHERS}
DAEMONS = {
    "hub": ["losos-registrar", "losos-rathole", "losos-traefik"],
    "gateway": ["losos-registrar", "losos-rathole", "losos-traefik", "losos-rathole-uplink"],
    "box": ["lososd-pathd", "losos-registrar-announce", "losos-rathole-client"],
}
USERS = {"hub": "losos-edge", "gateway": "losos-edge", "box": "losos-box"}
EVERYWHERE = [(machine, unit) for machine, units in DAEMONS.items() for unit in units]


def machine_of(federation, name):
    return getattr(federation, name)


def services(machine):
    """Every service of ours that the machine knows."""
    listed = machine.run("systemctl list-unit-files --no-legend --type=service 'losos*'").out
    return [line.split()[0].removesuffix(".service") for line in listed.splitlines()]


def running_services(machine):
    lines = machine.run("systemctl list-units --no-legend --plain --type=service "
                        "--state=running 'losos*'").out.splitlines()
    return sorted(line.split()[0].removesuffix(".service") for line in lines)


def test_every_daemon_is_looked_at(site):
    # One may be on its way down or up again when an upgrade came just before.
    for name, units in DAEMONS.items():
        until(lambda: running_services(machine_of(site, name)) == sorted(units),
              f"{name} to run these and no other")


@pytest.mark.parametrize("name, unit", EVERYWHERE)
def test_no_daemon_is_exposed_more_than_it_has_to_be(site, figure, name, unit):
    machine = machine_of(site, name)
    most = MOST.get(unit, OURS)
    done = machine.run(f"systemd-analyze security --no-pager --threshold={most} {unit}", expect=None)
    figure(f"exposure of {unit} on the {name}: {done.out.splitlines()[-1].split(':')[1].split()[0]}")
    assert done.code == 0, done.out


def test_a_unit_without_a_sandbox_would_be_found(site):
    site.box.write("/run/systemd/system/open.service", "[Service]\nExecStart=/bin/sleep 1000\n")
    site.box.run("systemctl daemon-reload")
    site.box.run("systemd-analyze security --no-pager --threshold=30 open.service", expect=1)


@pytest.mark.parametrize("name, unit", EVERYWHERE)
def test_no_daemon_runs_as_root_or_keeps_a_privilege(site, name, unit):
    machine = machine_of(site, name)
    status = machine.path(f"/proc/{machine.show(unit, 'MainPID')}/status").read_text()
    fields = dict(line.split(":\t", 1) for line in status.splitlines())
    user = "losos-traefik" if unit == "losos-traefik" else USERS[name]
    assert set(fields["Uid"].split()) == {machine.run(f"id -u {user}").out.strip()}
    # Ports below 1024 are Traefik's.
    assert int(fields["CapEff"], 16) == (1 << 10 if unit == "losos-traefik" else 0)
    assert fields["NoNewPrivs"] == "1" and fields["Seccomp"] == "2"


@pytest.mark.parametrize("name", DAEMONS)
def test_of_our_services_only_those_that_start_and_stop_others_are_root(site, name):
    machine = machine_of(site, name)
    found = services(machine)
    assert len(found) >= 10
    assert {unit for unit in found if machine.show(unit, "User") in ("", "root")} == {
        "losos-edge-path", "losos-rathole-uplink-stop", "losos-uplink-look", "losos-dns-reload-look"}


@pytest.mark.parametrize("name, unit", EVERYWHERE)
def test_a_daemon_sees_no_home_and_changes_nothing_of_the_system(site, name, unit):
    machine = machine_of(site, name)
    root = f"/proc/{machine.show(unit, 'MainPID')}/root"
    machine.write("/root/private", "private")
    assert machine.path("/proc/1/root/root/private").exists()
    assert not machine.path(f"{root}/root/private").exists()
    mounts = machine.path(f"/proc/{machine.show(unit, 'MainPID')}/mounts").read_text()
    options = {line.split()[1]: line.split()[3].split(",") for line in mounts.splitlines()}
    assert "ro" in options["/"]


def test_what_the_owner_enables_is_enabled_and_the_preset_enables_nothing(site):
    for machine in site.machines:
        listed = machine.run("systemctl list-unit-files --no-legend 'losos*'").out.splitlines()
        rows = {line.split()[0]: line.split()[1:] for line in listed}
        assert [unit for unit, (state, _) in rows.items() if state == "enabled"] == [
            f"losos-{machine.name}.target"]
        assert {preset for state, preset in rows.values() if state in ("enabled", "disabled")} == {
            "disabled"}


def test_a_first_start_made_every_secret_and_nobody_else_reads_it(site):
    edge = [f"/var/lib/losos-registrar/{name}" for name in ("bootstrap.token", "noise.key")]
    for machine in (site.hub, site.gateway):
        machine.run(f"test -s {edge[0]} && test -s {edge[1]}")
        assert machine.run(f"stat -c '%a %U' {' '.join(edge)}").out == "600 losos-edge\n" * 2
    assert site.box.run("stat -c '%a %U' /var/secrets/losos-proxy-token").out == "600 losos-box\n"
    secrets = ("/etc/rathole /var/lib/losos-edge /run/losos-rathole /var/secrets "
               "/var/lib/losos-registrar/enrolled")
    for machine in site.machines:
        left_open = machine.run(f"find {secrets} -type f -perm /077 2> /dev/null", expect=None).out
        assert left_open == ""
