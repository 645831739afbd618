"""A state file cut at any byte: it is whole, or refused by name and byte, or costs only itself; and
never is it overwritten before somebody has looked at it."""

import itertools
import re
import shutil

import pytest
from losos_tools import (NOISE_KEY, Gateway, box, read_json, relay_pass, reply, run, token, until,
                         write_json, write_text)
from losos_tools.announcing import Box
from losos_tools.faults import STRIDE
from losos_tools.process import ROOT


@pytest.fixture
def hub(stand_in):
    return stand_in({"/health": reply(200, "ok"), "/register": reply(200, {"rathole_port": 20000}),
                     "/relay": reply(200, {"accepted": [], "refused": [], "routes": []}),
                     "/noise-public-key": reply(200, NOISE_KEY + "\n")})


def cuts(path):
    """Cuts the file before each of its bytes in turn, the last but for a line feed left out: without
    that it is whole. Puts it back at the end."""
    whole = path.read_text(encoding="utf-8")
    for length in range(0, len(whole.rstrip("\n")), STRIDE):
        write_text(path, whole[:length], path.stat().st_mode & 0o777)
        yield whole[:length]
    write_text(path, whole, path.stat().st_mode & 0o777)


def check_refused(path, text, done):
    assert done.code == 6, f"cut to {text!r}: {done}"
    assert str(path) in done.err, f"cut to {text!r}: {done}"
    byte = re.search(r"\(?byte (\d+)", done.err)
    assert byte and int(byte[1]) <= len(text), f"cut to {text!r}: {done}"
    assert path.read_text(encoding="utf-8") == text, f"{done}"


@pytest.mark.parametrize("which", ["registry_file", "tenants_file", "enrolled"])
def test_what_the_registrar_cannot_do_without_stops_its_start(make_edge, which):
    edge = make_edge(start=False, enrol=True, tenants={"a": {"relay_zone": "a.test"}})
    edge.enrol_dir.mkdir(0o700)
    write_text(edge.enrol_dir / "b.token", token("b"))
    write_json(edge.enrol_dir / "tenants.json", {
        "b": {"hostname": "b.losos.test", "token_file": str(edge.enrol_dir / "b.token")}})
    write_json(edge.registry_file, {
        "tenants": {"a": {"hostname": "a.losos.test", "port": 20000},
                    "a.x": {"hostname": "x.a.test", "port": 20001, "via": "a"}},
        "compute_windows": {}, "resting": {"20002": {"id": "b", "until": 5}}})
    path = edge.enrol_dir / "tenants.json" if which == "enrolled" else getattr(edge, which)
    for text in cuts(path):
        check_refused(path, text, edge.start_and_fail())
    edge.start()
    assert set(edge.rows()) == {"a", "a.x"}


def test_claims_to_domains_stop_its_start_as_well(make_official):
    mine = make_official(start=False)
    shutil.copy(ROOT / "tests" / "golden" / "domains-file" / "two.json", mine.domains_file)
    mine.domains_file.chmod(0o600)
    for text in itertools.islice(cuts(mine.domains_file), None, None, 8):
        check_refused(mine.domains_file, text, mine.edge.start_and_fail())
    mine.edge.start()
    assert list(mine.seen("mattbox")) == ["cloud.example.org", "www.example.net"]


def test_a_vouch_file_costs_nobody_a_domain_and_is_left_alone(make_official):
    mine = make_official(start=False)
    mine.vouch("mattbox")
    for text in itertools.islice(cuts(mine.vouch_file), None, None, 2):
        done = run("losos-registrar", "check", *mine.edge.arguments())
        assert done.code == 0 and f"cannot use {mine.vouch_file}" in done.err, f"cut to {text!r}"
        check_refused(mine.vouch_file, text, run("losos-registrar", "vouch", "list",
                                                 "--vouch-file", mine.vouch_file))


def test_a_zone_is_made_anew_and_its_serial_does_not_go_back(make_official):
    mine = make_official()
    before = mine.serial()
    assert mine.edge.stop() == 0
    for text in itertools.islice(cuts(mine.zone_file), None, None, 16):
        mine.edge.start()
        until(lambda: "ns2.losos.example. IN A " in mine.zone(), f"the zone that was cut to {text!r}")
        assert mine.serial() >= before, f"cut to {text!r}"
        mine.edge.daemon.kill()


