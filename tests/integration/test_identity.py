"""losos-registrar identity: keys made, certificates signed and installed, edges asked."""

import contextlib
import json
import os
import re
import ssl
import subprocess
import time

import pytest
from losos_tools import (HangUp, SigningKey, is_signed, mode_of, read_json, reply, run, write_json,
                         write_text)
from losos_tools.files import identity

URL = "https://edge.losos.test"
SOON = 30 * 24 * 3600


def identity_command(*words, **options):
    return run("losos-registrar", "identity", *words, **options)


def keygen(path, *flags):
    return identity_command("keygen", "--identity-key-file", path, *flags)


@pytest.fixture
def root(tmp_path):
    return SigningKey(tmp_path, "root")


@pytest.fixture
def key(tmp_path):
    """An edge's key, and the file that holds it."""
    key = SigningKey(tmp_path, "edge")
    key.file = write_text(tmp_path / "identity.key", key.seed + "\n")
    return key


@pytest.fixture
def root_file(tmp_path, root):
    return write_text(tmp_path / "root.pub", root.public + "\n", 0o644)


# --- keygen ---


def test_keygen_makes_a_key_for_its_owner_alone_and_prints_the_public_one(tmp_path):
    done = keygen(tmp_path / "identity.key")
    assert (done.code, done.err) == (0, "")
    seed = (tmp_path / "identity.key").read_text()
    assert re.fullmatch(r"[0-9a-f]{64}\n", seed)
    assert mode_of(tmp_path / "identity.key") == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["identity.key"]
    assert done.out == SigningKey(tmp_path, "second", seed.strip()).public + "\n"


def test_keygen_leaves_a_key_alone_and_prints_its_public_one(tmp_path, key):
    before = identity(key.file)
    done = keygen(key.file)
    assert (done.code, done.out) == (0, key.public + "\n")
    assert identity(key.file) == before
    write_text(key.file, key.document + "\n")
    assert keygen(key.file).out == key.public + "\n"
    assert key.file.read_text() == key.document + "\n"


def test_two_keys_are_never_the_same(tmp_path):
    assert keygen(tmp_path / "one").out != keygen(tmp_path / "two").out


def test_a_root_pair_has_its_public_key_beside_it(tmp_path):
    done = keygen(tmp_path / "root.key", "--root")
    public = tmp_path / "root.key.pub"
    assert done.code == 0
    assert public.read_text() == done.out
    assert (mode_of(tmp_path / "root.key"), mode_of(public)) == (0o600, 0o644)
    write_text(public, "nonsense\n", 0o644)
    assert keygen(tmp_path / "root.key", "--root").out == done.out == public.read_text()


def test_keygen_replaces_nothing_that_is_no_key(tmp_path):
    for spoilt in ("", "not a key\n", "ab" * 31 + "\n"):
        path = write_text(tmp_path / "identity.key", spoilt)
        done = keygen(path)
        assert done.code == 6 and str(path) in done.err
        assert path.read_text() == spoilt


def test_keygen_names_a_directory_that_is_not_there(tmp_path):
    done = keygen(tmp_path / "missing" / "identity.key")
    assert done.code == 6 and str(tmp_path / "missing") in done.err


# --- sign ---


def sign(root_private, **changes):
    flags = {"name": "LosOS Zürich", "url": URL, "days": 30, **changes}
    words = ["--root-private-key-file", root_private]
    for name, value in flags.items():
        words += ["--" + name.replace("_", "-"), value]
    return identity_command("sign", *words)


@pytest.fixture
def root_private(tmp_path, root):
    return write_text(tmp_path / "root.key", root.seed + "\n")


def test_sign_prints_a_certificate_that_openssl_calls_signed(tmp_path, root, root_private, key):
    before = int(time.time())
    done = sign(root_private, public_key=key.public)
    after = int(time.time())
    assert (done.code, done.err) == (0, "")
    made = json.loads(done.out)
    assert list(made) == ["name", "url", "public_key", "not_after", "signature"]
    assert (made["name"], made["url"], made["public_key"]) == ("LosOS Zürich", URL, key.public)
    assert before + SOON <= made["not_after"] <= after + SOON
    assert made == root.certificate("LosOS Zürich", URL, key.public, made["not_after"])
    text = f"losos-edge-identity-v1\nLosOS Zürich\n{URL}\n{key.public}\n{made['not_after']}\n"
    assert is_signed(tmp_path, root.public, text, made["signature"])


