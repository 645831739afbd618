"""One installed tree becomes a hub, a gateway or a box: the targets, the preset, what meson installs."""

import fnmatch
import re

import page_rules as rules
import pytest

TARGETS = ("losos-box.target", "losos-gateway.target", "losos-hub.target")


@pytest.fixture(scope="session")
def units(root):
    """The text of each unit that is installed, by its name there; the image of a gateway has more."""
    return {path.name.removesuffix(".in"): path.read_text(encoding="utf-8") for path in rules.units(root)
            if path.parent.name == "units"}


def values(text, key):
    return " ".join(re.findall(rf"^{key}=(.*)$", text, re.MULTILINE)).split()


def started_by(units, name):
    """What a target starts, and what comes of that: by a path unit, a timer, or another's wish or end."""
    found, look_at = set(), [name]
    while look_at:
        unit = look_at.pop()
        text = units[unit]
        named = values(text, "Wants") + values(text, "Unit") + values(text, "OnSuccess")
        if unit.endswith((".path", ".timer")) and not values(text, "Unit"):
            named.append(unit.rsplit(".", 1)[0] + ".service")
        new = {other for other in named if other in units} - found
        found |= new
        look_at += new
    return found


def test_each_kind_of_machine_has_a_target_that_starts_units_there_are(units):
    for target in TARGETS:
        wanted = set(values(units[target], "Wants")) - {"avahi-daemon.service"}
        assert wanted and wanted <= set(units), target


def test_where_edges_are_advertised_or_looked_for_avahi_is_wanted_and_comes_back(root, units):
    for target in ("losos-box.target", "losos-gateway.target"):
        assert "avahi-daemon.service" in values(units[target], "Wants")
    drop_in = (root / "units" / "avahi-restart.conf").read_text(encoding="utf-8")
    assert values(drop_in, "Restart") == ["always"] and values(drop_in, "StartLimitIntervalSec") == ["0"]


def test_every_unit_belongs_to_a_kind_of_machine(units):
    all_started = set().union(*(started_by(units, target) for target in TARGETS))
    # Started by losos-edge-path.service.
    followers = {"losos-rathole-client.service", "losos-registrar-announce.service"}
    assert set(units) - all_started - followers == set(TARGETS)


def test_a_target_that_is_stopped_stops_what_it_started(units):
    # Neither waits for anything, nor is tried again.
    short = {"losos-registrar-seed.service", "losos-rathole-uplink-stop.service"}
    for target in TARGETS:
        for unit in started_by(units, target) - short:
            assert target in values(units[unit], "PartOf"), f"{unit} outlives {target}"
    for unit in ("losos-rathole-client.service", "losos-registrar-announce.service"):
        assert values(units[unit], "PartOf") == ["losos-box.target"]


def test_nothing_of_ours_starts_before_its_owner_says_what_the_machine_is(root, units):
    preset = (root / "units" / "system-preset" / "90-losos.preset").read_text(encoding="utf-8")
    rows = [line.split() for line in preset.splitlines() if not line.startswith("#")]
    assert {verb for verb, _ in rows} == {"disable"}
    for unit in units:
        assert any(fnmatch.fnmatch(unit, pattern) for _, pattern in rows), unit


def test_meson_installs_every_unit(root, units):
    listed = set(re.findall(r"'(loso[\w.-]+)'", (root / "units" / "meson.build").read_text()))
    assert set(units) <= listed


def daemons_of(units):
    """The services that run all the time."""
    return {name for name, text in units.items()
            if name.endswith(".service") and "\nType=oneshot\n" not in text}


def test_every_daemon_is_started_again_but_not_where_only_its_owner_can_help(units):
    daemons = daemons_of(units)
    assert [name for name in daemons if "\nRestart=" not in units[name]] == []
    ours = {name for name in daemons if re.search(r"@bindir@/", units[name])}
    assert len(ours) == 4
    for name in ours:
        assert values(units[name], "RestartPreventExitStatus") == ["2", "6"], name
    assert [name for name in daemons if values(units[name], "StartLimitIntervalSec") != ["0"]] == []


