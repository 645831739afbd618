"""What the modules make of a machine: the package's own units, and no more than has to be said."""

import re
import shutil
import subprocess

import nix_rules
import nixos_modules
import page_rules
import pytest


@pytest.fixture(scope="session")
def units(root):
    return {path.name.removesuffix(".in"): path.read_text(encoding="utf-8")
            for path in page_rules.units(root)}


def test_modules_add_to_units_that_the_package_has(accepted, units):
    theirs = {"knot.service"}
    for name, system in accepted.items():
        assert system["packages"] == ["losos"], name
        assert set(nixos_modules.drop_ins(system)) - theirs <= set(units), name


def test_a_machine_starts_the_target_of_its_kind_and_nothing_else(accepted):
    for name, system in accepted.items():
        kind = "losos-box" if nixos_modules.is_box(system) else f"losos-{name.split('-')[0]}"
        assert system["targets"].keys() == {kind}, name
        assert system["targets"][kind]["wantedBy"] == ["multi-user.target"], name
        assert [unit for unit in system["services"].values() if unit["wantedBy"]] == [], name


def wanted_by(units, target):
    """The services that a target starts, and those that come of them."""
    found, look_at = set(), [target]
    while look_at:
        text = units.get(look_at[-1], "")
        stem = look_at.pop()
        words = " ".join(re.findall(r"^(?:Wants|Unit|OnSuccess)=(.*)$", text, re.MULTILINE)).split()
        if stem.endswith((".path", ".timer")):
            words.append(stem.rsplit(".", 1)[0] + ".service")
        look_at += [word for word in words if word in units and word not in found]
        found |= set(words) & set(units)
    if target == "losos-box.target":
        found |= {"losos-rathole-client.service", "losos-registrar-announce.service"}
    return {unit for unit in found if unit.endswith(".service")}


def test_what_a_unit_starts_is_found_on_nixos(accepted, units):
    """Its programs have no common folder: each unit says where, or is a script with a path."""
    for name, system in accepted.items():
        (target,) = system["targets"]
        for unit in wanted_by(units, f"{target}.target"):
            service = system["services"].get(unit.removesuffix(".service"), {"serviceConfig": {}})
            if not service.get("enable", True) or unit == "losos-dns-reload.service":
                continue
            for program in nix_rules.exec_programs(units[unit]):
                if "/" not in program:
                    assert "ExecSearchPath" in service["serviceConfig"], (name, unit)
                elif program.startswith("/libexecdir/"):
                    assert service.get("enableDefaultPath"), (name, unit)
                else:
                    assert program.startswith("/bindir/") or program in nix_rules.EVERYWHERE, (name, unit)


def test_scripts_that_call_other_programs_find_them(accepted, units):
    assert "exec rathole" in units["losos-rathole-client.service"]
    for name, system in accepted.items():
        if nixos_modules.is_box(system):
            assert any("rathole" in path for path in system["services"]["losos-rathole-client"]["path"]), name
        if system["knot"]:
            assert system["knot"]["package"] in system["services"]["losos-dns-reload"]["path"], name


def test_systemd_has_nothing_to_say_of_units_with_their_drop_ins(accepted, units, tmp_path):
    folder = tmp_path / "units"
    for name in ("hub-on-other-ports", "hub-with-domains", "gateway-with-a-hub-in-full",
                 "gateway-with-a-file-elsewhere", "box-with-secrets-elsewhere"):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for unit, text in units.items():
            text = re.sub(r"@\w+@", "/usr", text)
            text = re.sub(r"^(Exec\w+=[-@:+!|]*)\S+", r"\1/bin/true", text, flags=re.MULTILINE)
            (folder / unit).write_text(text, encoding="utf-8")
        for unit, text in nixos_modules.drop_ins(accepted[name]).items():
            (folder / f"{unit}.d").mkdir()
            (folder / f"{unit}.d" / "overrides.conf").write_text(text, encoding="utf-8")
        said = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *units], cwd=folder,
            capture_output=True, text=True, env={"SYSTEMD_UNIT_PATH": f"{folder}:", "PATH": "/usr/bin:/bin"})
        assert [line for line in said.stderr.splitlines() if "overrides.conf" in line] == [], name
        assert said.returncode == 0, (name, said.stderr)


