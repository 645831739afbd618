"""losos-edge as operators type it, and as scripts read it: status, and what every command keeps to."""

import json

import pytest
from losos_tools import (Gateway, box, read_json, run, snapshot, token, until, write_json,
                         write_text)
from losos_tools.process import ROOT

GOLDEN = ROOT / "tests" / "golden"


def beside(edge, tmp_path):
    return Gateway(tmp_path / "gateway", edge)


# --- status ---


def test_status_of_a_machine_on_which_nothing_runs_is_told_and_is_no_failure(bare):
    done = bare.edge("status")
    assert done.code == 0, done
    assert "registrar: not running" in done.out and str(bare.status_file) in done.out
    assert "uplink: not set" in done.out.splitlines()
    document = json.loads(bare.edge("status", "--json").out)
    assert (document["registrar"]["state"], document["uplink"]) == ("absent", None)


def on_box(bare, document):
    """The lines of status on a machine that has nothing but a box's edge.json."""
    write_json(bare.folder / "edge.json", document)
    return box_status(bare).splitlines()


def box_status(bare, *more):
    return bare.edge("status", "--box-run-dir", bare.folder, "--public-names-file",
                     bare.folder / "domains.json", *more).out


def test_status_of_a_box_tells_its_path_and_how_each_edge_is(bare):
    document = read_json(GOLDEN / "edge" / "home.json")
    lines = on_box(bare, document)
    assert lines[:2] == [
        "in short: this box is on the path to LosOS edge on gw",
        "path: http://192.168.1.2:8443, tunnels to 192.168.1.2:2333, on the LAN: "
        "it is the first edge on the LAN that answers"]
    assert "edge: edge.losos.example at https://edge.losos.example, configured: it answers" in lines
    assert ("edge: LosOS edge on gw #2 at http://192.168.1.66:8443, on the LAN: left aside for now: "
            "its Noise key is not the pinned one") in lines
    assert "uplink: not set" in lines and "losos-edge doctor" in lines[-1]
    document["candidates"][0]["name"] = "a\nnext: type this"
    assert all(not line.startswith("next: type") for line in on_box(bare, document))


def test_status_of_a_box_names_its_official_edges_and_its_live_domains(bare):
    document = read_json(GOLDEN / "edge" / "home.json")
    for edge in document["edges"]:
        edge["official"] = False
    assert [line for line in on_box(bare, document) if line.startswith(("official", "domains"))] == []
    document["edges"][-1].update(official=True, name="LosOS\nnext: type this")
    write_json(bare.folder / "domains.json", {"domains": ["cloud.example.org", "example.org"]})
    lines = on_box(bare, document)
    assert "domains live: cloud.example.org, example.org" in lines
    official = [line for line in lines if line.startswith("official: LosOS")]
    assert len(official) == 1 and not any(line.startswith("next: type") for line in lines)
    write_text(bare.folder / "domains.json", "[")
    assert not any(line.startswith("domains") for line in on_box(bare, document))


def test_status_of_a_box_for_scripts_is_its_edge_json(bare):
    document = read_json(GOLDEN / "edge" / "home.json")
    on_box(bare, document)
    assert json.loads(box_status(bare, "--json")) == document


def test_status_of_a_box_without_a_path_says_why(bare):
    lines = on_box(bare, read_json(GOLDEN / "edge" / "none.json"))
    assert lines[0].startswith("in short: this box has no path to an edge")
    assert lines[1].startswith("path: none: no edge answers")
    assert lines[2].endswith("configured: it does not answer")


def test_status_of_an_edge_is_no_boxs(bare):
    bare.write_status()
    assert "registrar: running" in on_box(bare, read_json(GOLDEN / "edge" / "home.json"))[1]


