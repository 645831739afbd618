"""Which edges a box calls official, and what follows from it."""

import time

import pytest
from losos_tools import SigningKey, reply, until, write_text
from losos_tools.identified import HOUR, IdentifiedEdge


@pytest.fixture
def root(tmp_path):
    return SigningKey(tmp_path, "root")


@pytest.fixture
def key(tmp_path):
    return SigningKey(tmp_path, "edge")


@pytest.fixture
def root_file(tmp_path, root):
    return write_text(tmp_path / "root.pub", root.public + "\n", 0o644)


@pytest.fixture
def edge(stand_in, root, key):
    return IdentifiedEdge(stand_in(), root, key)


def is_official(box):
    return box.document()["official"]


def test_an_edge_that_proves_itself_opens_the_market(box, edge, root_file):
    here = box(edge.url, root_key_file=root_file)
    until(lambda: is_official(here), "an official edge")
    assert here.document()["edges"][0]["official"] is True
    assert here.gate("market").code == 0
    assert here.get("/api/gates").json()["market"]["available"] is True
    assert len(edge.nonces[0]) >= 32


def test_each_nonce_is_new(box, edge, root_file):
    for number in range(3):
        here = box(edge.url, name=f"box{number}", root_key_file=root_file)
        until(lambda here=here: is_official(here), "an official edge")
    assert len(set(edge.nonces)) == len(edge.nonces) >= 3


def expired(edge, root, key):
    edge.certificate = root.certificate("LosOS", edge.url, key.public, int(time.time()) - 1)


def for_another_url(edge, root, key):
    edge.certificate = root.certificate("LosOS", "https://edge.losos.test", key.public,
                                        int(time.time()) + HOUR)


def changed_after_signing(edge, root, key):
    edge.certificate = {**edge.certificate, "not_after": edge.certificate["not_after"] + HOUR}


def signed_by_itself(edge, root, key):
    edge.certificate = key.certificate("LosOS", edge.url, key.public, int(time.time()) + HOUR)


def an_old_nonce(edge, root, key):
    edge.sign = lambda text: key.sign("losos-edge-nonce-v1\n" + "00" * 32 + "\n")


def another_key_signs(edge, root, key):
    edge.sign = root.sign


def no_identity(edge, root, key):
    edge.server.answers["/identity"] = reply(404)


def nonsense(edge, root, key):
    edge.server.answers["/identity"] = reply(200, "[]")


@pytest.mark.parametrize("spoil, verdict", [
    (expired, "expired"), (for_another_url, "another URL"), (changed_after_signing, "root"),
    (signed_by_itself, "root"), (an_old_nonce, "did not prove"),
    (another_key_signs, "did not prove"),
    (no_identity, "no identity"), (nonsense, ""),
], ids=lambda each: getattr(each, "__name__", ""))
def test_whatever_is_wrong_with_the_proof_it_is_not_official(box, edge, root, key, root_file, spoil,
                                                             verdict):
    spoil(edge, root, key)
    here = box(edge.url, root_key_file=root_file)
    here.wait_url(edge.url)
    here.daemon.wait_line(f"{edge.url} .*{verdict}")
    assert not is_official(here)
    assert here.gate("market").code == 3 and here.gate("sharing").code == 0


@pytest.mark.parametrize("text", [None, "", "nonsense\n", "two"], ids=ascii)
def test_without_exactly_one_root_key_nothing_is_official(box, edge, root, tmp_path, text):
    path = tmp_path / "keys.pub"
    if text is not None:
        write_text(path, text if text != "two" else (root.public + "\n") * 2)
    here = box(edge.url, root_key_file=path)
    here.wait_url(edge.url)
    here.daemon.wait_line("no edge is official")
    assert not is_official(here) and edge.nonces == []
    assert here.gate("market").code == 3


def test_without_the_flag_nobody_is_asked(box, edge):
    here = box(edge.url)
    here.wait_url(edge.url)
    edge.server.wait_asked("/health", 2)
    assert edge.nonces == [] and not is_official(here)


def test_another_root_key_is_noticed(box, edge, root, root_file, tmp_path):
    here = box(edge.url, root_key_file=root_file)
    until(lambda: is_official(here), "an official edge")
    write_text(root_file, SigningKey(tmp_path, "other").public + "\n", 0o644)
    until(lambda: not is_official(here), "the edge to be official no more")
    write_text(root_file, root.public + "\n", 0o644)
    until(lambda: is_official(here), "an official edge again")


def test_a_certificate_that_runs_out_counts_no_longer(box, edge, root, key, root_file):
    edge.certificate = root.certificate("LosOS", edge.url, key.public, int(time.time()) + 2)
    here = box(edge.url, root_key_file=root_file)
    until(lambda: is_official(here), "an official edge")
    until(lambda: not is_official(here), "the certificate to run out")
    assert len(edge.nonces) == 1


def test_an_edge_that_cannot_be_reached_is_official_no_more(box, edge, root_file):
    here = box(edge.url, root_key_file=root_file)
    until(lambda: is_official(here), "an official edge")
    edge.server.close()
    here.wait_none()
    until(lambda: not is_official(here), "the edge to be official no more")
