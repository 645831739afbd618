"""What a box fetches from its hub: its relay pass and its live domains, and who is told its token."""

import json
import threading
import time

import pytest
from losos_tools import HangUp, SigningKey, mode_of, read_json, relay_pass, reply, until, write_text
from losos_tools.files import identity
from losos_tools.identified import IdentifiedEdge
from losos_tools.process import JUDGES_COST

LIST = "/domains/list"
PASS = relay_pass(500_000)
TOKEN = "token-of-this-very-box-and-of-nobody-else"


def view(domains=None, **more):
    """A hub's answer; `domains` is {domain: status}."""
    rows = [{"domain": domain, "status": status, "txt_name": f"_losos-challenge.{domain}",
             "txt_value": "losos-domain-v1=" + "0" * 32, "txt_found": True, "points_here": True,
             "problem": None, "checked_at": 1800000000, "verified_at": None}
            for domain, status in (domains or {}).items()]
    return reply(200, {"eligible": True, "reason": None, "target": None, "addresses": [],
                       "max_domains": 5, "domains": rows, **more})


@pytest.fixture
def root(tmp_path):
    return SigningKey(tmp_path, "root")


@pytest.fixture
def hub(stand_in, tmp_path, root):
    """Official, and gives a pass."""
    return IdentifiedEdge(stand_in(), root, SigningKey(tmp_path, "edge"), {
        LIST: view({"www.example.net": "live", "cloud.example.org": "live", "b.example": "waiting"},
                   relay_pass=PASS)})


@pytest.fixture
def here(box, hub, tmp_path, root):
    """Makes a box whose configured edge is the hub."""
    def make(start=True, **flags):
        root_file = write_text(tmp_path / "root.pub", root.public + "\n", 0o644)
        made = box(hub.url, start=False,
                   **{"appliance_id": "mattbox", "public_names_file": tmp_path / "domains.json",
                      "root_key_file": root_file, **flags})
        made.names_file = tmp_path / "domains.json"
        made.pass_file = made.run_dir / "relay-pass"
        made.secrets.mkdir(mode=0o700)
        write_text(made.token_file, TOKEN + "\n")
        return made.start() if start else made
    return make


@pytest.fixture
def moved(here, hub, stand_in):
    """Makes a box on an earlier run's path to a gateway. It has fetched once; leave() takes the
    gateway away, which changes its path, and the hub is asked again."""
    def make(gateway=None):
        gateway = gateway or stand_in({"/health": reply(200, "ok")})
        made = here(start=False)
        made.run_dir.mkdir()
        write_text(made.env_file, f"LOSOS_EDGE_PATH_URL={gateway.url}\n"
                   f"LOSOS_EDGE_PATH_RATHOLE=127.0.0.1:{gateway.port}\n"
                   f"LOSOS_EDGE_PATH_SOURCE=lan\n"
                   f"LOSOS_EDGE_PATH_NOISE_PUB={made.pins_dir}/gateway.pub\n", 0o644)
        made.start()
        hub.server.wait_asked(LIST)
        made.leave = gateway.close
        return made
    return make


def wait_pass(box, text=PASS):
    until(lambda: box.pass_file.exists() and box.pass_file.read_text() == text + "\n", "the pass")


def wait_names(box, *names):
    until(lambda: box.names_file.exists() and read_json(box.names_file) == {
        "domains": list(names)}, f"the names {names}")


# --- what is fetched ---


def test_the_hub_is_asked_with_id_and_token_and_pass_and_live_domains_are_written(here, hub):
    box = here()
    wait_pass(box)
    wait_names(box, "cloud.example.org", "www.example.net")
    assert mode_of(box.pass_file) == 0o600 and mode_of(box.names_file) == 0o644
    asked = hub.server.asked(LIST)[0]
    assert asked.method == "POST"
    assert asked.json() == {"appliance_id": "mattbox", "token": TOKEN}


def test_nothing_a_box_shows_or_says_holds_its_pass_or_its_token(here):
    box = here()
    wait_pass(box)
    box.daemon.wait_line("live custom domains of this box: cloud.example.org, www.example.net")
    shown = [box.get("/api/edge").text, box.get("/api/gates").text, box.daemon.log(),
             box.names_file.read_text(), " ".join(box.daemon.all_notes())]
    shown += [path.read_text() for path in box.run_dir.iterdir() if path != box.pass_file]
    for secret in (PASS.rsplit(".", 1)[1], TOKEN):
        assert [text for text in shown if secret in text] == []


def test_a_next_view_replaces_what_changed_and_nothing_else(here, hub):
    box = here()
    wait_pass(box)
    wait_names(box, "cloud.example.org", "www.example.net")
    before = identity(box.names_file)
    hub.server.answers[LIST] = view({"cloud.example.org": "live", "www.example.net": "live"},
                                    relay_pass=relay_pass(500_001))
    box.restart()
    wait_pass(box, relay_pass(500_001))
    assert identity(box.names_file) == before
    hub.server.answers[LIST] = view({"cloud.example.org": "live"}, relay_pass=relay_pass(500_001))
    box.restart()
    wait_names(box, "cloud.example.org")
    hub.server.answers[LIST] = view()
    box.restart()
    wait_names(box)
    box.daemon.wait_line("gives this box no relay pass any more")
    assert not box.pass_file.exists()


# --- who is told the token ---


def test_a_hub_that_is_not_official_is_told_nothing(here, hub):
    hub.certificate = {**hub.certificate, "url": "https://edge.losos.test"}
    box = here()
    box.daemon.wait_line(f"{hub.url} .*")
    hub.server.wait_asked("/health", 3)
    until(lambda: hub.nonces, "the question who it is")
    assert hub.server.asked(LIST) == [] and not box.pass_file.exists()