def test_status_of_an_edge_that_runs_counts_its_boxes_and_names_its_faults(make_edge, tmp_path):
    edge = make_edge(tenants={"acme": {"relay_zone": "acme.test"}, "a": {}, "bad": {}}, enrol=True)
    edge.register("a")
    edge.register("stranger")
    edge.relay("acme", [("x", "x.acme.test")])
    write_text(edge.token_file("bad"), "short")
    fault = edge.wait_fault('"bad"')
    until(lambda: edge.status()["counts"]["live_direct"] == 2, "two boxes")
    done = beside(edge, tmp_path).edge("status")
    assert done.code == 0
    assert "registrar: running" in done.out
    assert ("boxes: 2 live here, 1 relayed by gateways; 3 listed and 1 enrolled in all"
            in done.out.splitlines())
    assert f"fault: {fault}" in done.out.splitlines()
    document = json.loads(beside(edge, tmp_path).edge("status", "--json").out)
    assert document["registrar"]["state"] == "running"
    assert fault in document["registrar"]["faults"]
    assert document["registrar"]["counts"]["live_direct"] == 2


@pytest.mark.parametrize("pulse, state, words", [
    ({"age_ms": 5000, "ttl_ms": 1000}, "stale", "not running or stuck"),
    ({"boot": "00000000-0000-0000-0000-000000000000"}, "not_since_boot",
     "not running since this machine started"),
    ({"age_ms": 500, "ttl_ms": 60000}, "running", "registrar: running"),
    ({"age_ms": -60000, "ttl_ms": 120000}, "stale", "not running or stuck"),
])
def test_status_believes_no_registrar_that_is_stale_or_of_another_boot(bare, pulse, state, words):
    bare.write_status(**pulse)
    assert words in bare.edge("status").out
    assert json.loads(bare.edge("status", "--json").out)["registrar"]["state"] == state


def test_status_reports_files_it_cannot_read_and_goes_on(bare):
    write_text(bare.status_file, "{")
    bare.edge_dir.mkdir()
    write_text(bare.uplink_json, "[]")
    done = bare.edge("status")
    assert done.code == 0
    assert f"registrar: unknown: cannot use {bare.status_file}" in done.out
    _, registrar, uplink, *steps = done.out.splitlines()
    # Nobody has to mend what its writer renews.
    assert "writes it anew" in registrar and "restore" not in registrar
    assert "put it right or restore it" in uplink
    assert f"uplink: unknown: cannot use {bare.uplink_json}" in done.out
    assert any("losos-edge uplink set" in step for step in steps)
    assert done.out.startswith("in short: whether the registrar runs is not known\n")
    assert any("systemctl restart losos-registrar" in step for step in steps)
    document = json.loads(bare.edge("status", "--json").out)
    assert document["registrar"]["state"] == "unknown"
    assert str(bare.uplink_json) in document["uplink"]["fault"]


@pytest.mark.root
def test_status_tells_an_ordinary_user_to_look_again_as_root(make_edge, tmp_path):
    hub = make_edge("hub", tenants={"acme": {"relay_zone": "acme.test"}})
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    for path in (tmp_path, *tmp_path.parents[:2]):
        path.chmod(path.stat().st_mode | 0o011)
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    done = run("losos-edge", "status", *gateway.edge_flags(), prefix=nobody)
    assert "uplink: unknown: " in done.out and "Permission denied" in done.out, done
    assert done.out.splitlines()[-1] == "next: look again as root"
    assert "uplink set" not in done.out


def test_status_of_a_box_with_a_broken_edge_json_says_who_writes_it_anew(bare):
    broken = write_text(bare.folder / "edge.json", "{")
    done = bare.edge("status", "--box-run-dir", bare.folder)
    assert done.code == 6 and str(broken) in done.err
    assert 'type "systemctl restart lososd-pathd"' in done.err


def test_status_tells_a_last_pass_it_cannot_read_from_one_that_was_not(make_edge, tmp_path):
    hub = make_edge("hub", tenants={"acme": {"relay_zone": "acme.test"}})
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    assert "last pass: none yet" in gateway.edge("status").out
    write_text(gateway.pass_file, "garbage")
    done = gateway.edge("status")
    assert done.code == 0
    assert f"last pass: unknown: cannot use {gateway.pass_file}" in done.out
    assert "restore" not in done.out
    uplink = json.loads(gateway.edge("status", "--json").out)["uplink"]
    assert str(gateway.pass_file) in uplink["last_pass_fault"]
    assert uplink["last_pass"] is None
    gateway.run_pass()
    assert json.loads(gateway.edge("status", "--json").out)["uplink"]["last_pass_fault"] is None


