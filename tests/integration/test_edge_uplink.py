"""losos-edge uplink set, show and clear."""

import fcntl
import json
import time

import pytest
from losos_tools import (Daemon, HangUp, box, mode_of, read_json, reply, snapshot, token,
                         until, write_text)
from losos_tools.files import identity

ACCEPTED = reply(200, {"accepted": [], "refused": [], "routes": []})


@pytest.fixture
def hub(stand_in):
    return stand_in({"/health": reply(200, "ok"), "/relay": ACCEPTED})


def set_words(gateway, **changes):
    """A sound `uplink set`, with flags changed or, by None, left out."""
    named = write_text(gateway.folder / "named.token", token("acme") + "\n")
    flags = {"id": "acme", "token_file": named, "registrar": "https://hub.losos.test",
             "rathole": "hub.losos.test:2333", **changes}
    words = ["uplink", "set"]
    for name, value in flags.items():
        if value is not None:
            words += ["--" + name.replace("_", "-")] + ([] if value is True else [str(value)])
    return words


# --- set ---


def test_set_says_so_and_writes_files_for_their_owner_alone(gateway):
    bootstrap = write_text(gateway.folder / "boot", token("bootstrap"))
    done = gateway.edge(*set_words(gateway, bootstrap_token_file=bootstrap))
    assert (done.code, done.out, done.err) == (0, "uplink set: acme\n", "")
    assert read_json(gateway.uplink_json) == {
        "registrar_url": "https://hub.losos.test", "rathole_endpoint": "hub.losos.test:2333",
        "id": "acme", "token_file": str(gateway.uplink_token),
        "bootstrap_token_file": str(gateway.edge_dir / "uplink-bootstrap.token")}
    assert mode_of(gateway.edge_dir) == 0o700
    for name in ("uplink.json", "uplink.token", "uplink-bootstrap.token"):
        assert mode_of(gateway.edge_dir / name) == 0o600
    assert gateway.uplink_token.read_text() == token("acme") + "\n"


def test_set_prints_one_json_document_when_asked(gateway):
    done = gateway.edge(*set_words(gateway), "--json")
    assert json.loads(done.out) == {"set": "acme", "cleared": None}


def test_the_token_is_copied_so_that_the_operator_may_delete_theirs(gateway, hub):
    words = set_words(gateway, registrar=hub.url)
    assert gateway.edge(*words).code == 0
    (gateway.folder / "named.token").unlink()
    assert gateway.run_pass().code == 0
    assert hub.asked("/relay")[0].json()["token"] == token("acme")


@pytest.mark.parametrize("url", ["http://hub.losos.test", "http://198.51.100.7:8443",
                                 "http://[2001:db8::1]:8443", "http://8.8.8.8",
                                 "http://[::ffff:8.8.8.8]"])
def test_a_plain_registrar_on_a_public_address_is_refused(gateway, url):
    before = snapshot(gateway.folder)
    words = set_words(gateway, registrar=url)
    done = gateway.edge(*words)
    assert done.code == 2
    assert "https://" in done.err and "--insecure" in done.err
    (gateway.folder / "named.token").unlink()
    assert set(snapshot(gateway.folder)) == set(before)
    assert gateway.edge(*set_words(gateway, registrar=url, insecure=True)).code == 0


@pytest.mark.parametrize("url", ["http://127.0.0.1:8443", "http://[::1]:8443", "http://10.1.2.3",
                                 "http://192.168.1.1:80", "http://172.31.0.1", "http://hub.local",
                                 "http://[fd00::1]", "http://[fe80::1]", "https://8.8.8.8",
                                 "http://localhost:8443"])
def test_a_registrar_that_is_encrypted_or_near_is_taken(gateway, url):
    assert gateway.edge(*set_words(gateway, registrar=url)).code == 0


@pytest.mark.parametrize("changes", [
    {"id": None}, {"id": "ACME"}, {"id": "a.b"}, {"id": ""}, {"token_file": None},
    {"registrar": None}, {"registrar": "hub.test"}, {"registrar": "ftp://hub.test"},
    {"registrar": "https://hub.test/path"}, {"registrar": "https://user@hub.test"},
    {"registrar": "https://hub.test?x"}, {"rathole": None}, {"rathole": "hub.test"},
    {"rathole": "hub.test:0"}, {"rathole": "hub.test:99999"}, {"rathole": "http://hub.test:2333"},
    {"rathole": "a b:1"},
], ids=str)
def test_a_set_with_a_flag_missing_or_odd_is_wrong_usage_and_changes_nothing(gateway, changes):
    done = gateway.edge(*set_words(gateway, **changes))
    assert done.code == 2
    assert "--" + next(iter(changes)).replace("_", "-") in done.err
    assert not gateway.edge_dir.exists()


