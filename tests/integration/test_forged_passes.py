"""A hostile gateway against a hub: nothing moves that should not, and each refusal is a line in the
log that names the gateway and the box."""

import pathlib

import pytest
from losos_tools import until
from losos_tools.relaying import HOUR, NOW, sign_pass

VECTORS = pathlib.Path(__file__).parent.parent / "golden" / "relay-pass" / "vectors.txt"
ANOTHER_KEY = "0f" * 32


def refused(hub, gateway, box="mattbox"):
    """What the log says of the one refusal there is."""
    lines = hub.refusals(gateway, box)
    assert len(lines) == 1, lines
    return lines[0]


def held(hub, gateway="acme", box="mattbox"):
    """Binds the box, and gives what must not change."""
    hub.bind(gateway, box)
    until(lambda: f"{box}.cloud.test" in hub.routed_hosts(), "the router")
    return hub.bindings(), hub.routes()


def test_the_golden_passes_are_those_of_pythons_hmac():
    rows = [line.split() for line in VECTORS.read_text(encoding="ascii").splitlines()]
    assert len(rows) == 11
    for key, box, when, made in rows:
        assert sign_pass(key, box, int(when) // 3600) == made


def test_a_pass_by_pythons_hmac_under_the_hubs_key_binds_its_box(make_hub):
    hub = make_hub()
    answer = hub.bind("acme", "mattbox")
    assert answer["routes"] == [{"id": "mattbox", "domain": "mattbox.cloud.test"}]
    assert hub.bindings() == {"mattbox": {"spoke": "acme", "epoch": HOUR}}
    assert hub.routes() == {"mattbox.cloud.test": "acme.mattbox"}
    assert not hub.refusals("acme", "mattbox")
    hub.daemon.wait_line("mattbox is bound to acme")
    hub.daemon.wait_line("route added: mattbox.cloud.test to mattbox through acme")


def forged(make):
    """A pass made of the hub's own good one."""
    return lambda hub: make(hub.sign("mattbox"))


@pytest.mark.parametrize("shown, words", [
    (lambda hub: None, "without a pass"),
    (lambda hub: hub.sign("annabox"), "never made for it"),
    (lambda hub: sign_pass(ANOTHER_KEY, "mattbox", HOUR), "never made for it"),
    (lambda hub: sign_pass(ANOTHER_KEY, "mattbox", HOUR + 1), "never made for it"),
    (lambda hub: hub.sign("mattbox", age=3), "expired"),
    (lambda hub: hub.sign("mattbox", age=HOUR), "expired"),
    (lambda hub: hub.sign("mattbox", age=-1), "from the future"),
    (lambda hub: hub.sign("mattbox", age=-100_000), "from the future"),
    (forged(lambda good: good[:-1]), "not of a pass's shape"),
    (forged(lambda good: good + "0"), "not of a pass's shape"),
    (forged(lambda good: good + " "), "not of a pass's shape"),
    (forged(lambda good: good + "\n"), "not of a pass's shape"),
    (forged(lambda good: " " + good), "not of a pass's shape"),
    (forged(lambda good: good + "\0"), "not of a pass's shape"),
    (forged(lambda good: good.upper()), "not of a pass's shape"),
    (forged(lambda good: good[:-64] + good[-64:].upper()), "not of a pass's shape"),
    (forged(lambda good: good.replace("v1", "v2")), "not of a pass's shape"),
    (forged(lambda good: good.replace("v1.", "v1.+")), "not of a pass's shape"),
    (forged(lambda good: good.replace("v1.", "v1.0")), "never made for it"),
    (forged(lambda good: good.replace("v1.", f"v1.{'0' * 14}")), "never made for it"),
    (forged(lambda good: good.replace(str(HOUR), str(2**64 + HOUR))), "never made for it"),
    (forged(lambda good: good.replace(str(HOUR), str(HOUR + 1))), "never made for it"),
    (lambda hub: "", "not of a pass's shape"), (lambda hub: 7, "not of a pass's shape"),
    (lambda hub: ["v1"], "not of a pass's shape"), (lambda hub: {}, "not of a pass's shape"),
])
def test_what_is_no_good_pass_binds_nothing_and_takes_nothing(make_hub, shown, words):
    hub = make_hub(boxes=["mattbox", "annabox"])
    assert hub.show("beta", {"mattbox": shown(hub)})["routes"] == []
    assert hub.bindings() == {} and hub.routes() == {}
    assert words in refused(hub, "beta") and "nobody holds it" in refused(hub, "beta")
    before = held(hub)
    assert hub.show("beta", {"mattbox": shown(hub)})["routes"] == []
    assert (hub.bindings(), hub.routes()) == before
    assert words in hub.refusals("beta", "mattbox")[1]
    assert "acme keeps it" in hub.refusals("beta", "mattbox")[1]


def test_an_old_pass_that_is_still_good_takes_nothing_from_a_newer_one(make_hub):
    hub = make_hub()
    before = held(hub)
    for age in (1, 2):
        hub.show("beta", {"mattbox": hub.sign("mattbox", age)})
        assert (hub.bindings(), hub.routes()) == before
    assert "shows an older pass; acme keeps it" in refused(hub, "beta")


def test_an_older_pass_of_the_holder_does_not_lower_what_it_takes_to_move_the_box(make_hub):
    hub = make_hub()
    before = held(hub)
    hub.show("acme", {"mattbox": hub.sign("mattbox", 2)})
    assert hub.bindings() == before[0]
    hub.show("beta", {"mattbox": hub.sign("mattbox", 1)})
    assert (hub.bindings(), hub.routes()) == before


def test_a_pass_is_good_to_the_last_second_of_its_third_hour(make_hub):
    hub = make_hub()
    made = hub.sign("mattbox")
    last = (HOUR + 3) * 3600 - 1
    hub.stop_clock(last)
    hub.show("acme", {"mattbox": made})
    assert hub.holder("mattbox") == "acme"
    hub.stop_clock(last + 1)
    hub.show("beta", {"mattbox": made})
    assert "expired" in refused(hub, "beta")
    until(lambda: hub.routes() == {}, "the route gone with its binding")
    assert hub.show("acme", {"mattbox": made})["routes"] == []
    assert hub.bindings() == {}
    assert "expired" in refused(hub, "acme")


def test_a_binding_that_has_expired_holds_nothing_against_an_older_hour(make_hub):
    hub = make_hub()
    held(hub)
    hub.stop_clock(NOW + 3 * 3600)
    hub.show("beta", {"mattbox": hub.sign("mattbox", 2)})
    assert hub.bindings() == {"mattbox": {"spoke": "beta", "epoch": HOUR + 1}}


def test_two_gateways_that_saw_one_pass_do_not_pull_the_box_to_and_fro(make_hub):
    hub = make_hub()
    shared = hub.sign("mattbox")
    hub.bind("acme", "mattbox")
    assert hub.bind("beta", "mattbox")["routes"] == [
        {"id": "mattbox", "domain": "mattbox.cloud.test"}]
    for _ in range(3):
        assert hub.show("acme", {"mattbox": shared})["routes"] == []
        assert hub.holder("mattbox") == "beta"
        hub.show("beta", {"mattbox": shared})
        assert hub.holder("mattbox") == "beta"
    assert "of the same hour, as it did before; beta keeps it" in refused(hub, "acme")
    hub.daemon.wait_line("mattbox moves from acme to beta")


def test_a_newer_pass_moves_the_box_back_to_a_gateway_that_listed_it_all_along(make_hub):
    hub = make_hub()
    hub.bind("acme", "mattbox")
    hub.show("beta", {"mattbox": None})
    hub.stop_clock(NOW + 3600)
    hub.bind("beta", "mattbox")
    assert hub.routes() == {"mattbox.cloud.test": "beta.mattbox"}


@pytest.mark.parametrize("hours", [1, 3, 24 * 365])
def test_a_clock_that_steps_back_moves_nothing(make_hub, hours):
    hub = make_hub()
    newest = hub.sign("mattbox")
    before = held(hub)
    hub.stop_clock(NOW - hours * 3600)
    # What was good for acme is from the future now: it neither binds nor releases.
    hub.show("acme", {"mattbox": newest})
    assert (hub.bindings(), hub.routes()) == before
    assert "from the future" in refused(hub, "acme")
    hub.show("beta", {"mattbox": newest})
    assert "from the future" in refused(hub, "beta")
    # And what was too old for a move is good now, and still too old.
    hub.show("beta", {"mattbox": hub.sign("mattbox")})
    assert "older pass; acme keeps it" in hub.refusals("beta", "mattbox")[1]
    assert (hub.bindings(), hub.routes()) == before


def test_a_start_under_a_clock_that_stepped_back_believes_no_binding_from_the_future(make_hub):
    hub = make_hub(boxes=["mattbox", "annabox"])
    hub.bind("acme", "mattbox")
    hub.bind("beta", "annabox", age=2)
    assert hub.stop() == 0
    hub.stop_clock(NOW - 3600)
    hub.start()
    assert set(hub.bindings()) == {"annabox"}
    assert hub.routes() == {"annabox.cloud.test": "beta.annabox"}
    hub.bind("acme", "mattbox")


def test_sixty_four_boxes_that_show_one_pass_get_nothing_by_it(make_hub):
    hub = make_hub()
    before = held(hub)
    stolen = hub.sign("mattbox")
    hub.show("beta", {f"b{n}": stolen for n in range(64)})
    assert (hub.bindings(), hub.routes()) == before
    for n in range(64):
        assert "never made for it" in refused(hub, "beta", f"b{n}")


def test_sixty_four_boxes_that_all_claim_one_domain_get_nothing_by_it(make_hub):
    hub = make_hub()
    before = held(hub)
    answer = hub.relay("beta", [{"id": "mattbox" if n == 0 else f"b{n}", "pass": hub.sign("mattbox"),
                                 "hostname": "mattbox.cloud.test"} for n in range(64)]).json()
    assert len(answer["refused"]) == 64 and answer["routes"] == []
    assert (hub.bindings(), hub.routes()) == before
    for box in ("mattbox", *(f"b{n}" for n in range(1, 64))):
        assert hub.log().count(f'beta may not bring "{box}": ') == 1
    # A box that is refused is not listed, whatever pass it shows.
    assert not hub.refusals("beta", "mattbox")


def test_a_pass_counts_only_with_the_entry_that_is_accepted(make_hub):
    hub = make_hub()
    good = hub.sign("mattbox")
    hub.relay("acme", [{"id": "mattbox", "hostname": "mattbox.elsewhere.test", "pass": good},
                       {"id": "mattbox", "hostname": "mattbox.acme.test"},
                       {"id": "mattbox", "hostname": "other.acme.test", "pass": good}])
    assert hub.bindings() == {}
    assert "without a pass" in refused(hub, "acme")


@pytest.mark.parametrize("rest", [{}, {"annabox": None}], ids=["empty", "without the box"])
def test_a_list_without_the_box_releases_it_only_when_it_is_the_holders(make_hub, rest):
    hub = make_hub(boxes=["mattbox", "annabox"])
    before = held(hub)
    hub.show("beta", rest)
    assert (hub.bindings(), hub.routes()) == before
    hub.show("acme", rest)
    assert hub.bindings() == {} and hub.routes() == {}
    hub.daemon.wait_line("mattbox is released by acme")
    until(lambda: not hub.routed_hosts(), "the router gone")


def test_a_list_with_the_box_and_without_its_pass_releases_it(make_hub):
    hub = make_hub()
    held(hub)
    hub.show("acme", {"mattbox": None})
    assert hub.bindings() == {} and hub.routes() == {}
    assert "without a pass; nobody holds it" in refused(hub, "acme")
    # Whoever shows its pass next has it.
    hub.bind("beta", "mattbox", age=2)


def test_a_gateway_that_is_taken_off_the_list_releases_its_boxes(make_hub):
    hub = make_hub()
    held(hub)
    hub.show("beta", {"mattbox": None})
    hub.list_tenants({"beta": {"relay_zone": "beta.test"},
                      "mattbox": {"hostname": "mattbox.cloud.test"}})
    until(lambda: hub.bindings() == {}, "nothing bound")
    assert hub.routes() == {}
    hub.daemon.wait_line("mattbox is released by acme: it is no gateway any more")
    # The same hour is no hindrance: nobody holds the box.
    hub.bind("beta", "mattbox")


def test_a_gateway_without_its_zone_releases_its_boxes(make_hub):
    hub = make_hub()
    held(hub)
    hub.list_tenants({"acme": {}, "beta": {"relay_zone": "beta.test"},
                      "mattbox": {"hostname": "mattbox.cloud.test"}})
    until(lambda: hub.bindings() == {}, "nothing bound")


def test_a_refusal_that_stays_the_same_is_said_once(make_hub):
    hub = make_hub()
    for _ in range(5):
        hub.show("beta", {"mattbox": "odd"})
    assert "not of a pass's shape" in refused(hub, "beta")
    hub.show("beta", {"mattbox": hub.sign("mattbox", 3)})
    assert "expired" in hub.refusals("beta", "mattbox")[1]
    hub.show("beta", {})
    hub.show("beta", {"mattbox": "odd"})
    assert len(hub.refusals("beta", "mattbox")) == 3


def test_a_box_that_a_gateway_may_not_bring_is_named_once_while_it_is_refused(make_hub):
    hub = make_hub()
    odd = 'x\ny"'
    for _ in range(3):
        hub.relay("beta", [("mattbox", "mattbox.cloud.test"), (odd, "odd.beta.test"),
                           ("good", "good.beta.test")])
    said = [line.split("losos-registrar: ")[-1] for line in hub.log().splitlines()
            if "beta may not bring" in line]
    assert len(said) == 2 and said[0].startswith('beta may not bring "mattbox": ')
    hub.relay("beta", [])
    hub.relay("beta", [("mattbox", "mattbox.cloud.test")])
    assert hub.log().count('beta may not bring "mattbox": ') == 2


def test_a_box_that_could_have_no_route_is_not_missed_for_its_pass(make_hub):
    hub = make_hub()
    hub.show("acme", {"stranger": None, "mattbox": None})
    assert not hub.refusals("acme", "stranger")
    assert "without a pass" in refused(hub, "acme")


def test_an_unauthorised_list_moves_nothing(make_hub):
    hub = make_hub()
    before = held(hub)
    for wrong in ({"token": "x" * 40}, {"appliance_id": "mattbox"}, {"appliance_id": "nobody"}):
        assert hub.relay("acme", [], **wrong).status in (401, 403)
    assert (hub.bindings(), hub.routes()) == before
