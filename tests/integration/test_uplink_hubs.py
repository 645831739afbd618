"""losos-uplink against hubs that misbehave, and the hub's Noise key."""

import json
import time

import pytest
from losos_tools import (NOISE_KEY, OTHER_NOISE_KEY, Gateway, HangUp, box, mode_of, relay_pass, reply,
                         token, write_text)
from losos_tools.faults import STRIDE

NO_NOISE = {"/health": reply(200, "ok")}
LIMIT = 256 * 1024


def accept_all(request):
    rows = [{**row, "rathole_port": 30000 + n}
            for n, row in enumerate(request.json()["tenants"])]
    return reply(200, {"accepted": rows, "refused": [], "routes": []})


@pytest.fixture
def hub(stand_in):
    return stand_in({**NO_NOISE, "/relay": accept_all})


@pytest.fixture
def gateway(tmp_path, hub):
    """A gateway after a good pass to the hub, with one box."""
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    gateway.write_live([box("one", 20001)])
    assert gateway.run_pass().code == 0
    assert gateway.services() == {"acme.one": 20001}
    gateway.write_live([box("one", 20001), box("two", 20002)])
    return gateway


def accepted(*rows):
    return {"accepted": list(rows), "refused": [], "routes": []}


def accepted_row(name, **changes):
    return {"id": name, "hostname": f"{name}.acme.test", "rathole_port": 30000, **changes}


# --- answers of every kind ---


@pytest.mark.parametrize("status, code", [
    (401, 3), (403, 3), (409, 3), (429, 4), (500, 4), (502, 4), (503, 4), (400, 1), (404, 1),
    (405, 1), (413, 1), (422, 1), (301, 1), (302, 1),
])
def test_each_status_of_a_hub_has_its_exit_code(gateway, hub, status, code):
    hub.answers["/relay"] = reply(status, "the hub says why\n")
    done = gateway.run_pass()
    assert done.code == code, done
    assert str(status) in done.err and "the hub says why" in done.err
    assert gateway.services() == {"acme.one": 20001}


NONSENSE = {
    "garbage": (b"\x00\xff\x00nonsense\r\n\r\n", "what it said is not HTTP"),
    "no json": (reply(200, "<html>a captive portal</html>"), "not JSON: "),
    "a list": (reply(200, []), '"accepted" is missing'),
    "nothing accepted": (reply(200, {"refused": [], "routes": []}), '"accepted" is missing'),
    "accepted is text": (reply(200, {"accepted": "all", "refused": []}), "must be a list"),
    "an odd row": (reply(200, {"accepted": [7], "refused": []}), "accepted[0]"),
    "a port of none": (reply(200, accepted(accepted_row("two", rathole_port=0))), "rathole_port"),
    "an id of none": (reply(200, accepted(accepted_row("two", id="T W O"))), "accepted[0]: id"),
    "one twice": (reply(200, accepted(accepted_row("two"), accepted_row("two"))), "two twice"),
    "cut short": (reply(200, "{}" * 50)[:-60], "without a whole answer"),
    "hung up": (HangUp, "without a whole answer"),
    "empty": (reply(200), "there is nothing in it"),
    "no content": (reply(204), "an edge says 200 there"),
    "another success": (reply(201, {"accepted": [], "refused": []}), "an edge says 200 there"),
}


@pytest.mark.parametrize("kind", NONSENSE)
def test_an_answer_no_hub_would_give_is_4_named_and_adds_nothing(gateway, hub, kind):
    hub.answers["/relay"], words = NONSENSE[kind]
    done = gateway.run_pass()
    assert done.code == 4, done
    assert hub.url in done.err and words in done.err
    assert done.err.rstrip().endswith("; the next pass tries again")
    assert gateway.status()["error"] in done.err
    assert gateway.services() == {"acme.one": 20001}


