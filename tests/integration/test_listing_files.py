"""The operator's tenants file: read again when it changes, row by row, and never trusted blindly."""

import threading

import pytest
from losos_tools import read_json, token, until, write_json, write_text


def broken(*pieces):
    """A text that is no JSON, and the byte at which it stops being some."""
    return "".join(pieces), len(pieces[0].encode())


NOT_JSON = {
    "word": broken('{"a": ', "nonsense}"),
    "comma": broken('{"a": {"hostname": "a.test", "token_file": "/x"} ', '"b": 1}'),
    "cut": broken('{"a": {"hostname": "a.test"', ""),
    "trailing": broken("{}\n", "{}"),
    "accents": broken('{"\u00e4\u00f6\u00fc": ', "oops}"),
}


def test_a_listed_change_takes_effect_without_a_restart(make_edge):
    edge = make_edge(tenants=["old"])
    edge.register("old")
    assert edge.register("new").status == 401
    edge.list_tenants(["old", "new"])
    until(lambda: edge.register("new").status == 200, "the new tenant", 2)
    edge.list_tenants(["new"])
    until(lambda: set(edge.rows()) == {"new"}, "the old tenant gone")
    assert edge.register("old").status == 401
    assert edge.heartbeat("old").status == 401
    assert edge.heartbeat("new").status == 204


def test_the_tenants_file_is_the_authority_for_hostnames(make_edge):
    edge = make_edge(tenants={"box": {"hostname": "Before.Losos.Test"}})
    port = edge.register("box", "before.losos.test").json()["rathole_port"]
    until(lambda: edge.routers() == {"losos_box": "before.losos.test"}, "the first router")
    edge.list_tenants({"box": {"hostname": "after.losos.test"}})
    until(lambda: edge.routers() == {"losos_box": "after.losos.test"}, "the second router")
    until(lambda: [box["hostname"] for box in edge.live()] == ["after.losos.test"], "live.json to follow")
    until(lambda: edge.rows()["box"] == {"hostname": "after.losos.test", "port": port},
          "the registry to follow")
    assert edge.register("box", "before.losos.test").status == 403


def test_routers_come_from_the_tenants_file_and_never_from_the_stored_registry(make_edge):
    edge = make_edge(tenants={"box": {"hostname": "true.losos.test"}}, start=False)
    write_json(edge.registry_file, {"tenants": {"box": {"hostname": "stored.losos.test",
                                                        "port": 20005}}})
    edge.start()
    assert edge.routers() == {"losos_box": "true.losos.test"}
    assert edge.rows()["box"] == {"hostname": "true.losos.test", "port": 20005}


def test_an_edit_in_place_is_noticed_as_well_as_a_replaced_file(make_edge):
    edge = make_edge(tenants=["a"])
    write_text(edge.token_file("b"), token("b"))
    text = edge.tenants_file.read_text()
    edge.tenants_file.write_text(text.replace('"a"', '"b"').replace("a.losos.test", "b.losos.test")
                                 .replace("a.token", "b.token"))
    until(lambda: edge.register("b").status == 200, "the new tenant", 2)


@pytest.mark.parametrize("row, words", [
    ({"hostname": "no name"}, "hostname"), ({"hostname": ""}, "hostname"),
    ({"hostname": "x" * 254}, "hostname"), ({"hostname": 5}, "hostname"),
    ({"hostname": None}, "hostname"), ({"token_file": ""}, "token_file"),
    ({"token_file": 5}, "token_file"), ({"token_file": None}, "token_file"),
    ({"relay_zone": "not a zone"}, "relay_zone"), ({"relay_zone": 5}, "relay_zone"),
    ({"cluster": "yes"}, "cluster"), ({"market": 1}, "market"),
], ids=str)
def test_a_faulty_row_is_refused_by_name_and_the_others_go_on(make_edge, row, words):
    edge = make_edge(tenants=["good", "bad"], start=False)
    rows = read_json(edge.tenants_file)
    rows["bad"].update(row)
    write_json(edge.tenants_file, rows)
    edge.start()
    fault = edge.wait_fault('"bad"', str(edge.tenants_file))
    assert words in fault
    assert edge.register("bad").status == 401
    assert edge.register("good").status == 200


@pytest.mark.parametrize("odd", ["BAD", "bad_", "bad.box", "", "-bad"], ids=ascii)
def test_a_listed_id_that_is_no_dns_label_is_refused(make_edge, odd):
    edge = make_edge(tenants=["good"], start=False)
    rows = read_json(edge.tenants_file)
    rows[odd] = {**rows["good"], "hostname": "odd.losos.test"}
    write_json(edge.tenants_file, rows)
    edge.start()
    assert f'tenant "{odd}"' in edge.wait_fault("is refused")
    assert edge.register(odd, "odd.losos.test", token=token("good")).status == 401
    assert edge.register("good").status == 200


