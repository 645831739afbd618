"""Custom domains: a box asks, its owner proves, the edge serves; and what happens when not."""

import hashlib
import hmac

from losos_tools import (mode_of, proof, read_json, token, until, write_json, write_text,
                         zone_name)

DOMAIN = "cloud.example.org"
OTHER_UUID = "00000000-0000-0000-0000-000000000000"


def live(mine, domain=DOMAIN, box="mattbox", uuid=None):
    """Brings a domain up, from vouching to its router."""
    mine.vouch(box, **({"uuid": uuid} if uuid else {}))
    assert mine.edge.register(box).status == 200
    until(lambda: mine.call("list", box).json()["eligible"], "the box to be eligible")
    mine.prove(domain, **({"uuid": uuid} if uuid else {}))
    assert mine.call("add", box, domain).status == 201
    until(lambda: domain in mine.hosts(), lambda: f"a router; {mine.seen(box)}")


def test_a_domain_is_served_once_its_proof_is_right_and_not_before(make_official):
    mine = make_official()
    mine.vouch("mattbox")
    assert mine.edge.register("mattbox").status == 200
    until(lambda: zone_name() in mine.hosts(), "the box's name in the zone")

    added = mine.call("add", "mattbox", "Cloud.Example.org.")
    assert added.status == 201
    view = added.json()
    assert view["eligible"] is True and view["reason"] is None
    assert view["target"] == zone_name() and view["addresses"] == ["192.0.2.7"]
    assert view["max_domains"] == 5
    assert [each["domain"] for each in view["domains"]] == [DOMAIN]
    assert view["domains"][0]["txt_name"] == f"_losos-challenge.{DOMAIN}"
    assert view["domains"][0]["txt_value"] == proof(DOMAIN)

    until(lambda: mine.seen("mattbox")[DOMAIN]["problem"] == "txtMissing", "a first lookup")
    mine.resolver.records[(f"_losos-challenge.{DOMAIN}", "TXT")] = ["something else"]
    until(lambda: mine.seen("mattbox")[DOMAIN]["problem"] == "txtWrong", "another")
    mine.resolver.records[(f"_losos-challenge.{DOMAIN}", "TXT")] = ["v=spf1", proof(DOMAIN)]
    until(lambda: mine.seen("mattbox")[DOMAIN]["problem"] == "notPointing", "the proof")
    assert DOMAIN not in mine.hosts()
    mine.resolver.records[(DOMAIN, "A")] = ["192.0.2.7"]
    until(lambda: DOMAIN in mine.hosts(), "a router")
    seen = mine.seen("mattbox")[DOMAIN]
    assert (seen["status"], seen["problem"]) == ("live", None)
    assert seen["txt_found"] and seen["points_here"] and seen["verified_at"] >= 1_700_000_000

    assert mode_of(mine.domains_file) == 0o600
    assert mine.call("add", "mattbox", DOMAIN).status == 200
    assert mine.call("remove", "mattbox", DOMAIN).json()["domains"] == []
    until(lambda: DOMAIN not in mine.hosts(), "the router to go")
    assert mine.call("remove", "mattbox", DOMAIN).status == 404
    assert read_json(mine.domains_file) == {"claims": []}


def test_names_that_are_no_domains_or_somebody_elses_are_refused(make_official):
    mine = make_official(flags={"public_domain": "own.test", "reserved_host": "www.test.example"})
    mine.vouch("mattbox")
    until(lambda: mine.call("list", "mattbox").json()["eligible"], "the box to be eligible")
    for name in ("localhost", "192.0.2.1", "2001:db8::1", "*.example.org", "bücher.example",
                 "a_b.example", "https://a.example", "", "a..example", "x." * 130 + "example",
                 "losos.example", "deep.in.losos.example.", "own.test", "a.own.test",
                 "www.test.example"):
        answer = mine.call("add", "mattbox", name)
        assert answer.status == 400 and "domain" in answer.text, (name, answer)
    assert mine.edge.post("/domains/add", {"appliance_id": "mattbox", "token": token("mattbox"),
                                           "domain": 7}).status == 400
    assert mine.call("add", "mattbox", "zoe.losos.test").status == 409
    assert mine.call("list", "mattbox").json()["domains"] == []
    assert not mine.domains_file.exists()


