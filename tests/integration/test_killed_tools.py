"""kill -9 between any two steps of the tools that run once, and each of these steps failing."""

import json

import pytest
from losos_tools import (NOISE_KEY, Gateway, SigningKey, box, read_json, reply, run, token, until,
                         write_json, write_text)
from losos_tools.announcing import Box
from losos_tools.once import Scenario

WALKS = pytest.mark.parametrize("walk", ["killed", "failing"])


@pytest.fixture
def tmp_path(memory_disk):
    return memory_disk


def take(walk, scenario, harmless=()):
    if walk == "killed":
        scenario.kill_at_every_step(harmless)
    else:
        scenario.fail_at_every_step(harmless)


# --- losos-registrar ---


@WALKS
def test_seed(tmp_path, walk):
    def prepare(folder):
        secret = write_text(folder / "bootstrap", token("bootstrap"))
        return "losos-registrar", ["seed", "--rathole-config", folder / "server.toml",
                                   "--rathole-bind-addr", "127.0.0.1",
                                   "--rathole-bind-port", "2333", "--bootstrap-token-file", secret]

    take(walk, Scenario(tmp_path, prepare))


def without_keys(files):
    return {name: (mode, content and len(content)) for name, (mode, content) in files.items()}


@WALKS
def test_noise_keygen(tmp_path, walk):
    def prepare(folder):
        return "losos-registrar", ["noise", "keygen", "--noise-private-key-file", folder / "key"]

    take(walk, Scenario(tmp_path, prepare, alike=without_keys))


@WALKS
def test_identity_keygen(tmp_path, walk):
    def prepare(folder):
        return "losos-registrar", ["identity", "keygen", "--root", "--identity-key-file",
                                   folder / "root.key"]

    take(walk, Scenario(tmp_path, prepare, alike=without_keys))


@WALKS
def test_identity_install(tmp_path, walk):
    key = SigningKey(tmp_path, "edge")
    old, new = (SigningKey(tmp_path, "root").certificate(name, "https://edge.test", key.public,
                                                         4000000000) for name in ("old", "new"))

    def prepare(folder):
        write_json(folder / "cert.json", old, 0o644)
        return "losos-registrar", [
            "identity", "install", "--identity-key-file", write_text(folder / "key", key.seed),
            "--identity-cert-file", folder / "cert.json"]

    take(walk, Scenario(tmp_path, prepare, given=json.dumps(new)))


def enrolled(folder, *names):
    directory = folder / "enrolled"
    directory.mkdir(0o700)
    write_text(directory / ".lock", "")
    rows = {}
    for name in names:
        path = write_text(directory / f"{name}.token", token(name) + "\n")
        rows[name] = {"hostname": f"{name}.losos.test", "token_file": str(path)}
    write_json(directory / "tenants.json", rows)
    return directory


FORGET = {"losos-registrar": lambda directory: ["enrol", "forget", "b", "--dir", directory],
          "losos-edge": lambda directory: ["forget", "b", "--enrol-dir", directory,
                                           "--state-dir", directory.parent]}


@pytest.mark.parametrize("tool", FORGET)
@WALKS
def test_forget(tmp_path, tool, walk):
    def prepare(folder):
        return tool, FORGET[tool](enrolled(folder, "a", "b", "c"))

    take(walk, Scenario(tmp_path, prepare, done_before="no box b"))


# --- losos-edge and losos-uplink ---


@pytest.fixture
def hub(stand_in):
    def accept(request):
        rows = [{"id": row["id"], "hostname": row["hostname"], "rathole_port": 21000}
                for row in request.json()["tenants"]]
        return reply(200, {"accepted": rows, "refused": [],
                           "routes": [{"id": row["id"], "domain": "x.test"} for row in rows]})

    return stand_in({"/health": reply(200, "ok"), "/relay": accept,
                     "/noise-public-key": reply(200, NOISE_KEY + "\n")})


def set_words(gateway, url, name="acme"):
    named = write_text(gateway.folder / f"{name}.token", token(name) + "\n")
    return ["uplink", "set", "--id", name, "--token-file", named, "--registrar", url, "--rathole",
            "127.0.0.1:2333", "--bootstrap-token-file", named, *gateway.edge_flags()]


@WALKS
def test_the_first_uplink_set(tmp_path, hub, walk):
    def prepare(folder):
        gateway = Gateway(folder)
        return "losos-edge", set_words(gateway, hub.url)

    take(walk, Scenario(tmp_path, prepare))