def test_an_answer_that_is_cut_short_adds_nothing(gateway, hub):
    whole = json.dumps({**accepted(accepted_row("one"), accepted_row("two")),
                        "routes": [{"id": "two", "domain": "two.test"}]})
    for length in range(0, len(whole), 3 * STRIDE):
        hub.answers["/relay"] = reply(200, whole[:length])
        done = gateway.run_pass()
        assert done.code == 4 and hub.url in done.err, f"{whole[:length]!r}: {done}"
    assert gateway.services() == {"acme.one": 20001}
    hub.answers["/relay"] = reply(200, whole)
    assert gateway.run_pass().code == 0
    assert gateway.services() == {"acme.one": 20001, "acme.two": 20002}


def test_a_box_that_was_not_asked_for_is_not_believed(gateway, hub):
    hub.answers["/relay"] = reply(200, accepted(accepted_row("one"), accepted_row("stranger")))
    assert gateway.run_pass().code == 0
    assert gateway.services() == {"acme.one": 20001}


def test_an_answer_is_read_up_to_256_kib_and_no_further(gateway, hub):
    rows = accepted(accepted_row("one"), accepted_row("two"))
    text = str(rows).replace("'", '"')
    hub.answers["/relay"] = reply(200, text.ljust(LIMIT + 1))
    assert gateway.run_pass().code == 4
    assert gateway.services() == {"acme.one": 20001}
    hub.answers["/relay"] = reply(200, text.ljust(LIMIT))
    assert gateway.run_pass().code == 0
    assert gateway.services() == {"acme.one": 20001, "acme.two": 20002}


def test_an_answer_of_ten_megabytes_is_not_swallowed(gateway, hub):
    hub.answers["/relay"] = reply(200, b"x" * 10_000_000)
    start = time.monotonic()
    done = gateway.run_pass()
    assert done.code == 4
    assert "more than 256 KiB" in done.err
    assert time.monotonic() - start < 5


def test_a_redirect_is_not_followed_and_the_token_goes_nowhere_else(gateway, hub, stand_in):
    other = stand_in({"/relay": accept_all})
    for status in (301, 302, 303, 307, 308):
        hub.answers["/relay"] = reply(status, Location=f"{other.url}/relay")
        done = gateway.run_pass()
        assert done.code == 1 and "a redirect, which is not followed" in done.err
    assert other.requests == []
    assert gateway.services() == {"acme.one": 20001}


def test_a_hub_that_is_silent_or_slow_is_given_up_after_the_timeout(gateway, hub):
    def trickle(_):
        deadline = time.monotonic() + 8
        while time.monotonic() < deadline and not stop:
            time.sleep(0.05)
        return reply(200, accepted())

    stop = []
    hub.answers["/relay"] = trickle
    start = time.monotonic()
    done = gateway.run_pass("--timeout", "700ms")
    stop.append(True)
    assert done.code == 4
    assert "700ms" in done.err
    assert 0.6 <= time.monotonic() - start < 4


def test_what_a_hub_says_cannot_write_to_the_operators_terminal(gateway, hub):
    hub.answers["/relay"] = reply(503, "\x1b[31mred\x07\nsecond line\n")
    done = gateway.run_pass()
    assert "red" in done.err
    assert "\x1b" not in done.err and "\x07" not in done.err
    assert len(done.err.splitlines()) == 1


# --- the Noise key ---


def noise(key):
    return {"/health": reply(200, "ok"), "/noise-public-key": reply(200, key + "\n"),
            "/relay": accept_all}


@pytest.fixture
def pinned(tmp_path, stand_in):
    """(gateway, hub) after a first pass to a hub with Noise."""
    hub = stand_in(noise(NOISE_KEY))
    gateway = Gateway(tmp_path / "pinned")
    gateway.set_uplink(hub.url)
    gateway.write_live([box("one", 20001)])
    assert gateway.run_pass().code == 0
    return gateway, hub


