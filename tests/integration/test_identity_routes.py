"""GET /identity: an edge that says who it is, and follows its files without a restart."""

import json
import os
import time

import pytest
from losos_tools import SigningKey, is_signed, run, until, write_json, write_text

NONCE = "00112233445566778899aabbccddeeff"
DAY = 24 * 3600


@pytest.fixture
def root(tmp_path):
    return SigningKey(tmp_path, "root")


@pytest.fixture
def key(tmp_path):
    return SigningKey(tmp_path, "edge")


class Identity:
    """A registrar's two files, and what it answers about them."""

    def __init__(self, edge, root, key):
        self.edge, self.root, self.key = edge, root, key
        self.key_file = edge.state / "identity.key"
        self.cert_file = edge.state / "identity.cert.json"
        edge.flags["identity_key_file"] = self.key_file
        edge.flags["identity_cert_file"] = self.cert_file

    def certificate(self, key=None, **changes):
        fields = {"name": "LosOS", "url": self.edge.url, "public_key": (key or self.key).public,
                  "not_after": int(time.time()) + 90 * DAY, **changes}
        return self.root.certificate(*fields.values())

    def write_key(self, text=None):
        write_text(self.key_file, self.key.seed + "\n" if text is None else text)

    def ask(self, nonce=NONCE):
        return self.edge.get("/identity" + ("" if nonce is None else f"?nonce={nonce}"))

    def complaints(self):
        """The faults that stand; each names a file or a flag of the identity."""
        return self.edge.faults("identity")

    def wait_status(self, status):
        return until(lambda: self.ask() if self.ask().status == status else None,
                     lambda: f"{status}; it answers {self.ask()}, with {self.complaints()}")


@pytest.fixture
def make_identity(make_edge, root, key):
    def make(certificate=True, start=True, **options):
        identity = Identity(make_edge(start=False, **options), root, key)
        identity.write_key()
        if certificate:
            write_json(identity.cert_file, identity.certificate(), 0o644)
        if start:
            identity.edge.start()
        return identity
    return make


def test_an_edge_shows_its_certificate_and_signs_the_nonce(tmp_path, make_identity, key):
    mine = make_identity()
    answer = mine.ask()
    assert answer.status == 200 and answer.headers["content-type"] == "application/json"
    assert list(answer.json()) == ["cert", "nonce_signature"]
    assert answer.json()["cert"] == json.loads(mine.cert_file.read_text())
    assert answer.json()["nonce_signature"] == key.sign(f"losos-edge-nonce-v1\n{NONCE}\n")
    assert is_signed(tmp_path, key.public, f"losos-edge-nonce-v1\n{NONCE}\n",
                     answer.json()["nonce_signature"])
    public = mine.edge.get("/identity/public-key")
    assert (public.status, public.text) == (200, key.public)
    assert public.headers["content-type"].startswith("text/plain")
    assert mine.complaints() == []


def test_a_nonce_is_signed_letter_by_letter(make_identity, key):
    mine = make_identity()
    for nonce in ("a" * 32, "A" * 32, "0123456789abcdefABCDEF" * 2, "f" * 33, "e" * 128):
        signature = mine.ask(nonce).json()["nonce_signature"]
        assert signature == key.sign(f"losos-edge-nonce-v1\n{nonce}\n")


def test_what_is_no_nonce_is_answered_400_and_says_what_one_is(make_identity):
    mine = make_identity()
    for nonce in (None, "", "a" * 31, "a" * 129, "g" * 32, "a" * 31 + "%0A", "a" * 32 + "%00",
                  "a" * 16 + "%20" + "a" * 16, "%0a" + "a" * 32, "0x" + "a" * 32):
        answer = mine.ask(nonce)
        assert answer.status == 400, nonce
        assert '"nonce"' in answer.text and "32 to 128 hex digits" in answer.text


def test_an_edge_without_a_key_has_no_identity(make_edge):
    edge = make_edge()
    for path in (f"/identity?nonce={NONCE}", "/identity", "/identity/public-key"):
        assert edge.get(path).status == 404
    assert edge.faults("identity") == []


def test_without_a_certificate_an_edge_shows_its_key_alone(make_identity, key):
    mine = make_identity(certificate=False)
    assert mine.ask().status == 404
    assert mine.edge.get("/identity/public-key").text == key.public
    assert "identity install" in mine.edge.wait_fault(str(mine.cert_file), "is missing")
    mine.edge.flags["identity_cert_file"] = None
    mine.edge.restart()
    assert mine.edge.get("/identity/public-key").text == key.public
    assert mine.complaints() == []


def test_a_certificate_alone_is_complained_of(make_identity):
    mine = make_identity(start=False)
    mine.edge.flags["identity_key_file"] = None
    mine.edge.start()
    mine.edge.wait_fault("--identity-key-file", "not official")
    assert mine.ask().status == 404


def test_an_edge_on_a_lan_has_no_identity_whatever_its_flags_say(make_identity):
    mine = make_identity(lan=True)
    assert mine.ask().status == 404
    assert mine.edge.get("/identity/public-key").status == 404
    mine.edge.wait_fault("--identity-key-file", "ignored", "--lan-advertise")


def test_install_makes_a_running_edge_official_and_verify_says_so(tmp_path, make_identity, root):
    mine = make_identity(certificate=False)
    certificate = json.dumps(mine.certificate())
    done = run("losos-registrar", "identity", "install", "--identity-key-file", mine.key_file,
               "--identity-cert-file", mine.cert_file, given=certificate)
    assert done.code == 0, done
    mine.wait_status(200)
    until(lambda: mine.complaints() == [], "the faults to go")
    root_file = write_text(tmp_path / "root.pub", root.public + "\n")
    done = run("losos-registrar", "identity", "verify", "--root-key-file", root_file, mine.edge.url)
    assert done.code == 0 and f"{mine.edge.url} is official: LosOS" in done.out, done


