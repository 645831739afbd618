"""Open enrolment: boxes nobody listed, on an edge of a LAN."""

import pytest
from losos_tools import mode_of, read_json, run, token, until, write_json, write_text

SHARED_EDGE = {"enrol": True, "tenants": {"listed": {"hostname": "listed.losos.test"}},
               "public_host": "edge.losos.test", "reserved_host": ["www.losos.test"]}


def test_a_stranger_enrols_and_is_in_the_tenants_file_of_enrolment(shared_edge):
    answer = shared_edge.register("stranger")
    assert answer.status == 200
    row = read_json(shared_edge.enrol_dir / "tenants.json")["stranger"]
    assert row["hostname"] == "stranger.losos.test"
    token_file = shared_edge.enrol_dir / "stranger.token"
    assert row["token_file"] == str(token_file)
    assert token_file.read_text() == token("stranger") + "\n"
    assert not row.get("cluster") and not row.get("market") and not row.get("relay_zone")
    assert shared_edge.rows()["stranger"]["port"] == answer.json()["rathole_port"]


def test_enrolment_files_are_their_owners_alone(shared_edge):
    shared_edge.register("private")
    assert mode_of(shared_edge.enrol_dir) == 0o700
    for name in ("tenants.json", "private.token"):
        assert mode_of(shared_edge.enrol_dir / name) == 0o600
    assert mode_of(shared_edge.registry_file) == 0o600


def test_first_contact_fixes_the_token(shared_edge):
    assert shared_edge.register("first").status == 200
    for path, more in (("/register", {"hostname": "first.losos.test"}), ("/heartbeat", {}),
                       ("/deregister", {})):
        body = {"appliance_id": "first", "token": token("thief"), **more}
        assert shared_edge.post(path, body).status == 401
    assert shared_edge.heartbeat("first").status == 204


@pytest.mark.parametrize("odd", ["UPPER", "under_score", "-dash", "dash-", "a.b", "", "x" * 64,
                                 "sp ace", "../../etc/passwd", "\u00e4"], ids=ascii)
def test_an_id_that_is_no_dns_label_cannot_enrol(shared_edge, odd):
    before = sorted(path.name for path in shared_edge.enrol_dir.iterdir())
    answer = shared_edge.register(odd, "odd.losos.test", token=token("odd"))
    assert answer.status == 400
    assert "appliance_id" in answer.text
    assert sorted(path.name for path in shared_edge.enrol_dir.iterdir()) == before


@pytest.mark.parametrize("odd", ["", "under_score.test", ".test", "a..test", "-a.test", "a.test.",
                                 "x" * 64 + ".test", ".".join(["x" * 63] * 4), "a`b.test",
                                 "a\nb.test"], ids=lambda odd: ascii(odd)[:20])
def test_a_hostname_that_is_no_dns_name_cannot_enrol(shared_edge, odd):
    answer = shared_edge.post("/register", {"appliance_id": "oddname", "token": token("oddname"),
                                            "hostname": odd})
    assert answer.status == 400
    assert "hostname" in answer.text
    assert "oddname" not in read_json(shared_edge.enrol_dir / "tenants.json")


@pytest.mark.parametrize("odd", ["", " " * 40, "x" * 31, "x" * 20 + "\x01" + "x" * 20, "x" * 1025,
                                 " " * 9 + "x" * 31 + " " * 9, "x" * 40 + "\x7f"],
                         ids=lambda odd: ascii(odd)[:12] + str(len(odd)))
def test_an_unsound_token_cannot_enrol(shared_edge, odd):
    answer = shared_edge.register("oddtoken", token=odd)
    assert answer.status == 400
    assert '"token"' in answer.text
    assert not (shared_edge.enrol_dir / "oddtoken.token").exists()


@pytest.mark.parametrize("length", [32, 1024])
def test_the_shortest_and_the_longest_token_can_enrol(shared_edge, length):
    assert shared_edge.register(f"token{length}", token="t" * length).status == 200


@pytest.mark.parametrize("hostname", ["listed.losos.test", "LISTED.losos.TEST", "edge.losos.test",
                                      "Edge.Losos.Test", "www.losos.test", "taken.losos.test",
                                      "Taken.losos.test"])
def test_a_hostname_that_is_held_or_reserved_is_409(shared_edge, hostname):
    assert shared_edge.register("taken").status == 200
    answer = shared_edge.register("late", hostname)
    assert answer.status == 409
    assert "hostname" in answer.text
    assert "late" not in read_json(shared_edge.enrol_dir / "tenants.json")


def test_an_enrolled_box_may_rename_itself_but_not_to_a_name_that_is_held(shared_edge):
    port = shared_edge.register("rename", "before.losos.test").json()
    assert shared_edge.register("rename", "After.losos.test").json() == port
    assert shared_edge.rows()["rename"]["hostname"] == "after.losos.test"
    assert (read_json(shared_edge.enrol_dir / "tenants.json")["rename"]["hostname"]
            == "after.losos.test")
    until(lambda: shared_edge.routers().get("losos_rename") == "after.losos.test", "the new router")
    for held in ("listed.losos.test", "edge.losos.test", "www.losos.test"):
        assert shared_edge.register("rename", held).status == 409
    assert shared_edge.rows()["rename"]["hostname"] == "after.losos.test"
    assert shared_edge.register("newcomer", "before.losos.test").status == 200


def test_a_listed_tenant_cannot_rename_itself_where_others_may(shared_edge):
    assert shared_edge.register("listed", "mine.losos.test").status == 403


def test_an_enrolled_box_is_no_gateway(shared_edge):
    shared_edge.register("nogateway")
    assert shared_edge.relay("nogateway", []).status == 403