def test_the_key_is_fetched_and_pinned_before_the_first_list_is_sent(pinned):
    gateway, hub = pinned
    assert gateway.pin.read_text() == NOISE_KEY + "\n"
    assert gateway.pin_for.read_text() == hub.url + "\n"
    assert mode_of(gateway.pin) == mode_of(gateway.pin_for) == 0o600
    assert [request.path for request in hub.requests] == ["/noise-public-key", "/relay"]
    assert gateway.uplink_toml.read_text().startswith(
        f'[client]\nremote_addr = "127.0.0.1:2333"\ndefault_token = "{token("acme")}"\n\n'
        f'[client.transport]\ntype = "noise"\n\n[client.transport.noise]\n'
        f'remote_public_key = "{NOISE_KEY}"\n')


def test_every_pass_compares_the_key(pinned):
    gateway, hub = pinned
    assert gateway.run_pass().code == 0
    assert len(hub.asked("/noise-public-key")) == 2


def test_a_changed_key_is_1_and_never_pinned_anew(pinned):
    gateway, hub = pinned
    hub.answers.update(noise(OTHER_NOISE_KEY))
    gateway.write_live([box("two", 20002)])
    for _ in range(2):
        done = gateway.run_pass()
        assert done.code == 1
        assert "has changed" in done.err and str(gateway.pin) in done.err
        assert "losos-edge uplink clear" in done.err
    assert gateway.pin.read_text() == NOISE_KEY + "\n"
    assert OTHER_NOISE_KEY not in gateway.uplink_toml.read_text()
    assert gateway.services() == {}
    assert len(hub.asked("/relay")) == 1


def test_the_way_out_of_a_changed_key_works(pinned):
    gateway, hub = pinned
    hub.answers.update(noise(OTHER_NOISE_KEY))
    assert gateway.run_pass().code == 1
    assert gateway.edge("uplink", "clear").code == 0
    gateway.set_uplink(hub.url)
    assert gateway.run_pass().code == 0
    assert gateway.pin.read_text() == OTHER_NOISE_KEY + "\n"


def test_a_404_is_a_changed_key_once_one_is_pinned(pinned):
    gateway, hub = pinned
    del hub.answers["/noise-public-key"]
    done = gateway.run_pass()
    assert done.code == 1
    assert "has changed" in done.err
    assert gateway.pin.read_text() == NOISE_KEY + "\n"
    assert f'remote_public_key = "{NOISE_KEY}"' in gateway.uplink_toml.read_text()


@pytest.mark.parametrize("answer", [reply(500), reply(503), reply(200, "no key"), reply(302), HangUp],
                         ids=["500", "503", "no-key", "302", "hung-up"])
def test_a_comparison_that_fails_is_a_hub_that_does_not_answer(pinned, answer):
    gateway, hub = pinned
    hub.answers["/noise-public-key"] = answer
    gateway.write_live([box("one", 20011), box("two", 20002)])
    done = gateway.run_pass()
    assert done.code == 4, done
    assert gateway.services() == {"acme.one": 20011}
    assert f'remote_public_key = "{NOISE_KEY}"' in gateway.uplink_toml.read_text()
    assert len(hub.asked("/relay")) == 1


@pytest.mark.parametrize("answers", [
    {"/noise-public-key": reply(500)}, {"/noise-public-key": reply(200, "no key")},
    {"/noise-public-key": HangUp}, {"/noise-public-key": reply(302, Location="/health")},
    {"/health": reply(200, "a captive portal")}, {"/health": reply(204)}, {"/health": reply(404)},
    {"/health": HangUp}, {"/noise-public-key": reply(401)},
], ids=lambda answers: ascii(next(iter(answers.items())))[:60])
def test_a_first_fetch_that_fails_is_4_and_makes_no_tunnel(tmp_path, stand_in, answers):
    hub = stand_in({**NO_NOISE, "/relay": accept_all, **answers})
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    gateway.write_live([box("one")])
    done = gateway.run_pass()
    assert done.code == 4, done
    assert hub.asked("/relay") == []
    assert not gateway.uplink_toml.exists()
    assert not gateway.pin.exists() and not gateway.pin_for.exists()