def test_delays_grow_for_every_daemon_where_systemd_can(root, units):
    built = (root / "units" / "meson.build").read_text(encoding="utf-8")
    grow = re.search(r"daemons = \[(.*?)\]", built, re.DOTALL).group(1)
    daemons = daemons_of(units)
    assert {name + ".service" for name in re.findall(r"'([\w-]+)'", grow)} == daemons
    drop_in = (root / "units" / "growing-delays.conf").read_text(encoding="utf-8")
    longest = int(values(drop_in, "RestartMaxDelaySec")[0].removesuffix("s"))
    for name in daemons:
        assert int(values(units[name], "RestartSec")[0].removesuffix("s")) < longest, name


def test_a_box_has_every_directory_its_programs_write_to_and_they_may(root, units):
    lines = (root / "units" / "tmpfiles.d" / "losos-box.conf").read_text(encoding="utf-8").splitlines()
    made = {line.split()[1]: line.split()[2:4] for line in lines if line.startswith("d ")}
    writable = values(units["lososd-pathd.service"], "ReadWritePaths")
    assert {path.removeprefix("-") for path in writable} == {
        "/run/losos", "/var/secrets", "/var/lib/losos-public-names"}
    # The secrets are the box's own; the rest is for whoever lives on the box.
    for path in writable:
        mode = "0700" if path == "/var/secrets" else "0755"
        assert made[path.removeprefix("-")] == [mode, "losos-box"], path
    assert values(units["losos-registrar-announce.service"], "ReadWritePaths") == ["/run/losos"]


def test_nothing_of_ours_is_started_again_where_only_its_owner_can_help(units):
    again = {name for name, text in units.items() if "@bindir@/" in text and values(text, "Restart")}
    assert "losos-uplink.service" in again
    for name in again:
        assert {"2", "6"} <= set(values(units[name], "RestartPreventExitStatus")), name


def test_without_a_path_neither_unit_of_the_tunnel_starts(units):
    for unit in ("losos-rathole-client.service", "losos-registrar-announce.service"):
        assert values(units[unit], "ConditionPathExists") == ["!/run/losos/edge-none"], unit


def test_who_says_when_it_is_ready_is_watched_from_then_on(units):
    notify = {name for name in daemons_of(units) if values(units[name], "Type") == ["notify"]}
    assert notify == {"losos-registrar.service", "losos-registrar-announce.service", "lososd-pathd.service"}
    assert [name for name in notify if not values(units[name], "WatchdogSec")] == []


def test_a_look_back_looks_at_what_the_path_unit_watches(units):
    looks = [text for name, text in units.items() if name.endswith("-look.service")]
    assert len(looks) == 2
    for text in looks:
        _, name, _, _, *files = values(text.replace("\\\n", " "), "ExecStart")
        assert files == values(units[f"{name}.path"], "PathChanged"), name


def test_an_uplink_pass_starts_at_once_when_boxes_uplink_or_token_change(units):
    assert values(units["losos-uplink.path"], "PathChanged") == [
        "/run/losos-registrar/live.json", "/var/lib/losos-edge/uplink.json", "/var/lib/losos-edge/uplink.token"]


def test_a_directory_with_secrets_is_its_owners_alone(root):
    made = {}
    for name in ("losos-box.conf", "losos-edge.conf"):
        for line in (root / "units" / "tmpfiles.d" / name).read_text(encoding="utf-8").splitlines():
            if line.startswith("d "):
                made[line.split()[1]] = line.split()[2:5]
    for path in ("/var/secrets", "/var/secrets/losos-edge-pins"):
        assert made[path] == ["0700", "losos-box", "losos-box"], path
    for path in ("/etc/rathole", "/var/lib/losos-edge"):
        assert made[path] == ["0700", "losos-edge", "losos-edge"], path
    assert made["/etc/losos/tokens"] == ["0750", "root", "losos-edge"]