def test_a_box_has_five_domains_and_one_has_a_domain_live(make_official):
    mine = make_official()
    live(mine)
    live(mine, "zoe.example.org", "zoe", OTHER_UUID)
    for number in range(4):
        assert mine.call("add", "mattbox", f"d{number}.example.org").status == 201
    assert mine.call("add", "mattbox", "d4.example.org").status == 409
    assert mine.call("add", "mattbox", DOMAIN).status == 200
    assert mine.call("add", "zoe", DOMAIN).status == 409
    assert mine.call("remove", "zoe", DOMAIN).status == 404
    assert mine.call("add", "zoe", "d0.example.org").status == 201


def test_a_stranger_hears_401_and_a_box_nobody_vouches_for_gets_no_domain(make_official):
    mine = make_official()
    for action in ("list", "add", "remove"):
        for body in ({"appliance_id": "mattbox", "token": token("zoe")},
                     {"appliance_id": "nobody", "token": token("nobody")}):
            answer = mine.edge.post(f"/domains/{action}", {**body, "domain": DOMAIN})
            assert answer.status == 401, answer
    view = mine.call("list", "mattbox").json()
    assert (view["eligible"], view["target"]) == (False, None) and view["reason"]
    assert mine.call("add", "mattbox", DOMAIN).status == 409


def test_who_is_no_longer_vouched_for_is_off_at_once_and_keeps_the_claim(make_official):
    mine = make_official()
    live(mine)
    before = mine.vouch_file.read_text(encoding="utf-8")
    write_text(mine.vouch_file, before.replace("true", "false"))
    until(lambda: DOMAIN not in mine.hosts() and zone_name() not in mine.hosts(),
          "both routers to go")
    seen = mine.seen("mattbox")[DOMAIN]
    assert (seen["status"], seen["problem"]) == ("waiting", "stripeAccount")
    assert zone_name() not in mine.zone()
    write_text(mine.vouch_file, before)
    until(lambda: DOMAIN in mine.hosts(), "the router again")


def test_a_vouch_file_that_cannot_be_used_lapses_nobody(make_official):
    mine = make_official()
    live(mine)
    good = mine.vouch_file.read_text(encoding="utf-8")
    write_text(mine.vouch_file, '{"sellers": {')
    mine.edge.wait_fault(str(mine.vouch_file), "nobody loses a domain")
    assert DOMAIN in mine.hosts() and mine.call("list", "mattbox").json()["eligible"]
    assert not mine.call("list", "zoe").json()["eligible"]
    # Nor does a start with it.
    mine.edge.restart()
    until(lambda: mine.edge.register("mattbox").status == 200 and DOMAIN in mine.hosts(),
          "the router after a start")
    assert zone_name() in mine.zone()
    write_text(mine.vouch_file, good)
    until(lambda: mine.edge.faults(mine.vouch_file) == [], "the file to be read again")
    assert DOMAIN in mine.hosts()


def test_a_claim_is_there_after_a_crash(make_official):
    mine = make_official()
    live(mine)
    mine.edge.daemon.kill()
    mine.edge.start()
    assert DOMAIN in mine.hosts()
    assert mine.seen("mattbox")[DOMAIN]["status"] == "live"


def test_claims_that_cannot_be_used_stop_the_start_and_stay(make_official):
    mine = make_official(start=False)
    for text in ('{"claims": [', "{}", '{"claims": [{"box": "mattbox"}]}', ""):
        write_text(mine.domains_file, text)
        done = mine.edge.start_and_fail()
        assert done.code == 6, done
        assert str(mine.domains_file) in done.err and "byte" in done.err, done
        assert mine.domains_file.read_text(encoding="utf-8") == text


