"""Our own tools accept every file that the modules write."""

import contextlib
import json
import re

import nixos_modules
import page_rules
import pytest
from losos_tools.process import Daemon, run
from losos_tools.registrar import Reservation
from nix_machine import Laid

TOKEN = "0123456789abcdef" * 4 + "\n"


def lay(folder, system):
    """The files of a system with every secret that they name."""
    laid = Laid(folder, system)
    places = r'"(/(?:etc/losos/tokens|var/lib/losos-registrar|var/secrets)/[\w.-]+)"'
    for path in re.findall(places, "\n".join([*system["etc"].values(), *system["tmpfiles"]])):
        if path.endswith("noise.key"):
            laid.noise_key(path)
        elif path.endswith("bootstrap.token") or "/tokens/" in path and "." not in path:
            laid.secret(path, TOKEN)
    return laid


def test_the_registrar_accepts_every_edge(accepted, tmp_path):
    for name, system in accepted.items():
        if not nixos_modules.is_edge(system):
            continue
        laid = lay(tmp_path / name, system)
        config = laid.path("/etc/losos/losos-registrar.toml")
        laid.path("/var/lib/losos-registrar").mkdir(parents=True, exist_ok=True)
        checked = run("losos-registrar", "check", "--config", config, config=False)
        assert checked.code == 0, (name, checked)
        assert "is refused" not in checked.err, (name, checked)
        seeded = run("losos-registrar", "seed", "--config", config, config=False)
        assert seeded.code == 0, (name, seeded)
        head = laid.path("/etc/rathole/server.toml").read_text(encoding="utf-8")
        flags = nixos_modules.settings(system["etc"]["losos/losos-registrar.toml"])
        assert f":{flags['rathole-bind-port']}\"" in head, name
        assert ("[server.transport.noise]" in head) == ("noise-private-key-file" in flags), name


def test_the_registrar_refuses_what_an_edge_is_not_told(accepted, tmp_path):
    """So that the test above can fail."""
    laid = lay(tmp_path, accepted["hub"])
    config = laid.write("etc/losos/bad.toml", 'heartbeat-ttl = "2d"\n')
    assert run("losos-registrar", "check", "--config", config, config=False).code == 2


def test_every_flag_of_a_file_is_a_flag_of_its_tool(root, accepted, bin_dir):
    helps = {tool: page_rules.Help(bin_dir / tool).flags() for tool in page_rules.tools(root)}
    for name, system in accepted.items():
        for path, text in system["etc"].items():
            if path.endswith(".toml"):
                tool = path.removeprefix("losos/").removesuffix(".toml")
                assert set(nixos_modules.settings(text)) <= helps[tool], (name, path)


def test_the_tenants_load_in_the_registrar(accepted, tmp_path):
    system = accepted["hub-with-a-mixed-crowd"]
    rows = json.loads(system["etc"]["losos/tenants.json"])
    assert rows["acme"] == {"hostname": "acme.losos.example", "token_file": "/etc/losos/tokens/acme",
                            "relay_zone": "acme.losos.example", "cluster": False, "market": False}
    assert rows["zoe"]["cluster"] and rows["zoe"]["relay_zone"] is None
    laid = lay(tmp_path, system)
    registry = laid.path("/var/lib/losos-registrar/registry.json")
    registry.write_text(json.dumps({"tenants": {
        id: {"hostname": row["hostname"].lower(), "port": 20000 + number}
        for number, (id, row) in enumerate(sorted(rows.items()))}}))
    checked = run("losos-registrar", "check", "--config", laid.path("/etc/losos/losos-registrar.toml"),
                  "--registry", registry, config=False)
    assert checked.code == 0, checked
    for id, row in rows.items():
        assert f'[server.services."{id}"]' in checked.out, checked
        assert f"Host(`{row['hostname'].lower()}`)" in checked.out, checked