def test_live_json_costs_the_registrar_only_its_passes_and_sends_nothing(make_edge, tmp_path, hub):
    edge = make_edge(start=False, tenants=["a"])
    write_json(edge.registry_file, {"tenants": {"a": {"hostname": "a.losos.test", "port": 20000}}})
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    for path in (edge.live_file, gateway.live_file):
        write_json(path, {"boxes": [{"id": "a", "hostname": "a.losos.test", "port": 20000,
                                     "pass": relay_pass(480000)}]})
    for text in cuts(edge.live_file):
        done = run("losos-registrar", "check", *edge.arguments())
        assert done.code == 0 and f"{edge.live_file}: " in done.err, f"cut to {text!r}: {done}"
        assert "will send their passes again" in done.err and "losos_a" in done.out
    for text in cuts(gateway.live_file):
        done = gateway.run_pass()
        check_refused(gateway.live_file, text, done)
        assert '"systemctl restart losos-registrar"' in done.err, done
    assert hub.asked("/relay") == []


def test_uplink_json_stops_a_pass_and_keeps_the_tunnels(tmp_path, hub):
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    gateway.write_live([box("a")])
    assert gateway.run_pass().code == 0
    tunnels = gateway.uplink_toml.read_bytes()
    for text in cuts(gateway.uplink_json):
        check_refused(gateway.uplink_json, text, gateway.run_pass())
        shown = gateway.edge("uplink", "show")
        assert shown.code == 6 and str(gateway.uplink_json) in shown.err, shown
    assert gateway.uplink_toml.read_bytes() == tunnels


@pytest.mark.parametrize("which", ["pin", "pin_for", "uplink_token"])
def test_a_secret_of_the_uplink_is_whole_or_refused(tmp_path, hub, which):
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    gateway.write_live([])
    assert gateway.run_pass().code == 0
    path = getattr(gateway, which)
    others = {"pin": 6, "pin_for": (0, 6), "uplink_token": 6}[which]
    for text in cuts(path):
        done = gateway.run_pass()
        if which == "uplink_token" and len(text) >= 32:
            # Long enough to be a token; that it is another one is for the hub to say.
            assert done.code == 0
        elif which == "pin_for" and done.code == 0:
            # The key of another hub is no pin of this one: it is seen for the first time.
            assert gateway.pin_for.read_text().strip() == hub.url
        else:
            assert done.code == 6 and str(path) in done.err, f"cut to {text!r}: {others}, {done}"
            assert path.read_text() == text
            assert which == "uplink_token" or '"losos-edge uplink clear"' in done.err, done
            assert token("acme") not in done.err and NOISE_KEY not in done.err


def test_what_the_last_pass_met_costs_only_itself(tmp_path, hub):
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    gateway.write_live([])
    assert gateway.run_pass().code == 0
    for text in cuts(gateway.pass_file):
        shown = gateway.edge("status")
        assert shown.code == 0 and str(gateway.pass_file) in shown.out + shown.err, f"{text!r} {shown}"
        assert gateway.pass_file.read_text() == text
        done = gateway.run_pass()
        assert done.code == 0 and str(gateway.pass_file) in done.err, f"cut to {text!r}: {done}"
        assert gateway.status()["error"] is None


@pytest.mark.parametrize("which", ["announced", "refused"])
def test_what_a_box_noted_costs_only_itself(tmp_path, hub, which):
    box = Box(tmp_path / "box")
    note = {"announced": {"url": "http://127.0.0.1:9", "at": 1},
            "refused": {"http://127.0.0.1:9": {"status": 401, "at": 1}}}[which]
    path = write_json(getattr(box, which), note)
    for text in cuts(path):
        done = box.once("--registrar-url", hub.url)
        assert done.code == 0 and str(path) in done.err, f"cut to {text!r}: {done}"
        assert read_json(box.announced)["url"] == hub.url


def test_a_path_is_whole_or_refused(tmp_path, hub):
    box = Box(tmp_path / "box")
    box.write_path(hub.url)
    last = "LOSOS_EDGE_PATH_NOISE_PUB=e"
    for text in cuts(box.path_env):
        done = box.once()
        # The last value cut short is the name of another pin, and no mistake anybody could see.
        if last in text:
            assert done.code == 0, f"cut to {text!r}: {done}"
        else:
            assert done.code == 6 and str(box.path_env) in done.err, f"cut to {text!r}: {done}"
        assert box.path_env.read_text() == text


@pytest.mark.parametrize("which", ["private", "public", "bootstrap", "tenant"])
def test_a_key_or_token_of_the_registrar_is_whole_or_refused(make_edge, which):
    edge = make_edge(start=False, tenants=["a"], noise=True)
    path = {"private": edge.noise_key, "public": edge.noise_key.with_name("noise.key.pub"),
            "bootstrap": edge.bootstrap, "tenant": edge.token_file("a")}[which]
    for text in cuts(path):
        done = run("losos-registrar", "check", *edge.arguments())
        long_enough = which in ("bootstrap", "tenant") and len(text) >= 32
        wanted = 0 if long_enough or which == "tenant" else 6
        assert done.code == wanted, f"cut to {text!r}: {done}"
        assert long_enough or str(path) in done.err, f"cut to {text!r}: {done}"
        assert path.read_text() == text


