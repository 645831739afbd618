"""How far custom domains go: which names, how many and how long, and what a fault in a file, in the
certificate or in DNS costs."""

import time

import pytest
from losos_tools import proof, read_json, reply, until, write_json, write_text, zone_name
from losos_tools.official import ACCOUNT, UUID
from losos_tools.process import JUDGES_COST

DOMAIN = "cloud.example.org"
LONGEST = ".".join(["a" * 61] * 3 + ["b" * 50])
DAY = 24 * 3600


def claim(box, domain, **fields):
    """A claim as domains.json has it, of a box that was vouched for as ever."""
    now = int(time.time())
    return {"box": box, "domain": domain, "status": "waiting", "account_id": ACCOUNT,
            "box_uuid": UUID, "failed_checks": 0, "txt_found": False, "points_here": False,
            "problem": "txtMissing", "waiting_since": now, "checked_at": now, "verified_at": None,
            **fields}


def eligible(mine, box="mattbox"):
    mine.vouch(box)
    assert mine.edge.register(box).status == 200
    until(lambda: mine.call("list", box).json()["eligible"], "the box to be eligible")


def live(mine, domain=DOMAIN):
    eligible(mine)
    mine.prove(domain)
    assert mine.call("add", "mattbox", domain).status == 201
    until(lambda: domain in mine.hosts(), "the router")


# --- names ---


def test_no_spelling_of_an_address_and_no_wildcard_is_a_domain(make_official):
    mine = make_official()
    eligible(mine)
    for name in ("127.1", "2130706433", "0x7f.1", "0X7F.0x1", "0177.0.0.1", "192.0.2.1.",
                 "192.0.2.01", "1.2.3.4.5", "::", "::1.", "::ffff:192.0.2.1", "fe80::1%eth0",
                 "[2001:db8::1]", "2001:DB8:0:0:0:0:0:1", "*", "*.org", "a.*.example.org",
                 "example.*", "%2a.example.org", "a.example.org\u0000", " a.example.org",
                 "a.example.org ", "a.example.org:443", "a.example.org/", "me@example.org",
                 "ａ.example.org", "a。example.org", "_a.example.org", "-a.example.org",
                 "a-.example.org", ".example.org", "example.org..", "ab--c.example.org"):
        answer = mine.call("add", "mattbox", name)
        assert answer.status == 400 and "field \"domain\"" in answer.text, (name, answer)
    assert mine.call("list", "mattbox").json()["domains"] == []


def test_a_name_in_another_spelling_is_the_same_domain(make_official):
    mine = make_official()
    eligible(mine)
    for name, spelled in (("xn--bcher-kva.example", "XN--Bcher-KVA.Example."),
                          (LONGEST, LONGEST.upper() + ".")):
        assert mine.call("add", "mattbox", name).status == 201
        assert mine.call("add", "mattbox", spelled).status == 200
        assert list(mine.seen("mattbox")) == [name]
        assert mine.call("remove", "mattbox", spelled).status == 200


def test_a_name_leaves_room_for_its_proof_and_none_is_longer_than_dns_has(make_official):
    mine = make_official()
    eligible(mine)
    assert len(LONGEST) == 236
    for text in ("b" + LONGEST, LONGEST + "b." + "c" * 15, LONGEST + "b." + "c" * 16,
                 LONGEST + "." + "c" * 60000):
        answer = mine.call("add", "mattbox", text)
        assert answer.status == 400 and len(answer.text) < 200, (len(text), answer)


def test_the_names_of_the_edge_itself_are_nobodys_domains(make_official):
    mine = make_official(flags={"public_domain": "own.test", "public_host": "edge.host.test",
                                "reserved_host": ["www.far.test", "mail.far.test"]})
    eligible(mine)
    for name in ("own.test", "OWN.test.", "a.own.test", "edge.host.test", "a.edge.host.test",
                 "losos.example", f"a.{zone_name()}", zone_name(), "mail.far.test"):
        answer = mine.call("add", "mattbox", name)
        assert answer.status == 400 and "edge's own" in answer.text, (name, answer)
    for name in ("ownxtest.example", "notown.test", "host.test", "far.test", "a.www.far.test"):
        assert mine.call("add", "mattbox", name).status == 201, name


# --- how many, how long ---