@WALKS
def test_an_uplink_set_to_another_hub(tmp_path, hub, stand_in, walk):
    old = stand_in(hub.answers)

    def prepare(folder):
        gateway = Gateway(folder)
        run("losos-edge", *set_words(gateway, old.url, "before"))
        gateway.write_live([box("a")])
        assert gateway.run_pass().code == 0
        return "losos-edge", set_words(gateway, hub.url)

    # The old uplink ends before the new one begins: in between there is none, never a mixed one.
    scenario = Scenario(tmp_path, prepare, gaps=["edge/uplink.json", "edge/uplink.token",
                                                 "edge/uplink-bootstrap.token"])
    take(walk, scenario)
    for each, foreign in ((old, "acme"), (hub, "before")):
        assert not any(token(foreign).encode() in request.body for request in each.requests)


def set_gateway(folder, hub, *boxes):
    """A gateway whose uplink is set to the hub, with these boxes behind it."""
    gateway = Gateway(folder)
    run("losos-edge", *set_words(gateway, hub.url))
    gateway.write_live(list(boxes))
    return gateway


@WALKS
def test_an_uplink_cleared(tmp_path, hub, walk):
    def prepare(folder):
        gateway = set_gateway(folder, hub, box("a"))
        assert gateway.run_pass().code == 0
        return "losos-edge", ["uplink", "clear", *gateway.edge_flags()]

    take(walk, Scenario(tmp_path, prepare))


@WALKS
def test_the_first_pass_pins_the_hub(tmp_path, hub, walk):
    def prepare(folder):
        gateway = set_gateway(folder, hub, box("a"), box("b", 20001))
        return "losos-uplink", gateway.pass_flags()

    take(walk, Scenario(tmp_path, prepare), harmless=["uplink-status.json"])


@WALKS
def test_a_later_pass_with_other_boxes(tmp_path, hub, walk):
    def prepare(folder):
        gateway = set_gateway(folder, hub, box("a"), box("b", 20001))
        assert gateway.run_pass().code == 0
        gateway.write_live([box("b", 20002), box("c", 20003)])
        return "losos-uplink", gateway.pass_flags()

    take(walk, Scenario(tmp_path, prepare), harmless=["uplink-status.json"])


@WALKS
def test_a_pass_without_an_uplink_any_more(tmp_path, hub, walk):
    def prepare(folder):
        gateway = set_gateway(folder, hub, box("a"))
        assert gateway.run_pass().code == 0
        gateway.uplink_json.unlink()
        return "losos-uplink", gateway.pass_flags()

    take(walk, Scenario(tmp_path, prepare))


# --- a box ---


@WALKS
def test_a_box_registers_with_another_edge(tmp_path, stand_in, walk):
    old = stand_in({"/deregister": reply(204)})
    new = stand_in({"/register": reply(200, {"rathole_port": 20000})})

    def prepare(folder):
        box = Box(folder)
        write_json(box.announced, {"url": old.url, "at": 1})
        write_json(box.refused, {new.url: {"status": 401, "at": 1}})
        return "losos-announce", box.arguments("--once", "--registrar-url", new.url)

    take(walk, Scenario(tmp_path, prepare), harmless=["announced.json", "refused.json"])


def test_an_edge_that_is_yet_to_be_left_is_remembered_over_restarts_and_further_moves(tmp_path, stand_in):
    a_box = Box(tmp_path / "box")
    first = stand_in({"/register": reply(200, {"rathole_port": 20000}), "/deregister": reply(503)})
    second = stand_in(first.answers)
    third = stand_in({"/register": reply(200, {"rathole_port": 20000})})
    for edge in (first, second, third):
        announcing = a_box.start(url=edge.url)
        edge.wait_asked("/register")
        until(lambda edge=edge: a_box.registered_with() == edge.url, "the note")
        announcing.kill()
    assert read_json(a_box.announced)["leaving"] == [first.url, second.url]
    for edge in (first, second):
        edge.answers["/deregister"] = reply(204)
    announcing = a_box.start(url=third.url)
    until(lambda: "leaving" not in read_json(a_box.announced), "both left")
    assert read_json(a_box.announced)["url"] == third.url
    announcing.kill()
    for edge in (first, second):
        assert edge.asked("/deregister")


def client_config(folder, edge, *more):
    secret = write_text(folder / "token", token("box") + "\n")
    return "lososd-pathd", [
        "client-config", "--appliance-id", "box", "--path-env", folder / "env", "--token-file",
        secret, "--bootstrap-token-file", secret, "--noise-public-key-file", folder / "pins" / "pin",
        "--pins-dir", folder / "pins", "--output", folder / "rathole" / "client.toml",
        "--registrar-url", edge.url, "--edge-rathole-endpoint", "edge.test:2333", *more]


@WALKS
def test_a_boxs_first_configuration_pins_the_edge(tmp_path, hub, walk):
    take(walk, Scenario(tmp_path, lambda folder: client_config(folder, hub)))


@WALKS
def test_a_boxs_later_configuration(tmp_path, hub, walk):
    def prepare(folder):
        tool, args = client_config(folder, hub)
        assert run(tool, *args).code == 0
        write_text(folder / "token", token("other") + "\n")
        return tool, args

    take(walk, Scenario(tmp_path, prepare))
