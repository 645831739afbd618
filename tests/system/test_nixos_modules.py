"""Machines that have the files of our NixOS modules, those of the VM test edge-federation, serve a visitor.

They are Debian, with systemd 252: what only NixOS can do, and the building of anything, is not tried.
"""

import json

import nixos_modules
import pytest
from losos_system import BOX_NAME, HUB_ADDRESS, HUB_NAME, Federation, nixos, setting_up, until

CERTIFICATES = "/nix/store/00000000000000000000000000000000-losos-test-certificates"


@pytest.fixture(scope="module")
def nodes():
    return nixos_modules.evaluated()["tests"]["edge-federation"]["nodes"]


@pytest.fixture(scope="module")
def federation(nodes):
    with Federation() as all_three:
        certificate, key = all_three.authority.issue([HUB_NAME, "*.acme.losos.example"])
        all_three.hub.write(f"{CERTIFICATES}/edge.pem", certificate.read_text())
        all_three.hub.write(f"{CERTIFICATES}/edge.key", key.read_text(), 0o600, "losos-traefik")
        # What DNS would say.
        all_three.hub.run(f"echo {HUB_ADDRESS} {BOX_NAME} >> /etc/hosts")
        setting_up.web_server(all_three.box)
        for name in ("hub", "gateway", "box"):
            machine = getattr(all_three, name)
            nixos.become(machine, nodes[name])
            nixos.start(machine, nodes[name])
        yield all_three


def test_a_visitor_reaches_the_box_through_hub_and_gateway(federation):
    federation.visitor.wait_status(HUB_NAME, 200, 30, path="/health")
    federation.visitor.wait_status(BOX_NAME, 200, 60)


def test_the_uplink_that_the_options_name_is_the_one_that_losos_edge_shows(federation):
    shown = json.loads(federation.gateway.run("losos-edge uplink show").out)
    assert shown["registrar_url"] == f"https://{HUB_NAME}"
    until(lambda: "relaying: 1 box" in federation.gateway.run("losos-edge status").out,
          "the gateway to relay one box", 30, 0.1)


@pytest.mark.parametrize("name", ["hub", "gateway", "box"])
def test_the_doctor_finds_nothing_wrong(federation, name):
    machine = getattr(federation, name)
    until(lambda: machine.run("losos-edge doctor", expect=None).code == 0,
          lambda: machine.run("losos-edge doctor", expect=None).out, 30, 0.2)


def test_programs_are_found_where_the_modules_say(federation):
    store = "/nix/store/00000000000000000000000000000000"
    for machine, unit in ((federation.hub, "losos-rathole"), (federation.hub, "losos-traefik"),
                          (federation.gateway, "losos-rathole-uplink"), (federation.box, "losos-rathole-client")):
        running = machine.run(f"readlink /proc/{machine.show(unit, 'MainPID')}/exe").out
        assert running.startswith(store), (unit, running)


def test_an_uplink_that_is_gone_from_the_configuration_takes_its_tunnels_along(federation):
    federation.gateway.run("rm /var/lib/losos-edge/declared/uplink.json")
    until(lambda: federation.gateway.active("losos-rathole-uplink") == "inactive",
          "the tunnels to the hub to end", 30, 0.1)
    federation.gateway.run("systemd-tmpfiles --create")
    federation.visitor.wait_status(BOX_NAME, 200, 60)


def test_no_unit_has_failed(federation):
    for machine in federation.machines:
        assert machine.failed_units() == [], machine.tail()