def test_an_edge_that_is_not_official_offers_nothing_until_it_is_again(make_official):
    mine = make_official()
    live(mine)
    certificate = mine.cert_file.read_text(encoding="utf-8")
    mine.cert_file.unlink()
    until(lambda: mine.hosts() == {"mattbox.losos.test"}, "domain and zone name to be off")
    for action in ("list", "add", "remove"):
        assert mine.call(action, "mattbox", DOMAIN).status == 503
    assert mine.edge.post("/domains/list", {"appliance_id": "mattbox",
                                            "token": token("zoe")}).status == 401
    until(lambda: zone_name() not in mine.zone(), "the bare zone")
    assert "IN SOA" in mine.zone() and "ns1.losos.example. IN A 192.0.2.7" in mine.zone()
    write_text(mine.cert_file, certificate)
    until(lambda: {DOMAIN, zone_name()} <= mine.hosts(), "all of it again")
    assert zone_name() in mine.zone()


def test_a_server_that_hangs_costs_only_its_own_claims(make_official):
    mine = make_official()
    mine.vouch("mattbox")
    assert mine.edge.register("mattbox").status == 200
    until(lambda: mine.call("list", "mattbox").json()["eligible"], "the box to be eligible")
    for number in range(4):
        mine.resolver.silent.add(f"_losos-challenge.hung{number}.example.org")
        assert mine.call("add", "mattbox", f"hung{number}.example.org").status == 201
    until(lambda: all(mine.resolver.times_asked(name) for name in mine.resolver.silent),
          "every lookup that hangs to be out")
    # Meanwhile everything else is done as ever.
    assert mine.edge.register("zoe").status == 200
    assert mine.edge.heartbeat("mattbox").status == 204
    until(lambda: "zoe.losos.test" in mine.hosts(), "another box's router")
    mine.prove(DOMAIN)
    assert mine.call("add", "mattbox", DOMAIN).status == 201
    until(lambda: DOMAIN in mine.hosts(), "a domain whose server answers")
    seen = mine.seen("mattbox")
    assert {seen[f"hung{number}.example.org"]["status"] for number in range(4)} == {"waiting"}


def test_a_live_domain_outlasts_a_resolver_without_answers_and_lapses_at_the_third_failure(
        make_official):
    mine = make_official(flags={"domain_check_live": "1s"})
    live(mine)
    mine.resolver.status[f"_losos-challenge.{DOMAIN}"] = 2
    del mine.resolver.records[(f"_losos-challenge.{DOMAIN}", "TXT")]
    asked = mine.resolver.times_asked(f"_losos-challenge.{DOMAIN}")
    until(lambda: mine.resolver.times_asked(f"_losos-challenge.{DOMAIN}") > asked + 3,
          "four lookups without an answer")
    assert mine.seen("mattbox")[DOMAIN]["problem"] == "lookupFailed"
    assert DOMAIN in mine.hosts()
    del mine.resolver.status[f"_losos-challenge.{DOMAIN}"]
    until(lambda: DOMAIN not in mine.hosts(), "the domain to lapse")
    assert [each["failed_checks"] for each in read_json(mine.domains_file)["claims"]] == [0]
    mine.prove(DOMAIN)
    until(lambda: DOMAIN in mine.hosts(), "the domain again")


def test_a_relayed_box_of_the_same_name_wins_over_a_live_domain(make_official):
    mine = make_official(tenants={"mattbox": {}, "acme": {"relay_zone": "example.org"}})
    live(mine)
    assert mine.edge.relay("acme", [("cloud", DOMAIN)]).json()["accepted"]
    until(lambda: list(mine.edge.routers().values()).count(DOMAIN) == 1
          and mine.edge.routers().get("losos_acme.cloud") == DOMAIN, "the relayed box's router")
    seen = mine.seen("mattbox")[DOMAIN]
    assert (seen["status"], seen["problem"]) == ("live", "takenElsewhere")
    assert mine.edge.relay("acme", []).status == 200
    until(lambda: "losos_acme.cloud" not in mine.edge.routers() and DOMAIN in mine.hosts(),
          "the domain to be the box's again")


