"""One tenant's fault is that tenant's alone: the others stay public, and the faulty are named."""

import json

import pytest
from losos_lab import until
from losos_lab.witness import Witness

SHARED_PAGE = "the box"
ODD_HOST = "odd`) || Host(`edge.losos.test"


@pytest.fixture
def faulty(lab):
    """Three rows that cannot be used on top of the sound ones; returns what each is called."""
    hub = lab.hub
    before = json.loads(hub.tenants_file.read_text())
    missing = hub.keys / "ghost.token"
    hub.list_more({
        "ghost": {"hostname": "ghost.losos.test", "token_file": str(missing)},
        "Odd Name": {"hostname": "odd-id.losos.test", "token_file": str(hub.spoke_token)},
        "oddhost": {"hostname": ODD_HOST, "token_file": str(hub.spoke_token)},
    })
    yield {"ghost": str(missing), "Odd Name": "DNS label", "oddhost": "hostname"}
    hub.list_only(before)


def named(faults, row, cause):
    return any(f'"{row}"' in fault and cause in fault for fault in faults)


def test_tenants_with_a_missing_token_or_an_odd_name_cost_nobody_else_a_page(lab, mattbox, faulty):
    hub = lab.hub
    with Witness(lab.visitor, mattbox.hostname) as witness:
        for restart in (False, True):
            if restart:
                hub.registrar.stop()
                hub.start_registrar()
            until(lambda: all(named(hub.status()["registrar"].get("faults", []), row, cause)
                              for row, cause in faulty.items()), "the status to name the three")
            text, log = hub.losos_edge("status").out, hub.registrar.log()
            for row, cause in faulty.items():
                for lines in (text.splitlines(), log.splitlines()):
                    assert named(lines, row, cause), (row, cause, lines)
            witness.wait_requests(20)
        # Whoever comes now is served as ever.
        direct = lab.direct_box("honest", lab.pages(lab.visitor_space, ["honest"]))
        direct.come()
        lab.visitor.wait_status(direct.hostname, 200, 30)
        assert lab.visitor.request(direct.hostname).json()["page"] == "honest"
        assert witness.outcomes() == {SHARED_PAGE}
    routers = (hub.traefik.dynamic / "losos.yml").read_text()
    assert "ghost" not in routers and "odd" not in routers
    for row in ("ghost", "oddhost"):
        status, _ = hub.api("POST", "/register", {
            "appliance_id": row, "token": hub.spoke_token.read_text().strip(),
            "hostname": f"{row}.losos.test"})
        assert status == 401
    direct.stop()
    assert direct.deregister() == 204