def test_an_edge_has_two_thousand_domains(make_official):
    boxes = [f"b{n}" for n in range(400)]
    mine = make_official(start=False, tenants=["mattbox", *boxes])
    mine.vouch("mattbox")
    rows = read_json(mine.vouch_file)
    rows["sellers"] |= {box: rows["sellers"]["mattbox"] for box in boxes}
    write_json(mine.vouch_file, rows)
    write_json(mine.domains_file, {"claims": [
        claim(box, f"d{n}.example.org") for box in boxes for n in range(5)]})
    mine.edge.start()
    assert mine.call("add", "mattbox", DOMAIN).status == 503
    assert mine.call("add", "b7", "d3.example.org").status == 200
    assert mine.call("remove", "b7", "d3.example.org").status == 200
    assert mine.call("add", "mattbox", DOMAIN).status == 201
    assert mine.call("add", "b7", "d3.example.org").status == 503
    assert len(read_json(mine.domains_file)["claims"]) == 2000


def test_a_claim_that_waited_for_seven_days_is_dropped_and_a_live_one_is_not(make_official):
    mine = make_official(start=False)
    mine.vouch("mattbox")
    now = int(time.time())
    old = {"waiting_since": now - 7 * DAY - 60, "verified_at": now - 8 * DAY}
    write_json(mine.domains_file, {"claims": [
        claim("mattbox", "late.example.org", waiting_since=now - 7 * DAY + 600),
        claim("mattbox", "live.example.org", status="live", problem=None, **old),
        claim("mattbox", "old.example.org", **old)]})
    mine.edge.start()
    assert list(mine.seen("mattbox")) == ["late.example.org", "live.example.org"]
    mine.edge.daemon.wait_line("the claim of mattbox to old.example.org is dropped")
    assert [each["domain"] for each in read_json(mine.domains_file)["claims"]] == [
        "late.example.org", "live.example.org"]


# --- what a fault costs ---


def test_without_a_vouch_file_nobody_keeps_a_domain(make_official):
    mine = make_official()
    live(mine)
    assert mine.edge.stop() == 0
    del mine.edge.flags["vouch_file"]
    mine.edge.start()
    assert mine.edge.register("mattbox").status == 200
    assert mine.edge.wait_fault("--vouch-file is not given")
    assert mine.seen("mattbox")[DOMAIN]["problem"] == "stripeAccount"
    assert mine.hosts() <= {"mattbox.losos.test"}


def test_an_odd_row_of_the_vouch_file_costs_its_own_box_alone(make_official):
    mine = make_official()
    live(mine)
    mine.vouch("zoe", "00000000-0000-0000-0000-000000000000")
    until(lambda: mine.call("list", "zoe").json()["eligible"], "the other box to be eligible")
    rows = read_json(mine.vouch_file)
    rows["sellers"]["zoe"]["box_uuid"] = "5e1b"
    write_json(mine.vouch_file, rows)
    assert "vouches for nobody" in mine.edge.wait_fault(str(mine.vouch_file), '"zoe"')
    assert not mine.call("list", "zoe").json()["eligible"]
    assert DOMAIN in mine.hosts() and mine.call("list", "mattbox").json()["eligible"]


@pytest.mark.parametrize("seconds", [-1, -400 * DAY])
def test_an_expired_certificate_costs_every_domain_until_there_is_a_new_one(make_official, seconds):
    mine = make_official()
    live(mine)
    mine.certify(seconds)
    until(lambda: DOMAIN not in mine.hosts() and zone_name() not in mine.zone(), "all to be off")
    assert mine.call("list", "mattbox").status == 503
    assert mine.edge.faults("expired")
    mine.certify()
    until(lambda: DOMAIN in mine.hosts() and zone_name() in mine.zone(), "all of it again")
    assert mine.seen("mattbox")[DOMAIN]["status"] == "live"


def test_a_domain_lapses_also_where_that_cannot_be_written_down(make_official):
    mine = make_official(flags={"reconcile_interval": "100ms"})
    live(mine)
    mine.domains_file.unlink()
    mine.domains_file.mkdir()
    write_text(mine.vouch_file, '{"sellers": {}}')
    until(lambda: DOMAIN not in mine.hosts(), "the router to go")
    assert mine.edge.wait_fault(str(mine.domains_file))
    mine.domains_file.rmdir()
    until(lambda: not mine.edge.faults(mine.domains_file), "the fault to be gone")
    assert [each["status"] for each in read_json(mine.domains_file)["claims"]] == ["waiting"]


def test_a_domain_that_lapses_does_not_wait_for_traefiks_pace(make_official):
    """A change of forty routers costs Traefik more than is allowed at once, so that those that come
    after it are still waiting when the domain goes."""
    boxes = [f"b{n}" for n in range(40)]
    mine = make_official(tenants=["mattbox", *boxes], flags={"reconcile_interval": "50ms"})
    live(mine)
    for box in boxes:
        assert mine.edge.register(box).status == 200
    write_text(mine.vouch_file, '{"sellers": {}}')
    mine.edge.daemon.wait_line(f"{DOMAIN} is off")
    done = mine.edge.metric("reconciles_total")
    until(lambda: mine.edge.metric("reconciles_total") > done, "the reconcile to be over")
    assert DOMAIN not in mine.hosts() and zone_name() not in mine.hosts()
    until(lambda: {f"{box}.losos.test" for box in boxes} <= mine.hosts(), "all that had to wait")


