"""Numbers that stand in several shipped files, and must fit each other and the tools' defaults."""

import re
import subprocess

import page_rules as rules
import pytest

# What rathole's server needs for one service, with room to spare.
DESCRIPTORS_PER_PORT = 16
UNITS_OF_TIME = {"s": 1, "m": 60, "h": 3600}


@pytest.fixture(scope="session")
def defaults(bin_dir):
    """The defaults of losos-registrar serve, by flag."""
    shown = subprocess.run([bin_dir / "losos-registrar", "serve", "--help"], capture_output=True,
                           text=True, check=True, timeout=30).stdout
    flags = re.split(r"\n  --", shown)[1:]
    pairs = ((flag.split(None, 1)[0], re.search(r"\(default:\s+(\S+)\)", flag)) for flag in flags)
    return {name: found.group(1) for name, found in pairs if found}


def setting(text, key):
    """The last value of a key in a unit or in YAML."""
    return re.findall(rf"^\s*{key}\s*[=:]\s*(\S+)$", text, re.MULTILINE)[-1]


def seconds(text):
    number, unit = re.fullmatch(r"(\d+)([smh])", text).groups()
    return int(number) * UNITS_OF_TIME[unit]


def unit(root, name):
    return next(path for path in rules.units(root) if path.name.removesuffix(".in") == name).read_text()


def started_by_path_units(root):
    """The names of the services that path units start."""
    for path in rules.units(root):
        if path.suffix == ".path":
            named = re.search(r"^Unit=(\S+)$", path.read_text(), re.MULTILINE)
            yield named.group(1) if named else f"{path.stem}.service"


@pytest.mark.parametrize("name", ["losos-rathole.service", "losos-registrar.service"])
def test_the_limit_of_open_files_follows_the_range_of_ports(root, defaults, name):
    first, last = map(int, defaults["port-range"].split("-"))
    allowed = int(setting(unit(root, name), "LimitNOFILE"))
    assert allowed >= DESCRIPTORS_PER_PORT * (last - first + 1)


def test_rathole_and_the_registrar_that_warns_for_it_have_one_limit(root):
    limits = {setting(unit(root, name), "LimitNOFILE")
              for name in ("losos-rathole.service", "losos-registrar.service")}
    assert len(limits) == 1


def test_a_port_rests_longer_than_traefik_keeps_an_idle_connection(root, defaults):
    static = (root / "units" / "traefik" / "traefik.yml").read_text()
    assert seconds(setting(static, "idleConnTimeout")) < seconds(defaults["port-rest"])


def test_traefik_reads_where_the_registrar_writes_and_calls_where_it_listens(root, defaults):
    folder = root / "units" / "traefik"
    assert setting((folder / "traefik.yml").read_text(), "directory") == defaults["traefik-dir"]
    route = (folder / "losos-register.yml").read_text()
    assert f"url: http://{defaults['listen']}\n" in route


def test_what_a_change_starts_may_start_as_often_as_things_change(root):
    names = sorted(set(started_by_path_units(root)))
    assert names
    assert [name for name in names if "\nStartLimitIntervalSec=0\n" not in unit(root, name)] == []


def test_timers_are_punctual(root):
    timers = [path for path in rules.units(root) if path.suffix == ".timer"]
    assert timers
    assert [path.name for path in timers if "\nAccuracySec=1s\n" not in path.read_text()] == []


def test_no_path_unit_gives_up_however_often_things_change(root):
    paths = [path for path in rules.units(root) if path.suffix == ".path" and "\nPathChanged=" in path.read_text()]
    assert len(paths) >= 4
    assert [path.name for path in paths if "\nTriggerLimitIntervalSec=0\n" not in path.read_text()] == []


def test_a_gateway_is_heard_several_times_within_a_ttl(root, defaults):
    every = seconds(setting(unit(root, "losos-uplink.timer"), "OnUnitActiveSec"))
    assert 3 * every <= seconds(defaults["heartbeat-ttl"])