def test_users_and_directories_are_those_of_the_package(root, accepted):
    for name, system in accepted.items():
        kind = "box" if nixos_modules.is_box(system) else "edge"
        shipped = (root / "units" / "sysusers.d" / f"losos-{kind}.conf").read_text(encoding="utf-8")
        users = re.findall(r'^u (\S+) +- "(.*)"$', shipped, re.MULTILINE)
        assert {user: about["description"] for user, about in system["users"].items()} == dict(users), name
        assert all(about["isSystemUser"] and about["group"] == user
                   for user, about in system["users"].items()), name
        rules = (root / "units" / "tmpfiles.d" / f"losos-{kind}.conf").read_text(encoding="utf-8").splitlines()
        assert {line for line in rules if line and not line.startswith("#")} <= set(system["tmpfiles"]), name


def test_traefik_has_the_shipped_configuration_with_the_operators_words(root, accepted):
    shipped = (root / "units" / "traefik" / "traefik.yml").read_text(encoding="utf-8")
    plain = accepted["gateway"]["etc"]
    assert plain["losos/traefik.yml"] == shipped
    assert "traefik/dynamic/losos-register.yml" not in plain
    hub = accepted["hub"]["etc"]
    changed = set(hub["losos/traefik.yml"].splitlines()) - set(shipped.splitlines())
    assert changed == {"      email: hostmaster@losos.example"}
    assert hub["losos/traefik.env"] == "LOSOS_PUBLIC_HOST=edge.losos.example\n"
    other = accepted["hub-of-another-name"]["etc"]
    assert "      caServer: https://acme.example/directory\n" in other["losos/traefik.yml"]
    assert other["losos/traefik.env"] == "LOSOS_PUBLIC_HOST=door.losos.example\n"


@pytest.mark.parametrize("name, url", [
    ("hub", "http://127.0.0.1:8443"), ("hub-on-other-ports", "http://127.0.0.1:9443"),
    ("hub-that-listens-on-ipv6", "http://[::1]:8443")])
def test_traefik_calls_the_registrar_where_it_listens(accepted, name, url):
    assert f"url: {url}\n" in accepted[name]["etc"]["traefik/dynamic/losos-register.yml"]


def test_a_larger_range_of_ports_has_a_larger_limit_of_open_files(accepted):
    plain, large = accepted["hub"]["services"], accepted["hub-on-other-ports"]["services"]
    for unit in ("losos-rathole", "losos-registrar"):
        assert "LimitNOFILE" not in plain[unit]["serviceConfig"]
        assert large[unit]["serviceConfig"]["LimitNOFILE"] >= 16 * 22000


def test_the_firewall_lets_in_what_a_machine_of_its_kind_serves(accepted):
    ports = {name: (accepted[name]["tcp"], accepted[name]["udp"]) for name in accepted}
    assert ports["hub"] == ([80, 443, 2333], [])
    assert ports["hub-on-other-ports"] == ([80, 443, 2444], [])
    assert ports["hub-with-domains"] == ([53, 80, 443, 2333], [53])
    assert ports["hub-behind-a-firewall-of-its-owner"] == ([], [])
    assert ports["gateway"] == ([80, 443, 2333, 8443], [])
    assert ports["gateway-that-is-silent"] == ([80, 443, 2333], [])
    assert ports["box"] == ([], [])


def test_an_uplink_that_is_off_masks_its_units_and_one_in_haste_resets_the_timer(accepted):
    off = accepted["gateway-without-an-uplink"]
    assert not off["services"]["losos-uplink"]["enable"] and not off["timers"]["losos-uplink"]["enable"]
    assert not off["paths"]["losos-rathole-uplink-stop"]["enable"]
    timer = accepted["gateway-with-a-hub-in-full"]["timers"]["losos-uplink"]["timerConfig"]
    assert timer == {"OnActiveSec": ["", "1s"], "OnUnitActiveSec": "30s"}
    paths = accepted["gateway-with-a-hub"]["paths"]["losos-uplink"]["pathConfig"]["PathChanged"]
    assert paths == ["/var/lib/losos-edge/declared/uplink.json"]


def test_avahi_tells_of_gateways_and_boxes_can_dial_its_names(accepted):
    assert not accepted["hub"]["avahi"]["enable"]
    gateway, box = accepted["gateway"]["avahi"], accepted["box"]["avahi"]
    assert gateway["enable"] and gateway["publish"] == {"enable": True, "addresses": True}
    assert box["enable"] and box["nssmdns4"]