@pytest.mark.parametrize("flag", ["token_file", "bootstrap_token_file", "noise_public_key_file"])
@pytest.mark.parametrize("content", [None, "", "short"], ids=["missing", "empty", "short"])
def test_a_set_with_a_file_that_cannot_be_used_changes_nothing(gateway, hub, flag, content):
    gateway.set_uplink(hub.url)
    before = snapshot(gateway.edge_dir)
    bad = gateway.folder / "bad"
    if content is not None:
        write_text(bad, content)
    done = gateway.edge(*set_words(gateway, **{flag: bad}))
    assert done.code == 6
    assert f"--{flag.replace('_', '-')}: " in done.err and str(bad) in done.err
    assert snapshot(gateway.edge_dir) == before
    assert hub.requests == []


def test_a_relative_path_of_a_key_is_kept_as_an_absolute_one(gateway, tmp_path):
    words = set_words(gateway, noise_public_key_file="hub.pub")
    write_text(tmp_path / "hub.pub", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n")
    assert gateway.edge(*words, cwd=tmp_path).code == 0
    assert read_json(gateway.uplink_json)["noise_public_key_file"] == str(tmp_path / "hub.pub")


def test_the_same_uplink_set_again_keeps_tunnels_and_tells_the_hub_nothing(gateway, hub):
    gateway.set_uplink(hub.url)
    gateway.run_pass()
    before, asked = identity(gateway.uplink_toml), len(hub.requests)
    gateway.set_uplink(hub.url)
    assert identity(gateway.uplink_toml) == before
    assert len(hub.requests) == asked


def test_a_bootstrap_token_goes_when_the_uplink_is_set_without_one(gateway, hub):
    bootstrap = write_text(gateway.folder / "boot", token("bootstrap"))
    gateway.set_uplink(hub.url, "--bootstrap-token-file", bootstrap)
    gateway.set_uplink(hub.url)
    assert not (gateway.edge_dir / "uplink-bootstrap.token").exists()
    assert "bootstrap_token_file" not in read_json(gateway.uplink_json)


def test_a_move_to_another_hub_or_id_says_goodbye_to_the_old_one(gateway, hub, stand_in):
    other = stand_in({"/health": reply(200, "ok"), "/relay": ACCEPTED})
    gateway.set_uplink(hub.url)
    gateway.write_live([box("one")])
    gateway.run_pass()
    for path in (gateway.pin, gateway.pin_for):
        write_text(path, "an old pin")
    words = set_words(gateway, registrar=other.url, id="beta")
    done = gateway.edge(*words, "--json")
    assert json.loads(done.out) == {"set": "beta", "cleared": {
        "id": "acme", "registrar_url": hub.url, "hub_told": True}}
    farewell = hub.asked("/relay")[-1].json()
    assert farewell == {"appliance_id": "acme", "token": token("acme"), "tenants": []}
    for path in (gateway.uplink_toml, gateway.pin, gateway.pin_for):
        assert not path.exists()
    gateway.edge(*set_words(gateway, registrar=other.url, id="gamma"))
    assert other.asked("/relay")[-1].json()["appliance_id"] == "beta"


# --- show ---


def test_show_prints_uplink_json(gateway, hub):
    gateway.set_uplink(hub.url)
    for more in ([], ["--json"]):
        done = gateway.edge("uplink", "show", *more)
        assert (done.code, done.out) == (0, gateway.uplink_json.read_text())


def test_show_without_an_uplink_is_6_and_says_what_to_do(gateway):
    done = gateway.edge("uplink", "show")
    assert done.code == 6
    assert done.out == "" and "losos-edge uplink set" in done.err


# --- clear ---


def test_clear_empties_the_hub_and_leaves_nothing_behind(make_edge, gateway):
    hub = make_edge("hub", noise=True, tenants={"acme": {"relay_zone": "acme.test"}})
    bootstrap = write_text(gateway.folder / "boot", token("bootstrap"))
    gateway.set_uplink(hub.url, "--bootstrap-token-file", bootstrap)
    gateway.write_live([box("one"), box("two", 20001)])
    assert gateway.run_pass().code == 0
    assert len(hub.rows()) == 2 and gateway.pin.exists() and gateway.uplink_toml.exists()
    done = gateway.edge("uplink", "clear")
    assert (done.code, done.out, done.err) == (0, "uplink cleared: acme\n", "")
    assert hub.rows() == {}
    assert not gateway.uplink_toml.exists()
    assert [path.name for path in gateway.edge_dir.iterdir() if not path.name.startswith(".")] == []
    assert "uplink: not set" in gateway.edge("status").out


@pytest.mark.parametrize("command", ["clear", "set"])
def test_what_an_interrupted_command_left_is_removed_by_the_next(gateway, hub, command):
    gateway.set_uplink(hub.url)
    left = gateway.uplink_json.parent / ".uplink.token.4711-0123456789ab.tmp"
    write_text(left, token("acme"))
    if command == "set":
        gateway.set_uplink(hub.url)
    else:
        assert gateway.edge("uplink", "clear").code == 0
    assert not left.exists()


def test_clear_of_nothing_is_done_already(gateway):
    for _ in range(2):
        done = gateway.edge("uplink", "clear")
        assert (done.code, done.out) == (0, "uplink: not set\n")
    assert json.loads(gateway.edge("uplink", "clear", "--json").out) == {"cleared": None}


def test_clear_makes_nothing_where_no_directory_is(gateway):
    before = snapshot(gateway.folder)
    done = gateway.edge("uplink", "clear")
    assert (done.code, done.out) == (0, "uplink: not set\n")
    assert snapshot(gateway.folder) == before and not gateway.edge_dir.exists()


@pytest.mark.parametrize("command", ["clear", "set"])
def test_an_uplink_that_cannot_be_read_is_ended_and_nobody_is_told_to_restore_it(gateway, command):
    gateway.edge_dir.mkdir(mode=0o700)
    write_text(gateway.uplink_json, "{")
    words = ["uplink", "clear"] if command == "clear" else set_words(gateway)
    done = gateway.edge(*words)
    said = "uplink cleared\n" if command == "clear" else "uplink set: acme\n"
    assert (done.code, done.out) == (0, said)
    assert f"{gateway.uplink_json} cannot be read, so its hub is not told that it ends: " in done.err
    assert "byte 1" in done.err and "restore" not in done.err
    assert gateway.uplink_json.exists() is (command == "set")


@pytest.mark.parametrize("answer", [reply(503), reply(401), HangUp], ids=["503", "401", "hung-up"])
def test_a_hub_that_cannot_be_told_does_not_hold_clear_up(gateway, hub, answer):
    gateway.set_uplink(hub.url)
    hub.answers["/relay"] = answer
    done = gateway.edge("uplink", "clear", "--json")
    assert done.code == 0
    assert "could not be told" in done.err
    assert json.loads(done.out)["cleared"]["hub_told"] is False
    assert not gateway.uplink_json.exists()


def test_a_hub_that_is_silent_is_given_five_seconds(gateway, hub):
    hub.answers["/relay"] = lambda _: until(lambda: over, "the end of the test", 20) and HangUp
    over = []
    gateway.set_uplink(hub.url)
    start = time.monotonic()
    done = gateway.edge("uplink", "clear")
    over.append(True)
    assert done.code == 0
    assert 4.5 <= time.monotonic() - start <= 8
    assert not gateway.uplink_json.exists()


def test_an_uplink_that_cannot_be_read_can_still_be_cleared_and_set(gateway, hub):
    gateway.set_uplink(hub.url)
    write_text(gateway.uplink_json, "{")
    assert gateway.edge("uplink", "show").code == 6
    done = gateway.edge("uplink", "clear")
    assert done.code == 0
    assert str(gateway.uplink_json) in done.err
    assert not gateway.uplink_json.exists() and not gateway.uplink_token.exists()
    write_text(gateway.uplink_json, "{")
    gateway.set_uplink(hub.url)
    assert gateway.run_pass().code == 0


def test_set_and_clear_wait_for_a_pass_that_runs(gateway, hub):
    gateway.set_uplink(hub.url)
    with open(gateway.edge_dir / ".uplink.lock", "r+", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        clearing = Daemon(gateway.folder, "losos-edge", ["uplink", "clear", *gateway.edge_flags()])
        until(clearing.waits_for_lock, "clear to wait")
        assert gateway.uplink_json.exists()
        fcntl.flock(lock, fcntl.LOCK_UN)
    assert clearing.wait() == 0
    clearing.stop()
    assert not gateway.uplink_json.exists()
