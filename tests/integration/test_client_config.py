"""lososd-pathd client-config: the configuration of a box's tunnel, and the key it trusts."""

import pytest
from losos_tools import (NOISE_KEY, OTHER_NOISE_KEY, HangUp, mode_of, reply, run, token,
                         write_text)
from losos_tools.files import identity

PLAIN = {"/health": reply(200, "ok")}
NOISE = {**PLAIN, "/noise-public-key": reply(200, NOISE_KEY + "\n")}
OTHER = {**PLAIN, "/noise-public-key": reply(200, OTHER_NOISE_KEY + "\n")}

SERVICE = f"""\

[client.services."box"]
token = "{token('box')}"
local_addr = "127.0.0.1:80"
"""


def config(bootstrap="box", noise=None, remote="edge.test:2333"):
    head = f'[client]\nremote_addr = "{remote}"\ndefault_token = "{token(bootstrap)}"\n'
    if noise:
        head += ('\n[client.transport]\ntype = "noise"\n\n[client.transport.noise]\n'
                 f'remote_public_key = "{noise}"\n')
    return head + SERVICE


class Client:
    """A box's files, and client-config with them."""

    def __init__(self, folder):
        self.folder = folder
        self.secrets = folder / "secrets"
        self.secrets.mkdir(parents=True)
        self.token_file = write_text(self.secrets / "token", token("box") + "\n")
        self.bootstrap = self.secrets / "bootstrap"
        self.pin = self.secrets / "configured.pub"
        self.pins_dir = self.secrets / "pins"
        self.path_env = folder / "edge-path.env"
        self.output = folder / "rathole" / "client.toml"

    def write(self, *more):
        return run("lososd-pathd", "client-config", "--appliance-id", "box", "--path-env",
                   self.path_env, "--token-file", self.token_file, "--bootstrap-token-file",
                   self.bootstrap, "--noise-public-key-file", self.pin, "--pins-dir", self.pins_dir,
                   "--output", self.output, *more)

    def configured(self, edge, *more):
        return self.write("--registrar-url", edge.url, "--edge-rathole-endpoint", "edge.test:2333",
                          *more)

    def write_path(self, edge, pin, rathole="lan.test:4444"):
        write_text(self.path_env, f"LOSOS_EDGE_PATH_URL={edge.url}\n"
                   f"LOSOS_EDGE_PATH_RATHOLE={rathole}\nLOSOS_EDGE_PATH_SOURCE=lan\n"
                   f"LOSOS_EDGE_PATH_NOISE_PUB={pin}\n", 0o644)


@pytest.fixture
def client(tmp_path):
    return Client(tmp_path / "box")


def test_an_edge_without_noise_gives_a_plain_configuration_and_no_pin(client, stand_in):
    done = client.configured(stand_in(PLAIN))
    assert (done.code, done.out, done.err) == (0, "", "")
    assert client.output.read_text() == config()
    assert mode_of(client.output) == 0o600
    assert mode_of(client.output.parent) == 0o700
    assert not client.pin.exists() and not client.pins_dir.exists()


def test_the_key_is_pinned_on_first_contact(client, stand_in):
    done = client.configured(stand_in(NOISE))
    assert done.code == 0
    assert client.pin.read_text() == NOISE_KEY + "\n"
    assert mode_of(client.pin) == 0o600
    assert client.output.read_text() == config(noise=NOISE_KEY)
    assert str(client.pin) in done.err


def test_the_same_key_again_changes_no_file(client, stand_in):
    edge = stand_in(NOISE)
    client.configured(edge)
    before = identity(client.pin), identity(client.output)
    assert client.configured(edge).code == 0
    assert (identity(client.pin), identity(client.output)) == before


