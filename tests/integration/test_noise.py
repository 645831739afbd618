"""The Noise key of an edge: made once, shown to everybody, and never half a pair."""

import base64
import os

import pytest
from losos_tools import NOISE_KEY, OTHER_NOISE_KEY, mode_of, run, write_text
from losos_tools.files import identity


def keygen(path):
    return run("losos-registrar", "noise", "keygen", "--noise-private-key-file", path)


def test_keygen_makes_a_private_key_for_its_owner_alone_and_a_public_one(tmp_path):
    done = keygen(tmp_path / "noise.key")
    assert (done.code, done.out, done.err) == (0, "", "")
    private = (tmp_path / "noise.key").read_text()
    public = (tmp_path / "noise.key.pub").read_text()
    for text in (private, public):
        assert text.endswith("\n") and len(base64.b64decode(text, validate=False)) == 32
    assert private != public
    assert mode_of(tmp_path / "noise.key") == 0o600
    assert mode_of(tmp_path / "noise.key.pub") == 0o644
    assert sorted(path.name for path in tmp_path.iterdir()) == ["noise.key", "noise.key.pub"]


def test_keygen_leaves_an_existing_key_alone(tmp_path):
    keygen(tmp_path / "noise.key")
    before = [identity(tmp_path / name) for name in ("noise.key", "noise.key.pub")]
    assert keygen(tmp_path / "noise.key").code == 0
    assert [identity(tmp_path / name) for name in ("noise.key", "noise.key.pub")] == before


@pytest.mark.parametrize("spoilt", [None, "", "nonsense\n", NOISE_KEY + "\n"],
                         ids=["missing", "empty", "nonsense", "another"])
def test_keygen_writes_the_right_public_key_in_the_place_of_a_wrong_one(tmp_path, spoilt):
    keygen(tmp_path / "noise.key")
    public = tmp_path / "noise.key.pub"
    right, private = public.read_text(), (tmp_path / "noise.key").read_text()
    public.unlink()
    if spoilt is not None:
        public.write_text(spoilt)
    assert keygen(tmp_path / "noise.key").code == 0
    assert public.read_text() == right
    assert (tmp_path / "noise.key").read_text() == private


def test_two_keys_are_never_the_same(tmp_path):
    for name in ("one", "two"):
        keygen(tmp_path / name)
    assert (tmp_path / "one").read_text() != (tmp_path / "two").read_text()


def test_the_public_key_is_the_one_of_x25519(tmp_path):
    secret = bytes(range(100, 132))
    write_text(tmp_path / "noise.key", base64.b64encode(secret).decode() + "\n")
    assert keygen(tmp_path / "noise.key").code == 0
    assert base64.b64decode((tmp_path / "noise.key.pub").read_text()) == x25519_base(secret)


def x25519_base(secret):
    """The public key of a secret, by the ladder of RFC 7748 in plain numbers."""
    prime = 2**255 - 19
    number = int.from_bytes(secret, "little")
    number = (number & ~7 & ~(1 << 255)) | (1 << 254)
    x_2, z_2, x_3, z_3, swap = 1, 0, 9, 1, 0
    for bit in reversed(range(255)):
        swap ^= (number >> bit) & 1
        if swap:
            x_2, x_3, z_2, z_3 = x_3, x_2, z_3, z_2
        swap = (number >> bit) & 1
        a, b, c, d = x_2 + z_2, x_2 - z_2, x_3 + z_3, x_3 - z_3
        cross_1, cross_2 = d * a, c * b
        x_3 = (cross_1 + cross_2)**2 % prime
        z_3 = 9 * (cross_1 - cross_2)**2 % prime
        e = a * a - b * b
        x_2 = a * a * b * b % prime
        z_2 = e * (a * a + 121665 * e) % prime
    if swap:
        x_2, z_2 = x_3, z_3
    return (x_2 * pow(z_2, prime - 2, prime) % prime).to_bytes(32, "little")


def test_a_private_key_that_is_none_is_refused_and_not_replaced(tmp_path):
    write_text(tmp_path / "noise.key", "not a key\n")
    done = keygen(tmp_path / "noise.key")
    assert done.code != 0
    assert str(tmp_path / "noise.key") in done.err
    assert (tmp_path / "noise.key").read_text() == "not a key\n"


def test_a_directory_that_is_not_there_is_named(tmp_path):
    done = keygen(tmp_path / "missing" / "noise.key")
    assert done.code == 6
    assert f"there is no directory {tmp_path / 'missing'}; make it" in done.err


def test_the_public_key_is_served_as_text(make_edge):
    edge = make_edge(noise=True)
    answer = edge.get("/noise-public-key")
    assert answer.status == 200
    assert answer.text.strip() == (edge.etc / "noise.key.pub").read_text().strip()
    assert answer.headers["content-type"].startswith("text/plain")


def test_without_noise_there_is_no_public_key(make_edge):
    answer = make_edge().get("/noise-public-key")
    assert answer.status == 404
    assert "Noise" in answer.text


def test_the_public_key_may_stand_elsewhere(make_edge):
    edge = make_edge(noise=True, start=False)
    elsewhere = edge.etc / "public"
    os.rename(edge.etc / "noise.key.pub", elsewhere)
    edge.flags["noise_public_key_file"] = elsewhere
    edge.start()
    assert edge.get("/noise-public-key").text.strip() == elsewhere.read_text().strip()


def test_a_public_key_of_another_pair_stops_the_start_and_says_how_to_mend_it(make_edge):
    edge = make_edge(noise=True, start=False)
    write_text(edge.etc / "noise.key.pub", OTHER_NOISE_KEY + "\n")
    done = edge.start_and_fail()
    assert done.code == 6
    assert str(edge.etc / "noise.key.pub") in done.err and "noise keygen" in done.err
    assert keygen(edge.noise_key).code == 0
    edge.start()
    assert edge.get("/noise-public-key").status == 200


@pytest.mark.parametrize("spoilt", [None, "nonsense"], ids=["missing", "nonsense"])
def test_a_private_key_that_is_missing_or_none_stops_the_start(make_edge, spoilt):
    edge = make_edge(noise=True, start=False)
    edge.noise_key.unlink()
    if spoilt:
        write_text(edge.noise_key, spoilt)
    done = edge.start_and_fail()
    assert done.code == 6
    assert str(edge.noise_key) in done.err
    if not spoilt:
        for config in (edge.server_toml, None):
            done = edge.start_and_fail(rathole_config=config)
            assert done.code == 6
            assert f"noise keygen --noise-private-key-file {edge.noise_key}" in done.err


def test_the_name_of_a_public_key_is_never_taken_for_a_private_one(make_edge):
    edge = make_edge(noise=True, start=False)
    public = f"{edge.noise_key}.pub"
    said = f"{public} is the name of a public key; name the private one, without .pub"
    edge.server_toml.unlink(missing_ok=True)
    named = edge.arguments(noise_private_key_file=public)
    for words in (["noise", "keygen", "--noise-private-key-file", public],
                  ["seed", "--rathole-config", edge.server_toml, "--noise-private-key-file", public],
                  ["check", *named], ["serve", *named]):
        done = run("losos-registrar", *words)
        assert done.code == 6 and said in done.err, done
    assert not edge.server_toml.exists()


def test_a_public_key_file_without_a_private_one_is_wrong_usage(make_edge):
    edge = make_edge(start=False)
    done = edge.start_and_fail(noise_public_key_file=edge.etc / "x.pub")
    assert done.code == 2
    assert "--noise-private-key-file" in done.err