@pytest.mark.parametrize("flags", [{"root_key_file": None}, {"no_drive": True},
                                   {"appliance_id": None}], ids=lambda each: next(iter(each)))
def test_without_root_key_id_or_tunnel_nobody_is_asked(here, hub, flags):
    box = here(**flags)
    if "root_key_file" in flags:
        box.wait_url(hub.url)
    else:
        until(lambda: box.document()["official"], "an official edge")
    hub.server.wait_asked("/health", 3)
    assert hub.server.asked(LIST) == []
    assert not box.pass_file.exists() and not box.names_file.exists()


def test_another_official_edge_than_the_configured_one_is_told_nothing(moved, hub, stand_in, root,
                                                                      tmp_path):
    other = IdentifiedEdge(stand_in(), root, SigningKey(tmp_path, "other"), {LIST: view()})
    box = moved(gateway=other.server)
    until(lambda: {each["url"] for each in box.document()["edges"] if each["official"]}
          == {other.url, hub.url}, "two official edges")
    assert box.url() == other.url
    assert other.server.asked(LIST) == []


def test_whoever_took_the_place_of_the_hub_since_is_told_nothing(moved, hub):
    box = moved()
    wait_pass(box)
    stolen = hub.server.answers["/identity"]
    hub.server.answers["/identity"] = reply(404)
    box.leave()
    box.daemon.wait_line(f"{hub.url} .*; it is not asked for the domains of this box")
    assert len(hub.server.asked(LIST)) == 1
    assert box.document()["official"], "judged a while ago, and not asked again so far"
    assert box.pass_file.read_text() == PASS + "\n"
    hub.server.answers["/identity"] = stolen


# --- answers that are no view ---


@pytest.mark.parametrize("answer, said", [
    (HangUp, "did not answer"),
    (reply(401, f"no {TOKEN} here\n"), "answered /domains/list with 401: no <secret> here; ask whoever"),
    (reply(503, f"not offered; {PASS}\n"), "with 503: not offered"),
    (reply(404), "with 404"),
    (reply(302, "", Location="/health"), "a redirect, which is not followed"),
    (reply(200, "ok"), "not as an edge does"),
    (reply(200, {"domains": [{"domain": "*", "status": "live"}], "relay_pass": PASS}), "\"domain\""),
    (view(relay_pass="v2.500000.00"), "\"relay_pass\""),
    (view({f"d{number}.example": "live" for number in range(101)}), "more than 100"),
    (reply(200, "[" * 300_000), "answered more than 256 KiB"),
    (reply(204), "an edge says 200 there|not as an edge does"),
], ids=["none", "refused", "busy", "unknown", "redirect", "text", "domain", "pass", "many", "large",
        "empty"])
def test_what_is_no_view_changes_nothing_and_is_said(here, hub, answer, said):
    box = here()
    wait_pass(box)
    wait_names(box, "cloud.example.org", "www.example.net")
    before = identity(box.pass_file), identity(box.names_file)
    hub.server.answers[LIST] = answer
    box.restart()
    box.daemon.wait_line(f"{said}.*; trying again")
    assert (identity(box.pass_file), identity(box.names_file)) == before
    assert TOKEN not in box.daemon.log() and PASS.rsplit(".", 1)[1] not in box.daemon.log()
    until(lambda: box.gate("sharing").code == 0, "sharing to be allowed as before")


def test_a_box_whose_token_cannot_be_read_asks_nobody(here, hub):
    box = here(start=False)
    write_text(box.token_file, "short\n")
    box.start()
    box.daemon.wait_line(f"{box.token_file}.*; trying again")
    hub.server.wait_asked("/health", 3)
    assert hub.server.asked(LIST) == []


def test_names_that_cannot_be_written_cost_the_pass_nothing(here, tmp_path):
    box = here(public_names_file=tmp_path / "nowhere" / "domains.json")
    wait_pass(box)
    box.daemon.wait_line("nowhere.*; trying again")
    assert box.pass_file.exists()


# --- the path ---


def test_a_changed_path_asks_again_with_the_token_as_it_is_now(moved, hub):
    box = moved()
    wait_pass(box)
    hub.server.answers[LIST] = view(relay_pass=relay_pass(500_001))
    another = "another-token-of-this-very-box-from-now-on"
    write_text(box.token_file, another + "\n")
    box.leave()
    box.wait_url(hub.url)
    wait_pass(box, relay_pass(500_001))
    assert [asked.json()["token"] for asked in hub.server.asked(LIST)] == [TOKEN, another]


def test_a_hub_that_is_slow_to_answer_holds_up_no_path_and_is_asked_once_more(moved, hub):
    answers, release = [view(relay_pass=relay_pass(500_001)), view(relay_pass=PASS)], threading.Event()
    def slow(_):
        release.wait(30)
        return answers.pop()
    hub.server.answers[LIST] = slow
    box = moved()
    hub.server.wait_asked(LIST, 1)
    box.leave()
    box.wait_url(hub.url)
    assert json.loads(box.get("/api/edge").text)["path"]["url"] == hub.url
    assert not box.pass_file.exists()
    release.set()
    wait_pass(box, relay_pass(500_001))
    assert len(hub.server.asked(LIST)) == 2


def test_a_stop_waits_for_no_answer_of_the_hub(here, hub):
    release = threading.Event()
    hub.server.answers[LIST] = lambda request: release.wait(30) and reply(503)
    box = here()
    hub.server.wait_asked(LIST)
    begun = time.monotonic()
    assert box.daemon.stop() == 0
    # An answer has five seconds.
    took = time.monotonic() - begun
    release.set()
    assert took < 3.5 or not JUDGES_COST