def test_a_status_that_vouches_for_nothing_sends_nothing(tmp_path, hub):
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    gateway.write_live([box("a")])
    for text in cuts(gateway.status_file):
        done = gateway.run_pass()
        assert done.code == 0 and str(gateway.status_file) in done.err, f"cut to {text!r}: {done}"
        shown = gateway.edge("status")
        assert shown.code == 0 and str(gateway.status_file) in shown.out + shown.err, shown
        assert gateway.status_file.read_text() == text
    assert hub.asked("/relay") == []


@pytest.mark.parametrize("which", ["uplink_toml", "hub_routes"])
def test_what_a_pass_renders_is_made_anew(tmp_path, hub, which):
    hub.answers["/relay"] = reply(200, {
        "accepted": [{"id": "a", "hostname": "a.acme.test", "rathole_port": 21000}], "refused": [],
        "routes": [{"id": "a", "domain": "a.test"}]})
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    gateway.write_live([box("a")])
    assert gateway.run_pass().code == 0
    path = getattr(gateway, which)
    whole = path.read_bytes()
    for text in cuts(path):
        assert gateway.run_pass().code == 0, f"cut to {text!r}"
        assert path.read_bytes() == whole, f"cut to {text!r}"


@pytest.mark.parametrize("which", ["server_toml", "losos_yml", "live_file"])
def test_what_the_registrar_renders_is_made_anew(make_edge, which):
    edge = make_edge(tenants=["a"])
    assert edge.register("a").status == 200
    until(edge.routers, "the router")
    assert edge.stop() == 0
    path = getattr(edge, which)
    whole = path.read_bytes()
    # Nothing in them is believed, so some cuts stand for all.
    for text in itertools.islice(cuts(path), None, None, 8):
        edge.start()
        until(lambda: path.read_bytes() == whole, f"the file whole that was cut to {text!r}")
        edge.daemon.kill()


def test_a_relay_pass_is_whole_or_not_sent(tmp_path, hub):
    box = Box(tmp_path / "box")
    write_text(box.pass_file, relay_pass(480000) + "\n")
    for text in cuts(box.pass_file):
        done = box.once("--registrar-url", hub.url)
        assert done.code == 0 and str(box.pass_file) in done.err, f"cut to {text!r}: {done}"
        assert "relay_pass" not in hub.asked("/register")[-1].json()
        assert len(text) < 20 or text not in done.err


@pytest.mark.parametrize("which", ["pin", "bootstrap", "token"])
def test_what_a_boxs_tunnel_needs_is_whole_or_refused(tmp_path, hub, which):
    files = {name: write_text(tmp_path / name, text + "\n") for name, text in (
        ("pin", NOISE_KEY), ("bootstrap", token("bootstrap")), ("token", token("box")))}
    output = tmp_path / "out" / "client.toml"
    words = ["client-config", "--appliance-id", "box", "--path-env", tmp_path / "env", "--token-file",
             files["token"], "--bootstrap-token-file", files["bootstrap"], "--noise-public-key-file",
             files["pin"], "--pins-dir", tmp_path / "pins", "--output", output, "--registrar-url",
             hub.url, "--edge-rathole-endpoint", "edge.test:2333"]
    for text in cuts(files[which]):
        done = run("lososd-pathd", *words)
        # What is long enough to be a token is for the edge to refuse.
        wanted = 0 if which != "pin" and len(text) >= 32 else 6
        assert done.code == wanted, f"cut to {text!r}: {done}"
        assert wanted == 0 or str(files[which]) in done.err and not output.exists(), done
        assert files[which].read_text() == text
        output.unlink(missing_ok=True)


def test_a_boxs_tunnel_file_is_made_anew(tmp_path, hub):
    secret = write_text(tmp_path / "token", token("box") + "\n")
    output = tmp_path / "out" / "client.toml"
    words = ["client-config", "--appliance-id", "box", "--path-env", tmp_path / "env", "--token-file",
             secret, "--bootstrap-token-file", secret, "--noise-public-key-file", tmp_path / "pin",
             "--pins-dir", tmp_path / "pins", "--output", output, "--registrar-url", hub.url,
             "--edge-rathole-endpoint", "edge.test:2333"]
    assert run("lososd-pathd", *words).code == 0
    whole = output.read_bytes()
    for text in itertools.islice(cuts(output), None, None, 4):
        assert run("lososd-pathd", *words).code == 0, f"cut to {text!r}"
        assert output.read_bytes() == whole, f"cut to {text!r}"