def test_a_changed_key_is_1_and_neither_pin_nor_configuration_changes(client, stand_in):
    edge = stand_in(NOISE)
    client.configured(edge)
    before = identity(client.pin), identity(client.output)
    edge.answers.update(OTHER)
    for _ in range(2):
        done = client.configured(edge)
        assert done.code == 1
        assert "has changed" in done.err and str(client.pin) in done.err and "remove" in done.err
    assert (identity(client.pin), identity(client.output)) == before
    client.pin.unlink()
    assert client.configured(edge).code == 0
    assert client.output.read_text() == config(noise=OTHER_NOISE_KEY)


def test_a_pin_that_came_while_the_edge_was_asked_is_the_authority(client, stand_in):
    def meanwhile(_request):
        write_text(client.pin, OTHER_NOISE_KEY + "\n", 0o600)
        return NOISE["/noise-public-key"]
    done = client.configured(stand_in({**PLAIN, "/noise-public-key": meanwhile}))
    assert done.code == 1 and "has changed" in done.err and str(client.pin) in done.err, done
    assert client.pin.read_text() == OTHER_NOISE_KEY + "\n"
    assert not client.output.exists()


def test_a_404_with_a_pin_is_a_changed_key(client, stand_in):
    write_text(client.pin, NOISE_KEY + "\n")
    done = client.configured(stand_in(PLAIN))
    assert done.code == 1
    assert "has changed" in done.err
    assert not client.output.exists()


@pytest.mark.parametrize("answer", [HangUp, reply(500), reply(200, "no key"), reply(302)],
                         ids=["hung-up", "500", "no-key", "302"])
def test_with_a_pin_and_a_silent_edge_the_pinned_configuration_is_written(client, stand_in, answer):
    write_text(client.pin, NOISE_KEY + "\n")
    done = client.configured(stand_in({**PLAIN, "/noise-public-key": answer}))
    assert done.code == 0
    assert "pinned Noise key is used" in done.err
    assert client.output.read_text() == config(noise=NOISE_KEY)


def test_with_a_pin_and_an_edge_that_is_down_the_pinned_configuration_is_written(client, stand_in):
    write_text(client.pin, NOISE_KEY + "\n")
    edge = stand_in()
    edge.close()
    assert client.configured(edge).code == 0
    assert client.output.read_text() == config(noise=NOISE_KEY)


@pytest.mark.parametrize("answers", [
    {"/noise-public-key": HangUp}, {"/noise-public-key": reply(500)},
    {"/noise-public-key": reply(200, "no key")}, {"/noise-public-key": reply(403)},
    {"/noise-public-key": reply(302, Location="/health")},
    {"/health": reply(200, "a captive portal")}, {"/health": reply(404)}, {"/health": HangUp},
], ids=lambda answers: ascii(next(iter(answers.items())))[:60])
def test_without_a_pin_an_edge_that_gives_no_clear_answer_is_4_and_no_tunnel(
        client, stand_in, answers):
    done = client.configured(stand_in({**PLAIN, **answers}))
    assert done.code == 4, done
    assert not client.output.exists() and not client.pin.exists()


def test_without_a_pin_an_edge_that_is_down_is_4(client, stand_in):
    edge = stand_in()
    edge.close()
    done = client.configured(edge)
    assert done.code == 4
    assert edge.url in done.err


def test_a_pin_that_cannot_be_read_is_6_and_is_not_replaced(client, stand_in):
    write_text(client.pin, "nonsense")
    done = client.configured(stand_in(NOISE))
    assert done.code == 6
    assert str(client.pin) in done.err
    assert client.pin.read_text() == "nonsense"


# --- the path ---


def test_the_path_wins_over_the_flags_and_names_the_pin(client, stand_in):
    lan, configured = stand_in(NOISE), stand_in(OTHER)
    pin = client.pins_dir / "gateway.local_8443.pub"
    client.write_path(lan, pin)
    assert client.configured(configured).code == 0
    assert client.output.read_text() == config(noise=NOISE_KEY, remote="lan.test:4444")
    assert pin.read_text() == NOISE_KEY + "\n"
    assert mode_of(pin) == 0o600 and mode_of(client.pins_dir) == 0o700
    assert configured.requests == [] and not client.pin.exists()


