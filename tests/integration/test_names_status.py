"""What a hub says of its custom domains, its route table and its certificate: status.json, metrics.prom,
and losos-edge status."""

import json

import pytest
from losos_tools import Gateway, until, write_json

DAY = 24 * 3600
DOMAINS = ("cloud.example.org", "www.example.net")


@pytest.fixture
def mine(make_official):
    """A hub with a zone and a route table, and a member of the mesh that is not registered here."""
    official = make_official(start=False, tenants={"mattbox": {"cluster": True},
                                                   "acme": {"relay_zone": "acme.test"}})
    official.edge.flags.update(relay_pass_key_file=official.edge.state / "relay-pass.key",
                               relay_routes_file=official.edge.state / "relay-routes.json")
    write_json(official.edge.registry_file,
               {"tenants": {}, "compute_windows": {"mattbox": {}}, "resting": {}})
    official.edge.start()
    official.vouch("mattbox")
    until(lambda: official.call("list", "mattbox").json()["eligible"], "the box to be eligible")
    return official


def counts(official):
    every = official.edge.status()["counts"]
    return tuple(every[name] for name in ("domains_live", "domains_waiting", "bindings", "routes"))


def measured(official):
    return tuple(official.edge.metric(name) for name in (
        'domains{status="live"}', 'domains{status="waiting"}', "bindings", "routes"))


def lines(official, tmp_path):
    done = Gateway(tmp_path / "beside", official.edge).edge("status")
    assert done.code == 0, done
    return done.out.splitlines()


def test_domains_bindings_and_routes_are_counted(mine, tmp_path):
    assert counts(mine) == (0, 0, 0, 0)
    mine.prove(DOMAINS[0])
    for domain in DOMAINS:
        assert mine.call("add", "mattbox", domain).status == 201
    until(lambda: counts(mine) == (1, 1, 0, 0), lambda: f"one live and one waiting: {counts(mine)}")

    shown = mine.call("list", "mattbox").json()["relay_pass"]
    rows = [{"id": "mattbox", "hostname": "mattbox.acme.test", "pass": shown}]
    assert mine.edge.relay("acme", rows).json()["accepted"]
    # Its own hostname, its name in the zone, and its live domain.
    until(lambda: counts(mine) == (1, 1, 1, 3), lambda: f"its routes: {counts(mine)}")
    until(lambda: measured(mine) == (1, 1, 1, 3), lambda: f"the metrics to follow: {measured(mine)}")
    told = lines(mine, tmp_path)
    assert f"zone: losos.example, in {mine.zone_file}" in told
    assert "domains: 1 live, 1 waiting" in told
    assert "routes: 3 through gateways; 1 box bound to one" in told
    document = json.loads(Gateway(tmp_path / "json", mine.edge).edge("status", "--json").out)
    assert document["registrar"]["zone"] == "losos.example"
    assert document["registrar"]["counts"]["routes"] == 3
    assert document["registrar"]["identity"]["name"] == "LosOS"


def test_an_edge_without_names_of_that_kind_does_not_speak_of_them(make_edge, tmp_path):
    edge = make_edge(tenants=["mattbox"])
    assert edge.status()["zone"] is None and edge.status()["identity"] is None
    done = Gateway(tmp_path / "beside", edge).edge("status")
    assert not [line for line in done.out.splitlines()
                if line.startswith(("zone:", "domains:", "routes:", "identity:"))]


@pytest.mark.parametrize(("seconds", "words"), [
    (30 * DAY + 3600, None), (30 * DAY - 3600, "expires on"), (-60, "expired on")])
def test_the_end_of_the_certificate_is_warned_of_from_thirty_days_before(mine, tmp_path, seconds, words):
    mine.certify(seconds)
    ends = json.loads(mine.cert_file.read_text(encoding="utf-8"))["not_after"]
    until(lambda: mine.edge.status()["identity"]["not_after"] == ends, "the certificate")
    warned = [fault for fault in mine.edge.status()["faults"] if str(mine.cert_file) in fault]
    assert len(warned) == (1 if words else 0) and (not words or words in warned[0]), warned
    until(lambda: mine.edge.metric("identity_expiry_time_seconds") == ends, "the metrics")
    until(lambda: mine.edge.metric("faults") == len(mine.edge.status()["faults"]), "the faults")
    told = lines(mine, tmp_path)
    assert [line for line in told if line.startswith("identity: LosOS at ")]
    assert [line for line in told if line.startswith("fault: ") and str(mine.cert_file) in line] == [
        f"fault: {fault}" for fault in warned]