def test_as_many_boxes_enrol_as_the_operator_allows(make_edge):
    edge = make_edge(enrol=True, enrol_max=2, tenants=["listed"])
    assert [edge.register(box).status for box in ("a", "b", "c")] == [200, 200, 503]
    assert edge.register("listed").status == 200
    assert edge.register("a").status == 200
    assert set(read_json(edge.enrol_dir / "tenants.json")) == {"a", "b"}
    assert not (edge.enrol_dir / "c.token").exists()
    assert edge.register("b", token=token("thief")).status == 401


def test_a_stranger_for_whom_no_port_is_left_does_not_enrol(make_edge):
    edge = make_edge(enrol=True, port_range="21000-21000")
    assert [edge.register(box).status for box in ("a", "b")] == [200, 503]
    assert set(read_json(edge.enrol_dir / "tenants.json")) == {"a"}


def test_the_tenants_file_wins_over_an_enrolled_row_of_the_same_id(make_edge):
    edge = make_edge(enrol=True)
    assert edge.register("box", "mine.losos.test").status == 200
    write_text(edge.token_file("box"), token("operators-choice") + "\n")
    edge.list_tenants({"box": {"hostname": "given.losos.test"}})
    until(lambda: edge.rows()["box"]["hostname"] == "given.losos.test", "the listed hostname")
    until(lambda: edge.heartbeat("box").status == 401, "the operator's token to count")
    assert edge.heartbeat("box", token=token("operators-choice")).status == 204
    assert edge.register("box", "mine.losos.test",
                         token=token("operators-choice")).status == 403


def test_a_forgotten_box_is_dropped_and_enrols_again_with_the_token_it_holds(make_edge):
    edge = make_edge(enrol=True)
    assert edge.register("box").status == 200
    assert edge.register("stays").status == 200
    done = run("losos-registrar", "enrol", "forget", "--dir", edge.enrol_dir, "box")
    assert (done.code, done.out) == (0, "")
    until(lambda: set(edge.rows()) == {"stays"}, "the box dropped")
    assert not (edge.enrol_dir / "box.token").exists()
    until(lambda: edge.heartbeat("box").status == 404, "the box to be told")
    assert edge.register("box").status == 200
    assert edge.heartbeat("box").status == 204


def test_a_box_that_deregisters_stays_enrolled(make_edge):
    edge = make_edge(enrol=True)
    edge.register("box")
    assert edge.deregister("box").status == 204
    assert "box" in read_json(edge.enrol_dir / "tenants.json")
    assert edge.register("box", token=token("thief")).status == 401
    assert edge.register("box").status == 200


def test_live_json_lists_the_operators_boxes_first_then_the_others_by_enrolment(make_edge):
    edge = make_edge(enrol=True, tenants=["m-listed", "z-listed"])
    for box in ("z-listed", "q", "c", "m-listed", "x", "a"):
        assert edge.register(box).status == 200
    expected = ["m-listed", "z-listed", "q", "c", "x", "a"]
    until(lambda: edge.live_ids() == expected, lambda: f"{expected}, not {edge.live_ids()}")
    edge.deregister("q")
    edge.register("q")
    until(lambda: edge.live_ids() == expected, lambda: f"{expected}, not {edge.live_ids()}")
    edge.restart()
    assert edge.live_ids() == expected


def test_a_token_without_a_row_binds_nobody_and_is_removed_at_the_start(make_edge):
    edge = make_edge(enrol=True, start=False)
    edge.enrol_dir.mkdir(mode=0o700)
    write_text(edge.enrol_dir / "orphan.token", token("somebody-else") + "\n")
    write_text(edge.enrol_dir / ".orphan.token.123-0123456789ab.tmp", "half")
    edge.start()
    assert [path.name for path in edge.enrol_dir.iterdir() if path.name != ".lock"] == []
    assert edge.register("orphan").status == 200


def test_an_enrolled_row_without_its_token_is_refused_loudly_and_the_others_go_on(make_edge):
    edge = make_edge(enrol=True)
    edge.register("broken")
    edge.register("sound")
    (edge.enrol_dir / "broken.token").unlink()
    edge.wait_fault("broken", str(edge.enrol_dir / "broken.token"))
    assert edge.register("broken").status == 401
    assert edge.heartbeat("sound").status == 204


def test_enrolled_boxes_that_do_not_parse_stop_the_start_and_name_the_byte(make_edge):
    edge = make_edge(enrol=True, start=False)
    edge.enrol_dir.mkdir(mode=0o700)
    path = write_text(edge.enrol_dir / "tenants.json", '{"box": nonsense}\n')
    done = edge.start_and_fail()
    assert done.code == 6
    assert str(path) in done.err and "byte 8" in done.err
    assert path.read_text() == '{"box": nonsense}\n'


def test_while_running_the_last_good_list_of_enrolled_boxes_stays_in_force(make_edge):
    edge = make_edge(enrol=True)
    edge.register("box")
    good = read_json(edge.enrol_dir / "tenants.json")
    write_text(edge.enrol_dir / "tenants.json", "{")
    edge.wait_fault(str(edge.enrol_dir / "tenants.json"), "last good")
    assert edge.heartbeat("box").status == 204
    assert edge.register("newcomer").status == 503
    assert (edge.enrol_dir / "tenants.json").read_text() == "{"
    write_json(edge.enrol_dir / "tenants.json", good)
    until(lambda: not edge.faults("tenants.json"), "no such fault any more")
    assert edge.register("newcomer").status == 200


def test_without_enrolment_a_stranger_is_401_and_leaves_no_trace(make_edge):
    edge = make_edge(tenants=["listed"])
    assert edge.register("stranger").status == 401
    assert not edge.enrol_dir.exists()
    assert edge.rows() == {}