def test_servers_that_all_hang_stop_nobody_and_leave_room_after_their_five_seconds(make_official):
    boxes = [f"b{n}" for n in range(4)]
    mine = make_official(tenants=["mattbox", "zoe", *boxes])
    eligible(mine)
    for box in boxes:
        eligible(mine, box)
        for number in range(5):
            hung = f"hung{number}.{box}.example.org"
            mine.resolver.silent.add(f"_losos-challenge.{hung}")
            assert mine.call("add", box, hung).status == 201
    asked = mine.resolver.times_asked
    until(lambda: sum(map(asked, mine.resolver.silent)) >= 16, "every place to be taken")
    # No place is left, and still all goes on but lookups.
    mine.prove(DOMAIN)
    assert mine.call("add", "mattbox", DOMAIN).status == 201
    assert mine.edge.register("zoe").status == 200
    until(lambda: "zoe.losos.test" in mine.hosts(), "another box's router")
    assert mine.edge.heartbeat("mattbox").status == 204
    assert mine.seen("mattbox")[DOMAIN]["txt_value"] == proof(DOMAIN)
    until(lambda: DOMAIN in mine.hosts(), "the domain whose server answers", 30)
    assert mine.seen("b0")["hung0.b0.example.org"]["problem"] == "lookupFailed"


def test_a_stop_waits_for_no_lookup(make_official):
    mine = make_official()
    eligible(mine)
    hung = f"_losos-challenge.{DOMAIN}"
    mine.resolver.silent.add(hung)
    assert mine.call("add", "mattbox", DOMAIN).status == 201
    until(lambda: mine.resolver.times_asked(hung), "the lookup to hang")
    begun = time.monotonic()
    assert mine.edge.stop() == 0
    # A lookup has five seconds.
    assert time.monotonic() - begun < 3.5 or not JUDGES_COST
    assert [each["domain"] for each in read_json(mine.domains_file)["claims"]] == [DOMAIN]


def resolver_faults(mine):
    return [fault for fault in mine.edge.faults() if "--dns-check-url" in fault]


@pytest.mark.parametrize("instead, says", [
    (reply(404), "404"), (reply(200, "<html>Welcome</html>"), "not JSON"), (reply(200, {}), "Status"),
], ids=["another path", "a web page", "other JSON"])
def test_an_operator_hears_of_a_resolver_that_is_none_until_it_is_one(make_official, instead, says):
    mine = make_official()
    eligible(mine)
    mine.resolver.instead = instead
    mine.prove(DOMAIN)
    assert mine.call("add", "mattbox", DOMAIN).status == 201
    until(lambda: resolver_faults(mine), "a fault that names the flag")
    assert says in resolver_faults(mine)[0]
    mine.resolver.instead = None
    until(lambda: DOMAIN in mine.hosts() and not resolver_faults(mine), "the domain and no fault")


def test_domains_whose_own_servers_fail_are_no_fault_of_the_edge(make_official):
    mine = make_official()
    eligible(mine)
    for name in (DOMAIN, f"_losos-challenge.{DOMAIN}"):
        mine.resolver.status[name] = 2
    assert mine.call("add", "mattbox", DOMAIN).status == 201
    until(lambda: mine.resolver.times_asked(f"_losos-challenge.{DOMAIN}") > 4, "more than four lookups")
    assert mine.seen("mattbox")[DOMAIN]["problem"] == "lookupFailed"
    assert resolver_faults(mine) == []


def test_twenty_new_names_of_a_box_go_live_within_a_day_and_the_next_waits(make_official):
    mine = make_official()
    eligible(mine)
    names = [f"d{number}.example.org" for number in range(21)]
    for name in names:
        mine.prove(name)
    for at in range(0, 20, 5):
        some = names[at:at + 5]
        for name in some:
            assert mine.call("add", "mattbox", name).status == 201
        until(lambda: set(some) <= mine.hosts(), lambda: f"routers; {mine.seen('mattbox')}")
        for name in some:
            assert mine.call("remove", "mattbox", name).status == 200
    mine.edge.daemon.wait_line("mattbox had 20 new names within a day: further ones wait")
    assert mine.call("add", "mattbox", names[20]).status == 201
    until(lambda: mine.seen("mattbox")[names[20]]["points_here"], "the last one's proof")
    seen = mine.seen("mattbox")[names[20]]
    assert (seen["status"], seen["problem"], seen["verified_at"]) == ("waiting", None, None)
    assert names[20] not in mine.hosts()