def test_a_404_without_a_pin_means_plain_tcp_where_health_is_ok_and_writes_nothing(gateway, hub):
    assert [request.path for request in hub.requests[:3]] == ["/noise-public-key", "/health", "/relay"]
    assert "noise" not in gateway.uplink_toml.read_text()
    assert not gateway.pin.exists() and not gateway.pin_for.exists()


def test_a_hub_that_turns_noise_on_later_is_pinned_then(gateway, hub):
    hub.answers.update(noise(NOISE_KEY))
    assert gateway.run_pass().code == 0
    assert gateway.pin.read_text() == NOISE_KEY + "\n"


def test_a_pin_of_another_hub_is_not_believed(pinned, stand_in):
    gateway, hub = pinned
    other = stand_in(noise(OTHER_NOISE_KEY))
    text = gateway.uplink_json.read_text()
    write_text(gateway.uplink_json, text.replace(hub.url, other.url))
    assert gateway.run_pass().code == 0
    assert gateway.pin.read_text() == OTHER_NOISE_KEY + "\n"
    assert gateway.pin_for.read_text() == other.url + "\n"


@pytest.mark.parametrize("missing", ["pin", "pin_for"])
def test_half_a_pin_is_none(pinned, missing):
    gateway, hub = pinned
    getattr(gateway, missing).unlink()
    assert gateway.run_pass().code == 0
    assert gateway.pin.read_text() == NOISE_KEY + "\n"
    assert gateway.pin_for.read_text() == hub.url + "\n"


def test_a_pin_that_cannot_be_read_is_no_reason_to_pin_anew(pinned):
    gateway, _ = pinned
    write_text(gateway.pin, "nonsense\n")
    done = gateway.run_pass()
    assert done.code == 6
    assert str(gateway.pin) in done.err
    assert gateway.pin.read_text() == "nonsense\n"


def test_a_key_the_operator_named_is_the_authority(tmp_path, stand_in):
    hub = stand_in(noise(NOISE_KEY))
    gateway = Gateway(tmp_path / "gateway")
    named = write_text(tmp_path / "hub.pub", NOISE_KEY + "\n")
    gateway.set_uplink(hub.url, "--noise-public-key-file", named)
    gateway.write_live([box("one")])
    assert gateway.run_pass().code == 0
    assert not gateway.pin.exists()
    assert f'remote_public_key = "{NOISE_KEY}"' in gateway.uplink_toml.read_text()

    hub.answers.update(noise(OTHER_NOISE_KEY))
    done = gateway.run_pass()
    assert done.code == 1
    assert "has changed" in done.err and str(named) in done.err
    write_text(named, OTHER_NOISE_KEY + "\n")
    assert gateway.run_pass().code == 0
    named.unlink()
    done = gateway.run_pass()
    assert done.code == 6
    assert str(named) in done.err


def test_a_real_hub_with_noise_is_pinned(make_edge, tmp_path):
    hub = make_edge("hub", noise=True, tenants={"acme": {"relay_zone": "acme.test"}})
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    gateway.write_live([box("one")])
    assert gateway.run_pass().code == 0
    assert gateway.pin.read_text() == (hub.etc / "noise.key.pub").read_text()
    assert gateway.run_pass().code == 0


def test_the_largest_legal_list_of_a_gateway_reaches_a_real_hub(make_edge, tmp_path):
    zone = ".".join(["z" * 63, "z" * 63, "z" * 61])
    hub = make_edge("hub", tenants={"acme": {"relay_zone": zone}})
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    names = [f"{n:02}".ljust(63, "x") for n in range(64)]
    gateway.write_live([{"id": name, "hostname": f"{name}.{zone}", "port": 20000 + n,
                         "pass": relay_pass("9" * 20)} for n, name in enumerate(names)])
    assert gateway.run_pass().code == 0
    assert gateway.services() == {f"acme.{name}": 20000 + n for n, name in enumerate(names)}
    assert gateway.status()["refused"] == [] and gateway.status()["left_out"] == []
    assert set(hub.rows()) == set(gateway.services())
