"""losos-edge boxes and losos-edge forget, as an operator types them and as scripts read them."""

import json
import re

import pytest
from losos_tools import Gateway, run, until, write_json, write_text


def beside(edge, tmp_path):
    return Gateway(tmp_path / "gateway", edge)


# --- boxes ---


def test_boxes_prints_a_line_a_box_in_order_of_ids(make_edge, tmp_path):
    edge = make_edge(tenants={"acme": {"relay_zone": "acme.test"}, "zoe": {}, "abe": {}},
                     port_range="21000-21010")
    edge.register("zoe")
    edge.register("abe")
    edge.relay("acme", [("x", "x.acme.test")])
    gateway = beside(edge, tmp_path)
    done = gateway.edge("boxes")
    assert (done.code, done.err) == (0, "")
    assert done.out == ("abe\tabe.losos.test\tport 21001\n"
                        "acme.x\tx.acme.test\tport 21002\n"
                        "zoe\tzoe.losos.test\tport 21000\n")
    assert json.loads(gateway.edge("boxes", "--json").out) == {"boxes": [
        {"id": "abe", "hostname": "abe.losos.test", "port": 21001},
        {"id": "acme.x", "hostname": "x.acme.test", "port": 21002, "via": "acme"},
        {"id": "zoe", "hostname": "zoe.losos.test", "port": 21000}]}


def test_boxes_with_l_tells_last_contact_by_which_right_and_the_hubs_verdict(make_edge, tmp_path):
    hub = make_edge("hub", tenants={"acme": {"relay_zone": "acme.test"}})
    edge = make_edge(tenants={"listed": {"hostname": "listed.elsewhere.test"}}, enrol=True,
                     port_range="21000-21010")
    edge.register("listed", "listed.elsewhere.test")
    edge.register("own", "own.acme.test")
    edge.wait_live("listed", "own")
    gateway = beside(edge, tmp_path)
    lines = gateway.edge("boxes", "-l").out.splitlines()
    assert [line.split("\t")[4:] for line in lines] == [["listed", "no hub"], ["enrolled", "no hub"]]
    gateway.set_uplink(hub.url)
    assert gateway.edge("boxes", "-l").out.count("hub: has not said") == 2
    gateway.run_pass()
    lines = gateway.edge("boxes", "-l").out.splitlines()
    plain = gateway.edge("boxes").out.splitlines()
    assert [line.split("\t")[:3] for line in lines] == [line.split("\t") for line in plain]
    for line in lines:
        assert re.fullmatch(r"last contact \d+ s ago", line.split("\t")[3])
    reason = "the hostname is not one label under acme.test"
    assert [line.split("\t")[5] for line in lines] == [f"hub: refused: {reason}", "hub: accepted"]
    listed, own = json.loads(gateway.edge("boxes", "-l", "--json").out)["boxes"]
    assert (listed["kind"], listed["hub"]) == ("listed", {"verdict": "refused", "reason": reason})
    assert (own["kind"], own["hub"]) == ("enrolled", {"verdict": "accepted", "reason": None})
    assert 0 <= own["last_contact_age_ms"] < 60000


def test_boxes_with_l_without_a_registrar_knows_only_what_is_on_disk(make_edge, tmp_path):
    edge = make_edge(tenants={"listed": {}}, enrol=True)
    edge.register("listed")
    edge.register("own")
    gateway = beside(edge, tmp_path)
    edge.stop()
    lines = gateway.edge("boxes", "-l").out.splitlines()
    assert [line.split("\t")[3:5] for line in lines] == [
        ["last contact unknown", "listed"], ["last contact unknown", "enrolled"]]
    listed, own = json.loads(gateway.edge("boxes", "-l", "--json").out)["boxes"]
    assert (listed["last_contact_age_ms"], own["kind"]) == (None, "enrolled")


def test_boxes_with_l_of_a_hub_names_who_is_relayed(make_edge, tmp_path):
    edge = make_edge(tenants={"acme": {"relay_zone": "acme.test"}})
    edge.relay("acme", [("x", "x.acme.test")])
    until(lambda: edge.status()["counts"]["live_relayed"] == 1, "the relayed box")
    done = beside(edge, tmp_path).edge("boxes", "-l")
    assert done.out.split("\t")[4:] == ["relayed", "no hub\n"]