def test_a_pin_named_without_a_directory_is_in_the_directory_of_pins(client, stand_in):
    client.write_path(stand_in(NOISE), "gateway.local_8443.pub")
    assert client.write().code == 0
    assert (client.pins_dir / "gateway.local_8443.pub").read_text() == NOISE_KEY + "\n"


def test_the_pins_of_two_edges_are_told_apart(client, stand_in):
    one, two = stand_in(NOISE), stand_in(OTHER)
    for edge, name in ((one, "one.pub"), (two, "two.pub"), (one, "one.pub")):
        client.write_path(edge, name)
        assert client.write().code == 0
    client.write_path(two, "one.pub")
    assert client.write().code == 1


@pytest.mark.parametrize("flags", [[], ["--registrar-url", "http://edge.test"],
                                   ["--edge-rathole-endpoint", "edge.test:2333"]], ids=str)
def test_without_any_edge_to_dial_it_is_6_and_says_what_to_do(client, flags):
    done = client.write(*flags)
    assert done.code == 6
    assert str(client.path_env) in done.err and "--registrar-url" in done.err
    assert not client.output.exists()


@pytest.mark.parametrize("text", ["nonsense\n", "", "LOSOS_EDGE_PATH_URL=http://edge.test\n"],
                         ids=["nonsense", "empty", "half"])
def test_a_path_that_cannot_be_used_is_6(client, stand_in, text):
    write_text(client.path_env, text)
    done = client.configured(stand_in(PLAIN))
    assert done.code == 6
    assert str(client.path_env) in done.err
    assert '"systemctl restart lososd-pathd"' in done.err and "restore" not in done.err


# --- tokens ---


def test_a_bootstrap_token_is_used_where_there_is_one(client, stand_in):
    write_text(client.bootstrap, token("bootstrap") + "\n")
    assert client.configured(stand_in(PLAIN)).code == 0
    assert client.output.read_text() == config("bootstrap")


@pytest.mark.parametrize("which", ["token_file", "bootstrap"])
@pytest.mark.parametrize("content", ["", "short", "x" * 40 + "\n\x01"], ids=["empty", "short", "odd"])
def test_a_token_that_cannot_be_used_is_6_and_no_configuration(client, stand_in, which, content):
    path = write_text(getattr(client, which), content)
    edge = stand_in(PLAIN)
    done = client.configured(edge)
    assert done.code == 6
    assert str(path) in done.err
    assert not client.output.exists() and edge.requests == []


def test_a_token_that_is_missing_is_6(client, stand_in):
    client.token_file.unlink()
    done = client.configured(stand_in(PLAIN))
    assert done.code == 6
    assert str(client.token_file) in done.err


def test_no_call_to_an_edge_carries_a_token(client, stand_in):
    edge = stand_in(NOISE)
    assert client.configured(edge).code == 0
    assert [(request.method, request.body) for request in edge.requests] == [("GET", b"")]
    assert token("box") not in str(edge.requests[0].headers)


# --- the file ---


def test_a_left_over_temporary_file_is_removed(client, stand_in):
    client.output.parent.mkdir()
    left = client.output.with_name(".client.toml.7-0123456789ab.tmp")
    left.write_text("left over")
    assert client.configured(stand_in(PLAIN)).code == 0
    assert [path.name for path in client.output.parent.iterdir()] == ["client.toml"]


@pytest.mark.parametrize("odd", ["BOX", "a.b", "", "-box"])
def test_an_odd_id_is_wrong_usage(client, odd):
    done = run("lososd-pathd", "client-config", "--appliance-id", odd)
    assert done.code == 2
    assert "--appliance-id" in done.err


def test_a_real_edge_with_noise_is_pinned_and_one_without_is_not(client, make_edge):
    noisy = make_edge("noisy", noise=True)
    assert client.configured(noisy).code == 0
    assert client.pin.read_text() == (noisy.etc / "noise.key.pub").read_text()
    client.pin.unlink()
    assert client.configured(make_edge("plain")).code == 0
    assert client.output.read_text() == config()