@pytest.mark.parametrize("name", ["gateway-with-a-hub", "gateway-with-a-hub-in-full"])
def test_the_uplink_that_is_declared_loads_in_the_tools(accepted, tmp_path, name):
    laid = lay(tmp_path, accepted[name])
    laid.noise_key("/etc/losos/tokens/hub-noise")
    state, runs = laid.path("/var/lib/losos-registrar"), laid.path("/run/losos-registrar")
    done = run("losos-uplink", "--config", laid.path("/etc/losos/losos-uplink.toml"),
               "--live-file", runs / "live.json", "--status-file", runs / "uplink-status.json",
               "--uplink-rathole-config", laid.path("/etc/rathole/uplink.toml"),
               "--hub-routes-file", state / "hub-routes.json", config=False)
    # It has read the uplink and its secrets, and waits for a registrar.
    assert done.code == 0 and "live.json is not there" in done.err, done
    shown = run("losos-edge", "uplink", "show", "--config", laid.path("/etc/losos/losos-edge.toml"),
                config=False)
    assert shown.code == 0, shown
    uplink = json.loads(shown.out)
    assert uplink["registrar_url"] == "https://edge.losos.example" and uplink["id"] == "acme"
    assert ("bootstrap_token_file" in uplink) == ("noise_public_key_file" in uplink) == name.endswith("full")


def box_flags(laid, name):
    """What the box's tools are told besides, so that they touch nothing of this machine."""
    runs = laid.path("/run/losos")
    runs.mkdir(parents=True, exist_ok=True)
    flags = {"--config": laid.path(f"/etc/losos/{name}.toml")}
    if name == "lososd-pathd":
        flags |= {"--run-dir": runs, "--pins-dir": laid.path("/var/secrets/losos-edge-pins"),
                  "--public-names-file": laid.path("/var/lib/losos-public-names/domains.json")}
    else:
        flags |= {"--run-dir": runs, "--registrar-url": "http://127.0.0.1:1"}
    return [word for pair in flags.items() for word in pair]


@pytest.mark.parametrize("name", ["box", "box-with-an-edge", "box-with-secrets-elsewhere"])
def test_the_tools_of_a_box_accept_its_files(accepted, tmp_path, name):
    laid = lay(tmp_path / "box", accepted[name])
    laid.secret("/etc/losos/tokens/root.key.pub", "0" * 64 + "\n")
    with contextlib.closing(Reservation()) as place:
        pathd = Daemon(tmp_path, "lososd-pathd",
                       ["serve", *box_flags(laid, "lososd-pathd"), "--listen", f"127.0.0.1:{place.port}"],
                       config=False)
        try:
            pathd.wait_ready()
        finally:
            ended = pathd.stop()
    assert ended == 0, pathd.log()
    shown = json.loads(laid.path("/run/losos/edge.json").read_text(encoding="utf-8"))
    configured = nixos_modules.settings(accepted[name]["etc"]["losos/lososd-pathd.toml"]).get("registrar-url")
    assert shown["configuredUrl"] == configured
    # Nobody is there to answer, and it says so only after it has understood its flags.
    announced = run("losos-announce", "--once", *box_flags(laid, "losos-announce"), config=False)
    assert announced.code == 4, announced


def test_knot_serves_the_zone_that_the_registrar_writes(root, accepted, tmp_path):
    for name, zone in (("hub-with-domains", "boxes.losos.example"),
                       ("hub-with-domains-in-full", "names.losos.example")):
        system = accepted[name]
        flags = nixos_modules.settings(system["etc"]["losos/losos-registrar.toml"])
        assert flags["dns-zone-file"] == f"/var/lib/losos-dns/{zone}.zone"
        assert f"  - domain: {zone}\n    file: \"{flags['dns-zone-file']}\"\n" in system["knot"]["conf"]
    shipped = (root / "units" / "knot" / "knot.conf").read_text(encoding="utf-8")
    assert accepted["hub-with-domains"]["knot"]["conf"] == shipped