@pytest.mark.parametrize("count, line", [(0, "relaying: 0 boxes"), (1, "relaying: 1 box"),
                                         (2, "relaying: 2 boxes")])
def test_status_says_how_many_boxes_are_relayed(make_edge, tmp_path, count, line):
    hub = make_edge("hub", tenants={"acme": {"relay_zone": "acme.test"}})
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    assert "relaying: 0 boxes" in gateway.edge("status").out.splitlines()
    gateway.write_live([box(f"b{n}", 20000 + n) for n in range(count)])
    assert gateway.run_pass().code == 0
    assert line in gateway.edge("status").out.splitlines()
    document = json.loads(gateway.edge("status", "--json").out)
    assert document["uplink"]["relaying"] == count
    assert document["uplink"]["last_pass"]["error"] is None


def test_status_shows_what_the_last_pass_met(make_edge, tmp_path):
    hub = make_edge("hub", tenants={"acme": {"relay_zone": "acme.test"}})
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    gateway.write_live([box("good"), box("alien", zone="elsewhere.test")])
    gateway.run_pass()
    lines = gateway.edge("status").out.splitlines()
    assert "refused: alien: the hostname is not one label under acme.test" in lines
    gateway.write_status(age_ms=5000, ttl_ms=1000)
    gateway.run_pass()
    assert any(line.startswith("held back: ") for line in gateway.edge("status").out.splitlines())
    gateway.write_status()
    hub.stop()
    gateway.run_pass()
    lines = gateway.edge("status").out.splitlines()
    assert any(line.startswith("error: ") and hub.url in line for line in lines)


def test_status_says_in_short_how_it_is_and_what_to_do_next(make_edge, tmp_path):
    hub = make_edge("hub", tenants={"acme": {"relay_zone": "acme.test"}})
    edge = make_edge(enrol=True, port_range="21000-21010")
    gateway = beside(edge, tmp_path)
    text = gateway.edge("status").out
    assert "this gateway serves 0 boxes; none of them is public, for no uplink is set" in text
    assert 'next: turn on a box on this LAN' in text and '"losos-edge uplink set"' in text
    edge.register("a", "a.acme.test")
    edge.wait_live("a")
    gateway.set_uplink(hub.url)
    gateway.run_pass()
    first, *_, last = gateway.edge("status").out.splitlines()
    assert first == "in short: this gateway serves 1 box and makes 1 box public through its hub"
    assert last == "next: nothing to do"
    document = json.loads(gateway.edge("status", "--json").out)
    assert (f"in short: {document['summary']}", document["next"]) == (first, ["nothing to do"])
    hub.stop()
    gateway.run_pass()
    assert gateway.edge("status").out.splitlines()[-1] == \
        'next: check the way to the hub with "losos-edge doctor"'


# --- words and secrets ---


@pytest.mark.parametrize("words", [["forget"], ["forget", "NO_ID"], ["forget", "a", "b"],
                                   ["forget", "a.b.c"], [], ["frobnicate"], ["uplink"],
                                   ["uplink", "frob"], ["status", "more"], ["boxes", "x"]],
                         ids=" ".join)
def test_the_wrong_words_are_wrong_usage_and_change_nothing(bare, words):
    before = snapshot(bare.folder)
    done = bare.edge(*words)
    assert done.code == 2
    assert len(done.err.splitlines()) == 1 and "--help" in done.err
    assert snapshot(bare.folder) == before


def test_no_command_shows_a_token(make_edge, tmp_path):
    hub = make_edge("hub", tenants={"acme": {"relay_zone": "acme.test"}})
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    gateway.run_pass()
    for words in (["status"], ["boxes"], ["boxes", "-l"], ["uplink", "show"]):
        for more in ([], ["--json"]):
            done = gateway.edge(*words, *more)
            assert done.code == 0
            assert token("acme") not in done.out + done.err