def test_a_listed_id_that_may_be_a_secret_is_called_by_its_place(make_edge):
    edge = make_edge(tenants=["good"], start=False)
    pasted = 2 * token("good")
    write_json(edge.tenants_file, {**read_json(edge.tenants_file), pasted: {}})
    edge.start()
    assert edge.wait_fault("is refused").startswith("the tenant at byte ")
    assert token("good") not in edge.log() + edge.status_file.read_text()
    assert edge.register("good").status == 200


def test_a_row_that_is_no_object_is_refused_and_the_others_go_on(make_edge):
    edge = make_edge(tenants=["good"], start=False)
    write_json(edge.tenants_file, {**read_json(edge.tenants_file), "bad": "text"})
    edge.start()
    edge.wait_fault('"bad"')
    assert edge.register("good").status == 200


def test_fields_nobody_knows_in_a_row_are_ignored(make_edge):
    edge = make_edge(tenants={"box": {"comment": "the blue one", "cluster": True, "market": True}})
    assert edge.register("box").status == 200
    assert edge.faults(edge.tenants_file) == []


@pytest.mark.parametrize("kind", NOT_JSON)
def test_a_tenants_file_that_is_no_json_stops_the_start_and_names_the_byte(make_edge, kind):
    text, offset = NOT_JSON[kind]
    edge = make_edge(start=False)
    write_text(edge.tenants_file, text)
    done = edge.start_and_fail()
    assert done.code == 6
    assert str(edge.tenants_file) in done.err
    assert f"byte {offset}" in done.err
    assert edge.tenants_file.read_text() == text


def test_a_tenants_file_that_is_a_list_stops_the_start(make_edge):
    edge = make_edge(start=False)
    write_text(edge.tenants_file, "[]")
    done = edge.start_and_fail()
    assert done.code == 6
    assert str(edge.tenants_file) in done.err and "byte 0" in done.err


def test_a_missing_tenants_file_stops_the_start_and_says_what_to_do(make_edge):
    edge = make_edge(start=False)
    edge.tenants_file.unlink()
    done = edge.start_and_fail()
    assert done.code == 6
    assert f"{edge.tenants_file} is missing" in done.err and "--tenants-file" in done.err


@pytest.mark.parametrize("spoil", ["break", "remove"])
def test_while_running_the_last_good_tenants_file_stays_in_force_loudly(make_edge, spoil):
    edge = make_edge(tenants=["a", "b"])
    edge.register("a")
    good = edge.tenants_file.read_text()
    if spoil == "break":
        write_text(edge.tenants_file, '{"a": ')
    else:
        edge.tenants_file.unlink()
    edge.wait_fault(str(edge.tenants_file), "last good")
    edge.daemon.wait_line("last good")
    assert edge.heartbeat("a").status == 204
    assert edge.register("b").status == 200
    write_text(edge.tenants_file, good)
    until(lambda: not edge.faults(edge.tenants_file), "the fault gone")
    edge.daemon.wait_line("no longer: ")


def test_one_tenant_without_a_token_file_never_stops_a_pass(make_edge):
    edge = make_edge(tenants=["a", "b", "c"])
    for box in "abc":
        edge.register(box)
    until(lambda: len(edge.routers()) == 3, "three routers")
    edge.token_file("b").unlink()
    until(lambda: set(edge.routers()) == {"losos_a", "losos_c"}, "the other two routers")
    assert edge.register("a").status == 200


def test_an_edge_with_nobody_to_serve_starts_and_says_so(make_edge):
    edge = make_edge(start=False, tenants_file=None)
    edge.start()
    assert edge.get("/health").status == 200
    edge.wait_fault("nobody can register", "--tenants-file")
    assert edge.register("box").status == 401


def test_a_directory_that_is_never_quiet_keeps_no_change_from_being_read(make_edge):
    edge = make_edge(tenants=["box"], reconcile_interval="1h")
    enough = threading.Event()

    def stir():
        while not enough.wait(0.004):
            write_text(edge.etc / "unrelated", "noise")

    stirring = threading.Thread(target=stir)
    stirring.start()
    try:
        write_text(edge.token_file("box"), token("changed") + "\n")
        until(lambda: edge.register("box", token=token("changed")).status == 200, "the token", 3)
    finally:
        enough.set()
        stirring.join()
