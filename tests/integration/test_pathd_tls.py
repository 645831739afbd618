"""An edge over TLS: only one whose certificate is its own, and trusted, is one."""

import itertools
import ssl

import pytest
from losos_lab.authority import Authority
from losos_tools import StandIn, reply, until


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("tls") / "authority")


@pytest.fixture
def edge(authority):
    """Makes stand-ins that show a certificate for a name."""
    made = []

    def make(name, answer=reply(200, "ok"), issuer=authority):
        certificate, key = issuer.issue([name])
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        made.append(StandIn({"/health": answer}, tls=context))
        made[-1].https = f"https://localhost:{made[-1].port}"
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def trusting(box, authority):
    """A box that trusts the authority and looks at an edge."""
    count = itertools.count()

    def make(url):
        made = box(url, name=f"box{next(count)}", start=False)
        return made.start(env={"SSL_CERT_FILE": str(authority.root_file)})
    return make


def test_an_edge_with_a_certificate_of_its_own_is_the_path(trusting, edge):
    there = edge("localhost")
    here = trusting(there.https)
    here.wait_url(there.https)
    asked = there.wait_asked("/health", 3)
    assert asked[0].headers["host"] == there.https.removeprefix("https://")


def test_a_certificate_for_another_name_or_of_nobody_known_is_no_edges(trusting, edge, tmp_path):
    stranger = Authority(tmp_path / "stranger")
    for number, there in enumerate((edge("other.test"), edge("localhost", issuer=stranger))):
        here = trusting(there.https)
        here.wait_none()
        assert here.candidate(there.https)["probe"]["result"] == "noAnswer", number
        assert there.requests == []
        here.close()


def test_over_tls_too_what_answers_otherwise_is_no_edge(trusting, edge):
    for answer in (reply(302, "ok", Location="/health"), reply(200, "ok" * (5 << 20)), reply(204)):
        there = edge("localhost", answer)
        here = trusting(there.https)
        here.wait_none()
        until(lambda here=here, there=there: here.candidate(there.https)["probe"], "a verdict")
        assert len(there.asked("/health")) >= 1
        here.close()


def test_a_server_in_the_clear_is_no_edge_over_tls(trusting, stand_in):
    plain = stand_in({"/health": reply(200, "ok")})
    here = trusting(f"https://localhost:{plain.port}")
    here.wait_none()