SPOILT_CERTIFICATES = {
    "empty": lambda mine: "", "cut": lambda mine: json.dumps(mine.certificate())[:100],
    "too large": lambda mine: " " * 70000 + json.dumps(mine.certificate()),
    "name of two lines": lambda mine: json.dumps({**mine.certificate(), "name": "a\nb"}),
    "url of two lines": lambda mine: json.dumps({**mine.certificate(), "url": "http://a.test\nb"}),
    "key in two halves": lambda mine: json.dumps({**mine.certificate(), "public_key": "ab"}),
    "no time": lambda mine: json.dumps({**mine.certificate(), "not_after": "soon"}),
    "a key twice": lambda mine: '{"name": "x", ' + json.dumps(mine.certificate())[1:],
}


def test_a_certificate_that_is_none_means_not_official_and_is_read_again(make_identity):
    mine = make_identity()
    for spoil in SPOILT_CERTIFICATES.values():
        write_text(mine.cert_file, spoil(mine), 0o644)
        mine.wait_status(404)
        mine.edge.wait_fault(str(mine.cert_file), "not official")
        assert mine.edge.get("/identity/public-key").status == 200
        write_json(mine.cert_file, mine.certificate(), 0o644)
        mine.wait_status(200)
    until(lambda: mine.complaints() == [], "the faults to go")
    mine.edge.daemon.wait_line("no longer: ")
    assert mine.edge.get("/health").status == 200


def test_a_certificate_that_goes_and_comes_is_followed(make_identity):
    mine = make_identity()
    os.remove(mine.cert_file)
    mine.wait_status(404)
    os.mkdir(mine.cert_file)
    mine.edge.wait_fault(str(mine.cert_file), "until then")
    os.rmdir(mine.cert_file)
    write_json(mine.cert_file, mine.certificate(name="Another"), 0o644)
    assert mine.wait_status(200).json()["cert"]["name"] == "Another"


def test_a_certificate_for_another_key_is_not_shown(tmp_path, make_identity, key):
    mine = make_identity()
    stranger = SigningKey(tmp_path, "stranger")
    write_json(mine.cert_file, mine.certificate(stranger), 0o644)
    mine.wait_status(404)
    assert key.public in mine.edge.wait_fault(str(mine.cert_file), "another key")
    mine.write_key(stranger.seed)
    answer = mine.wait_status(200)
    assert answer.json()["nonce_signature"] == stranger.sign(f"losos-edge-nonce-v1\n{NONCE}\n")


@pytest.mark.parametrize("spoilt", [None, "", "nonsense", "ab" * 33], ids=str)
def test_a_key_that_is_none_costs_the_identity_and_nothing_else(make_identity, spoilt):
    mine = make_identity(start=False)
    if spoilt is None:
        os.remove(mine.key_file)
    else:
        mine.write_key(spoilt)
    mine.edge.start()
    assert mine.edge.get("/identity/public-key").status == 404
    assert mine.ask().status == 404
    mine.edge.wait_fault(str(mine.key_file), "no identity")
    assert mine.edge.get("/health").status == 200
    mine.write_key(mine.key.document)
    mine.wait_status(200)


def test_a_certificate_is_complained_of_from_30_days_before_its_end(make_identity):
    mine = make_identity()
    now = int(time.time())
    for not_after, said in ((now + 29 * DAY, "expires on"), (now - 1, "expired on")):
        write_json(mine.cert_file, mine.certificate(not_after=not_after), 0o644)
        mine.edge.wait_fault(str(mine.cert_file), said)
        assert mine.ask().json()["cert"]["not_after"] == not_after
    write_json(mine.cert_file, mine.certificate(not_after=now + 31 * DAY), 0o644)
    until(lambda: mine.complaints() == [], "the faults to go")


def test_status_and_metrics_say_when_the_certificate_ends(make_identity):
    mine = make_identity()
    ends = json.loads(mine.cert_file.read_text())["not_after"]
    until(lambda: mine.edge.status()["identity"] == {
        "name": "LosOS", "url": mine.edge.url, "not_after": ends}, "the identity in the status")
    until(lambda: "identity_expiry" in mine.edge.metrics_file.read_text(), "the metric")
    assert mine.edge.metric("identity_expiry_time_seconds") == ends
    os.remove(mine.cert_file)
    until(lambda: mine.edge.status()["identity"] is None, "the identity to go")
    until(lambda: "identity_expiry" not in mine.edge.metrics_file.read_text(), "the metric to go")


def test_check_says_what_is_wrong_with_the_identity(make_identity):
    mine = make_identity(start=False)
    done = run("losos-registrar", "check", *mine.edge.arguments())
    assert done.code == 0 and "identity" not in done.err, done
    write_text(mine.cert_file, "nonsense")
    done = run("losos-registrar", "check", *mine.edge.arguments())
    assert done.code == 0 and str(mine.cert_file) in done.err, done


def test_the_private_key_shows_nowhere(make_identity, key):
    mine = make_identity()
    said = mine.ask().text + mine.edge.get("/identity/public-key").text
    write_text(mine.cert_file, key.seed)
    mine.edge.wait_fault(str(mine.cert_file))
    mine.write_key(key.seed + key.seed)
    mine.edge.wait_fault(str(mine.key_file))
    said += mine.edge.log() + mine.edge.status_file.read_text() + mine.edge.metrics_file.read_text()
    assert key.seed not in said