def test_sign_writes_the_url_as_boxes_dial_it(root_private, key):
    done = sign(root_private, public_key=key.public.upper(), url="HTTPS://Edge.LosOS.test:443/")
    assert json.loads(done.out)["url"] == URL
    assert json.loads(done.out)["public_key"] == key.public


WRONG_SIGNING = {
    "name": ["", "a\nb", "a\tb", "n" * 129], "days": ["0", "-1", "36526", "1.5", "ten", ""],
    "url": ["", "edge.losos.test", URL + "/path", URL + "\n", "ftp://edge.losos.test"],
    "public-key": ["", "ab" * 31, "zz" * 32, "00" * 32, "ff" * 32],
}


@pytest.mark.parametrize("flag, value", [(flag, value) for flag, values in WRONG_SIGNING.items()
                                         for value in values], ids=ascii)
def test_what_cannot_be_signed_is_wrong_usage_and_named(root_private, key, flag, value):
    done = sign(root_private, **{"public-key": key.public, flag: value})
    assert (done.code, done.out) == (2, "")
    assert f"--{flag}" in done.err and done.err.count("\n") == 1


def test_sign_without_the_roots_key_says_how_to_make_it(tmp_path, key):
    done = sign(tmp_path / "missing.key", public_key=key.public)
    assert done.code == 6
    assert str(tmp_path / "missing.key") in done.err and "keygen --root" in done.err
    write_text(tmp_path / "spoilt.key", "nonsense")
    assert sign(tmp_path / "spoilt.key", public_key=key.public).code == 6


def test_the_name_of_a_public_key_is_never_taken_for_a_private_one(tmp_path, root_private, key):
    public = tmp_path / "some.pub"
    for done in (keygen(public), keygen(public, "--root"), sign(public, public_key=key.public)):
        assert done.code == 6 and done.out == "", done
        assert f"{public} is the name of a public key; name the private one" in done.err
    assert not public.exists()


@pytest.mark.parametrize("words, missing", [
    (["keygen"], "--identity-key-file"), (["sign"], "--root-private-key-file"),
    (["install"], "--identity-key-file"), (["show"], "--identity-key-file"),
    (["verify", URL], "--root-key-file")], ids=str)
def test_a_flag_that_must_be_given_is_missed_by_name(words, missing):
    done = identity_command(*words)
    assert done.code == 2 and f"{missing} is missing" in done.err


# --- install and show ---


@pytest.fixture
def installed(tmp_path):
    return tmp_path / "identity.cert.json"


def install(key, installed, certificate, *flags):
    given = certificate if isinstance(certificate, str) else json.dumps(certificate)
    return identity_command("install", "--identity-key-file", key.file, "--identity-cert-file",
                            installed, *flags, given=given)


def sound(root, key, **changes):
    fields = {"name": "LosOS", "url": URL, "public_key": key.public,
              "not_after": int(time.time()) + SOON, **changes}
    return root.certificate(*fields.values())


def test_install_takes_what_sign_printed(key, installed, root_private, root_file):
    printed = sign(root_private, public_key=key.public).out
    for _ in range(2):
        done = install(key, installed, printed, "--root-key-file", root_file)
        assert (done.code, done.out, done.err) == (0, "", "")
        assert installed.read_text() == printed
        assert mode_of(installed) == 0o644


def test_install_drops_what_is_not_signed(key, root, installed):
    certificate = sound(root, key)
    assert install(key, installed, {"more": 1, **certificate}).code == 0
    assert read_json(installed) == certificate