def test_boxes_of_an_edge_without_any_prints_nothing(bare):
    done = bare.edge("boxes")
    assert (done.code, done.out) == (0, "")
    assert json.loads(bare.edge("boxes", "--json").out) == {"boxes": []}


@pytest.mark.parametrize("more", [[], ["-l"], ["--json"]], ids=str)
def test_boxes_of_a_state_directory_that_is_not_there_is_6(bare, more):
    missing = bare.folder / "typo"
    done = run("losos-edge", "boxes", *more, "--state-dir", missing)
    assert (done.code, done.out) == (6, "")
    assert f"there is no directory {missing}" in done.err and "--state-dir" in done.err


def test_a_registry_that_cannot_be_read_is_6_and_named(bare):
    path = write_text(bare.state / "registry.json", "{")
    done = bare.edge("boxes")
    assert done.code == 6
    assert str(path) in done.err and "byte 1" in done.err


def test_a_row_that_cannot_be_is_left_out_with_a_warning(bare):
    write_json(bare.state / "registry.json", {"tenants": {
        "good": {"hostname": "good.test", "port": 20000}, "BAD": {"hostname": "x", "port": 1}}})
    done = bare.edge("boxes")
    assert done.out == "good\tgood.test\tport 20000\n"
    assert "BAD" in done.err


# --- forget ---


def test_forget_drops_an_enrolled_box_and_a_running_registrar_follows(make_edge, tmp_path):
    edge = make_edge(enrol=True)
    for name in ("box", "other", "third"):
        edge.register(name)
    gateway = beside(edge, tmp_path)
    done = gateway.edge("forget", "box")
    assert (done.code, done.out, done.err) == (0, "forgotten: box\n", "")
    until(lambda: set(edge.rows()) == {"other", "third"}, "the box dropped")
    assert not (edge.enrol_dir / "box.token").exists()
    assert json.loads(gateway.edge("forget", "other", "--json").out) == {"forgotten": "other"}
    until(lambda: set(edge.rows()) == {"third"}, "the other box dropped")


def test_forget_needs_no_registrar(make_edge, tmp_path):
    edge = make_edge(enrol=True)
    edge.register("box")
    edge.stop()
    assert beside(edge, tmp_path).edge("forget", "box").code == 0
    edge.start()
    assert edge.rows() == {}


def test_an_enrolment_directory_elsewhere_can_be_named(make_edge, tmp_path):
    edge = make_edge(enrol=True, start=False)
    edge.flags["enrol_dir"] = edge.enrol_dir = edge.folder / "elsewhere"
    edge.start()
    edge.register("box")
    done = run("losos-edge", "forget", "box", "--state-dir", edge.state, "--enrol-dir",
               edge.enrol_dir)
    assert done.code == 0, done


def test_a_box_forgotten_twice_is_not_called_listed(make_edge, tmp_path):
    edge = make_edge(enrol=True)
    edge.register("box")
    edge.stop()
    gateway = beside(edge, tmp_path)
    assert gateway.edge("forget", "box").code == 0
    done = gateway.edge("forget", "box")
    assert done.code == 1
    assert "box is not among the enrolled" in done.err and "the registrar's next pass" in done.err


def test_who_did_not_enrol_cannot_be_forgotten_and_the_message_says_what_to_do(make_edge, tmp_path):
    edge = make_edge(tenants={"acme": {"relay_zone": "acme.test"}, "listed": {}}, enrol=True)
    edge.register("listed")
    edge.relay("acme", [("x", "x.acme.test")])
    before = edge.registry_file.read_bytes()
    gateway = beside(edge, tmp_path)
    for name, words in (("listed", "tenants file"), ("acme.x", "acme"), ("nobody", "losos-edge boxes")):
        done = gateway.edge("forget", name)
        assert done.code == 1
        assert name in done.err and words in done.err
    assert edge.registry_file.read_bytes() == before
