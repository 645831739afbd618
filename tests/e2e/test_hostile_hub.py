"""A hub that answers anything but what a hub answers: the tunnels live on, the status says why."""

import base64
import itertools
import json
import threading
import time

import pytest
from losos_lab import Lab, until
from losos_lab.impostor import Impostor
from losos_lab.witness import Witness
from losos_tools.stand_in import HangUp, reply

SECONDS = 30.0
PAGE = "the box"
OTHER_KEY = base64.b64encode(bytes(range(7, 39))).decode()
HALF_A_LIST = '{"accepted": [{"id": "mattbox", '
# What a status tells somebody to do about an error.
ADVICE = ("check the URL", "the next pass tries again", "give the URL", "\"losos-edge uplink")


def at_relay(answer):
    return {"/relay": answer}


def at_key(answer):
    return {"/noise-public-key": answer}


def kinds(silence):
    """What the hub does, and what of it the status says."""
    return {
        "bytes that are not HTTP": (at_relay(b"\x00\xffgarbage\r\n\r\n"), "is not HTTP"),
        "a page": (at_relay(reply(200, "<html>hello</html>")), "not JSON"),
        "half an answer": (at_relay(reply(200, {"accepted": []})[:-9]), "without a whole answer"),
        "half a list": (at_relay(reply(200, HALF_A_LIST)), "not JSON"),
        "a list without half of it": (at_relay(reply(200, {"accepted": []})), '"refused"'),
        "a 500": (at_relay(reply(500, "boom\n")), "with 500: boom"),
        "10 MB": (at_relay(reply(200, b"x" * 10_000_000)), "more than 256 KiB"),
        "a redirect": (at_relay(reply(302, Location="https://elsewhere.test/relay")), "redirect"),
        "a hang-up": (at_relay(HangUp), "without a whole answer"),
        "silence": (at_relay(silence), "no whole answer within 1s"),
        "another hub's key": (at_key(reply(200, OTHER_KEY)), "Noise key"),
        "no key at all": (at_key(reply(404, "nothing\n")), "Noise key"),
        "nonsense for a key": (at_key(reply(200, "nonsense")), "a Noise key is the base64"),
    }


@pytest.fixture(scope="module")
def lab():
    """A pass a second, and nothing ages meanwhile."""
    with Lab(timing={"uplink_every": 1.0}) as lab:
        lab.gateway.uplink_timeout = "1s"
        lab.start_edges()
        yield lab


def error_of(gateway):
    """What the last pass says, without a program of ours between."""
    try:
        return json.loads(gateway.uplink_status.read_text()).get("error") or ""
    except FileNotFoundError:
        return ""


def assert_status_says(gateway, words):
    said = gateway.status()["uplink"]["last_pass"]["error"] or ""
    line = next((line for line in gateway.losos_edge("status").out.splitlines()
                 if line.startswith("error: ")), "")
    for text in (said, line):
        assert words in text and any(advice in text for advice in ADVICE), text


def test_a_hostile_hub_costs_no_tunnel_and_the_status_names_what_it_did(lab, figure):
    gateway = lab.gateway
    box = lab.box("mattbox")
    box.come()
    lab.visitor.wait_status(box.hostname, 200, 30)
    until(lambda: gateway.status()["uplink"]["relaying"] == 1, "the hub to be believed")
    tunnels = gateway.uplink_toml.read_text()
    established = gateway.log_of_units().count("Control channel established")
    stop = threading.Event()

    def silence(_):
        stop.wait(5)
        return HangUp

    all_kinds = kinds(silence)
    seen = dict.fromkeys([*all_kinds, "an untrusted certificate"], 0)
    key = reply(200, lab.hub.noise_pub.read_text())
    start = time.monotonic()
    with Impostor(lab, lab.folder / "impostor") as hub, \
            Witness(lab.visitor, box.hostname, pause=0.02) as witness:
        for kind in itertools.cycle(seen):
            if time.monotonic() - start >= SECONDS and min(seen.values()) >= 2:
                break
            answers, words = all_kinds.get(kind, ({}, "certificate is not trusted"))
            hub.tls = hub.own if kind in all_kinds else hub.untrusted
            hub.answers = {"/noise-public-key": key, **answers}
            until(lambda w=words: w in error_of(gateway),
                  lambda k=kind: f"{k} to be named; {error_of(gateway)}")
            if not seen[kind]:
                assert_status_says(gateway, words)
            seen[kind] += 1
            assert gateway.uplink_toml.read_text() == tunnels
        stop.set()
        assert witness.outcomes() == {PAGE}
        asked = len(witness.since(0))
    figure(f"{sum(seen.values())} hostile answers in {time.monotonic() - start:.0f} s, and "
           f"{asked} visits beside them")
    assert gateway.log_of_units().count("Control channel established") == established

    until(lambda: gateway.status()["uplink"]["last_pass"]["error"] is None, "the hub to be back")
    assert lab.visitor.request(box.hostname).json()["page"] == PAGE


def test_a_record_of_the_last_pass_that_cannot_be_read_is_told(lab):
    gateway = lab.gateway
    gateway.stop_units()
    gateway.uplink_status.write_text("garbage")
    assert str(gateway.uplink_status) in gateway.status()["uplink"]["last_pass_fault"]
    text = gateway.losos_edge("status").out
    assert f"last pass: unknown: cannot use {gateway.uplink_status}" in text
    assert "none yet" not in text