def test_install_refuses_what_does_not_fit_and_keeps_the_old_one(tmp_path, key, root, installed,
                                                                 root_file):
    assert install(key, installed, sound(root, key)).code == 0
    before = identity(installed)
    stranger = SigningKey(tmp_path, "stranger")
    root_flag = ("--root-key-file", root_file)
    good = sound(root, key)
    refused = [
        (sound(root, stranger), (), key.public), (sound(root, key, not_after=1), (), "1970-01-01"),
        (sound(stranger, key), root_flag, "not signed"),
        ({**good, "name": "x"}, root_flag, "not signed"),
        ({**good, "not_after": good["not_after"] + 1}, root_flag, "not signed"),
        ("", (), "no certificate"), ("nonsense", (), "no certificate"), ("[]", (), "no certificate"),
        (json.dumps(good)[:-9], (), "no certificate"), ({**good, "url": URL + "\nx"}, (), '"url"'),
        ({**good, "name": "a\nb"}, (), '"name"'), ({**good, "signature": "ab"}, (), '"signature"'),
        ({**good, "not_after": "soon"}, (), "not_after"), ("x" * 70000, (), "65536"),
    ]
    for certificate, flags, said in refused:
        done = install(key, installed, certificate, *flags)
        assert (done.code, done.out) == (1, ""), done
        assert said in done.err and done.err.count("\n") == 1, done
        assert identity(installed) == before


def test_without_the_roots_key_install_cannot_tell_who_signed(tmp_path, key, installed):
    assert install(key, installed, sound(SigningKey(tmp_path, "stranger"), key)).code == 0


@pytest.mark.parametrize("spoilt", [None, "", "nonsense"], ids=["missing", "empty", "nonsense"])
def test_install_needs_the_files_it_is_told_of(tmp_path, key, root, installed, root_file, spoilt):
    certificate = sound(root, key)
    for path in (root_file, key.file):
        os.remove(path)
        if spoilt is not None:
            write_text(path, spoilt)
        done = install(key, installed, certificate, "--root-key-file", root_file)
        assert done.code == 6 and str(path) in done.err
        assert not installed.exists()
        write_text(root_file, root.public)


def show(key, installed):
    return identity_command("show", "--identity-key-file", key.file, "--identity-cert-file",
                            installed)


def test_show_prints_one_field_a_line(key, root, installed):
    assert show(key, installed).out == f"public key: {key.public}\ncertificate: none\n"
    install(key, installed, sound(root, key, not_after=4000000000))
    done = show(key, installed)
    assert (done.code, done.err) == (0, "")
    assert done.out == (f"public key: {key.public}\nname: LosOS\nurl: {URL}\n"
                        "not after: 4000000000 (2096-10-02)\ncertificate: fits the key\n")
    assert key.seed not in done.out


def test_show_says_what_is_wrong_with_a_certificate(tmp_path, key, root, installed):
    write_json(installed, sound(root, key, not_after=1800000000 - 2 * 10**8))
    assert "certificate: the certificate expired on 2020-09-13" in show(key, installed).out
    write_json(installed, sound(root, SigningKey(tmp_path, "stranger")))
    assert "certificate: the certificate is for another key" in show(key, installed).out
    write_text(installed, "nonsense")
    done = show(key, installed)
    assert done.code == 6 and str(installed) in done.err


def test_show_without_a_key_says_how_to_make_it(key, installed):
    os.remove(key.file)
    done = show(key, installed)
    assert done.code == 6 and "identity keygen --identity-key-file" in done.err


# --- verify ---


def verify(root_file, url, **options):
    return identity_command("verify", "--root-key-file", root_file, url, **options)


def as_edge(root, key, signer=None, scheme="http", **changes):
    """A stand-in's answer to GET /identity, as an edge at the stand-in's own URL would give it."""
    def answer(request):
        nonce = request.path.partition("?nonce=")[2]
        signature = (signer or key).sign(f"losos-edge-nonce-v1\n{nonce}\n")
        fields = {"url": f"{scheme}://{request.headers['host']}", **changes}
        return reply(200, {"cert": sound(root, key, **fields), "nonce_signature": signature})
    return answer