def test_a_claim_that_cannot_be_written_was_never_made(make_official):
    mine = make_official()
    mine.vouch("mattbox")
    until(lambda: mine.call("list", "mattbox").json()["eligible"], "the box to be eligible")
    mine.domains_file.mkdir()
    assert mine.call("add", "mattbox", DOMAIN).status == 503
    assert mine.call("list", "mattbox").json()["domains"] == []
    mine.domains_file.rmdir()
    assert mine.call("add", "mattbox", DOMAIN).status == 201
    assert [each["domain"] for each in read_json(mine.domains_file)["claims"]] == [DOMAIN]
    mine.domains_file.rename(mine.domains_file.with_suffix(".aside"))
    mine.domains_file.mkdir()
    assert mine.call("remove", "mattbox", DOMAIN).status == 503
    assert list(mine.seen("mattbox")) == [DOMAIN]


def test_an_edge_on_a_lan_or_without_a_zone_offers_none(make_official, make_edge):
    lan = make_official(lan=True, start=False)
    lan.edge.start()
    assert lan.call("list", "mattbox").status == 503
    assert not lan.zone_file.exists()
    plain = make_edge("plain", tenants=["mattbox"])
    answer = plain.post("/domains/list", {"appliance_id": "mattbox", "token": token("mattbox")})
    assert answer.status == 503


def test_with_the_route_table_a_box_gets_its_pass_and_its_domain_follows_it_to_a_gateway(
        make_official):
    mine = make_official(start=False,
                         tenants={"mattbox": {"cluster": True},
                                  "acme": {"relay_zone": "acme.test"}})
    key_file = mine.edge.state / "relay-pass.key"
    mine.edge.flags.update(relay_pass_key_file=key_file,
                           relay_routes_file=mine.edge.state / "relay-routes.json")
    # A member of the mesh that is not registered here itself.
    write_json(mine.edge.registry_file,
               {"tenants": {}, "compute_windows": {"mattbox": {}}, "resting": {}})
    mine.edge.start()
    mine.vouch("mattbox")
    until(lambda: mine.call("list", "mattbox").json()["eligible"], "the box to be eligible")

    shown = mine.call("list", "mattbox").json()["relay_pass"]
    hour = shown.split(".")[1]
    key = bytes.fromhex(key_file.read_text(encoding="utf-8").strip())
    code = hmac.new(key, f"losos-relay-pass-v1\nmattbox\n{hour}\n".encode(), hashlib.sha256)
    assert shown == f"v1.{hour}.{code.hexdigest()}"

    mine.prove(DOMAIN)
    assert "relay_pass" in mine.call("add", "mattbox", DOMAIN).json()
    until(lambda: mine.seen("mattbox")[DOMAIN]["status"] == "live", "the domain to be live")
    assert DOMAIN not in mine.hosts()
    rows = [{"id": "mattbox", "hostname": "mattbox.acme.test", "pass": shown}]
    assert mine.edge.relay("acme", rows).json()["accepted"]
    until(lambda: DOMAIN in mine.hosts(), "a router by way of the gateway")
    leading = {host: name for name, host in mine.edge.routers().items()}
    assert leading[DOMAIN].startswith("losos_acme.mattbox_host_")
    until(lambda: {"id": "mattbox", "domain": DOMAIN} in
          mine.edge.relay("acme", rows).json()["routes"], "the gateway to be told")
    assert "relay_pass" in mine.call("remove", "mattbox", DOMAIN).json()
    until(lambda: DOMAIN not in mine.hosts(), "the router to go")


def test_two_boxes_vouched_for_as_one_machine_are_a_fault_and_the_first_has_its_name(make_official):
    mine = make_official()
    live(mine, box="zoe")
    mine.vouch("mattbox")
    fault = mine.edge.wait_fault(str(mine.vouch_file), "zoe and mattbox have one box_uuid")
    assert "leads to mattbox alone" in fault
    assert mine.edge.register("mattbox").status == 200
    until(lambda: mine.edge.routers().get("losos_mattbox") and zone_name() in mine.hosts(),
          "the first one's name")
    name, = [name for name, host in mine.edge.routers().items() if host == zone_name()]
    assert name.startswith("losos_mattbox_host_")
    assert DOMAIN in mine.hosts()
    mine.vouch("mattbox", OTHER_UUID)
    until(lambda: mine.edge.faults(mine.vouch_file) == [], "the fault to go")