def test_verify_asks_with_a_fresh_nonce_and_says_who_is_official(stand_in, root, key, root_file):
    edge = stand_in({"/identity": as_edge(root, key, not_after=4000000000)})
    for _ in range(2):
        done = verify(root_file, edge.url)
        assert (done.code, done.err) == (0, "")
        assert done.out == f"{edge.url} is official: LosOS, until 2096-10-02\n"
    nonces = [re.fullmatch(r"/identity\?nonce=([0-9a-f]{64})", request.path)[1]
              for request in edge.requests]
    assert len(set(nonces)) == 2


def test_verify_says_which_rule_does_not_hold(tmp_path, stand_in, root, key, root_file):
    stranger = SigningKey(tmp_path, "stranger")
    edge = stand_in()
    for answer, said in [
            (as_edge(stranger, key), "the root key did not sign"),
            (as_edge(root, key, url=URL), f"another URL than the one dialled, {URL}"),
            (as_edge(root, key, url=edge.url.replace("127.0.0.1", "localhost")), "another URL"),
            (as_edge(root, key, not_after=int(time.time()) - 5), "expired"),
            (as_edge(root, key, signer=stranger), "did not prove"),
            (reply(404, "this edge has no identity\n"), "has no identity")]:
        edge.answers["/identity"] = answer
        done = verify(root_file, edge.url)
        assert (done.code, done.out) == (1, ""), done
        assert f"{edge.url} is not official" in done.err and said in done.err
        # What a certificate says that does not hold is of use where it is the URL that differs.
        assert ("the one dialled, " in done.err) == ("URL" in said), done
        assert done.err.count("http") == (2 if "URL" in said else 1), done


def test_verify_over_https_trusts_the_authorities_of_this_machine(tmp_path, stand_in, root, key,
                                                                  root_file):
    edge = stand_in({"/identity": as_edge(root, key, scheme="https")})
    tls_key, tls_certificate = tmp_path / "tls.key", tmp_path / "tls.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:P-256", "-nodes", "-keyout", tls_key, "-out", tls_certificate,
                    "-days", "2", "-subj", "/CN=edge", "-addext", "subjectAltName=IP:127.0.0.1"],
                   check=True, capture_output=True)
    edge.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    edge.tls.load_cert_chain(tls_certificate, tls_key)
    url = edge.url.replace("http:", "https:")
    assert verify(root_file, url).code == 4
    done = verify(root_file, url, env={"SSL_CERT_FILE": str(tls_certificate)})
    assert done.code == 0 and f"{url} is official" in done.out, done


def test_verify_tells_what_is_no_edge_from_a_false_one(stand_in, root_file):
    edge = stand_in()
    for answer, code, said in [
            (reply(200, "ok"), 4, "not as an edge does"), (reply(200, {}), 4, '"cert"'),
            (reply(503, "busy"), 4, "busy"), (HangUp, 4, edge.url.removeprefix("http://")),
            (reply(200, {"cert": {"name": "x" * 300000}}), 4, "127.0.0.1"),
            (reply(302, "", Location="http://elsewhere.test/"), 1, "redirect"),
            (reply(403, "go away"), 3, "go away"), (reply(400, "what?"), 1, "what?")]:
        edge.answers["/identity"] = answer
        done = verify(root_file, edge.url)
        assert (done.code, done.out) == (code, ""), done
        assert said in done.err and done.err.count("\n") == 1, done
    edge.close()
    assert verify(root_file, edge.url).code == 4


def test_without_exactly_one_root_key_nothing_is_official(tmp_path, stand_in, root, key, root_file):
    edge = stand_in({"/identity": as_edge(root, key)})
    for text in ("", "\n", root.public[:-1], f"{root.public}\n{key.public}\n",
                 f"{root.public}\n{root.public}\n", None):
        with contextlib.suppress(FileNotFoundError):
            os.remove(root_file)
        if text is not None:
            write_text(root_file, text)
        done = verify(root_file, edge.url)
        assert (done.code, done.out) == (6, ""), done
        assert str(root_file) in done.err
    assert edge.requests == []


def test_verify_wants_a_url(root_file):
    for words in ((), ("edge.losos.test",), (URL + "/path",), (URL, URL)):
        assert identity_command("verify", "--root-key-file", root_file, *words).code == 2
