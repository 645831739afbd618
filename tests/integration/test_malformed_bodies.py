"""Bodies that are no sound JSON, of every kind and on every route: each is a 400 of one sentence,
the connection goes on, and the edge is as it was."""

import json

import pytest
from losos_tools import RawConnection, relay_pass, snapshot, token, until
from losos_tools.http import request_bytes

ZONE = "acme.losos.test"
SHARED_EDGE = {"tenants": {"box": {}, "acme": {"relay_zone": ZONE}}, "reconcile_interval": "1h"}

CALLER = {"appliance_id": "box", "token": token("box")}
# What each route takes, in the order in which it looks for a field.
SOUND = {
    "/register": {**CALLER, "hostname": "box.losos.test", "relay_pass": relay_pass(480000)},
    "/heartbeat": {**CALLER, "idle": True, "relay_pass": relay_pass(480000)},
    "/deregister": CALLER,
    "/unregister": CALLER,
    "/relay": {"appliance_id": "acme", "token": token("acme"),
               "tenants": [{"id": "a", "hostname": f"a.{ZONE}", "pass": relay_pass(480000)}]},
    "/domains/list": CALLER,
    "/domains/add": {**CALLER, "domain": "a.test"},
    "/domains/remove": {**CALLER, "domain": "a.test"},
    "/cluster/join": {**CALLER, "node_name": "box"},
}
TEXTS = [(path, field) for path, fields in SOUND.items() for field in fields
         if field in ("appliance_id", "token", "hostname")]


@pytest.fixture(scope="module")
def edge(shared_edge):
    """The edge with one registered box and one relayed one, which no test here may change."""
    assert shared_edge.register("box").status == 200
    assert shared_edge.relay("acme", [("a", f"a.{ZONE}")]).status == 200
    until(lambda: len(shared_edge.routers()) == 2, "both routers")
    return shared_edge


@pytest.fixture(autouse=True)
def unchanged(edge):
    files = (edge.state, edge.rathole, edge.traefik)
    before = snapshot(*files)
    yield
    assert edge.heartbeat("box").status == 204
    assert snapshot(*files) == before


def refused(edge, path, bodies):
    """Sends each on one connection that stays open, and returns the sentences."""
    said = []
    with RawConnection(edge.port) as connection:
        for body in bodies:
            connection.request("POST", path, body,
                               [("Content-Length", str(len(body)))] if not body else ())
            answer = connection.answer()
            assert answer.status == 400, (body[:80], answer)
            assert "connection" not in answer.headers, (body[:80], answer.headers)
            assert len(answer.text.strip().splitlines()) == 1
            assert answer.text.strip().isprintable()
            assert token("box") not in answer.text and token("acme") not in answer.text
            said.append(answer.text)
    return said


def with_value(path, field, raw):
    """A sound body in which a field has a value written as told."""
    fields = dict(SOUND[path])
    fields[field] = "@@"
    return json.dumps(fields).encode().replace(b'"@@"', raw)


@pytest.mark.parametrize("path", SOUND)
def test_a_body_cut_at_any_byte_is_400(edge, path):
    whole = json.dumps(SOUND[path]).encode()
    refused(edge, path, [whole[:length] for length in range(len(whole))])


@pytest.mark.parametrize("path, field", TEXTS)
def test_a_field_that_is_no_text_is_named_and_no_other(edge, path, field):
    wrong = [b"null", b"true", b"0", b"-1", b"1.5", b"1e3", b"[]", b"{}", b'["x"]', b'{"x":"y"}',
             b"-0", b"9223372036854775807"]
    for raw, sentence in zip(wrong, refused(edge, path, [with_value(path, field, raw)
                                                         for raw in wrong])):
        assert f'"{field}"' in sentence, raw
        assert sentence.count('"') == 2, sentence


@pytest.mark.parametrize("path, field", TEXTS)
def test_a_field_that_is_missing_is_named_and_no_other(edge, path, field):
    fields = {name: value for name, value in SOUND[path].items() if name != field}
    near = {**fields, field.upper(): SOUND[path][field], field + " ": SOUND[path][field]}
    for sentence in refused(edge, path, [json.dumps(fields).encode(), json.dumps(near).encode()]):
        assert sentence.startswith(f'field "{field}" is missing')


@pytest.mark.parametrize("row", [
    b"0", b"null", b'"a"', b"[]", b"true", b'{"id":1,"hostname":"a"}', b'{"hostname":"a"}',
    b'{"id":"a"}', b'{"id":"a","hostname":{}}', b'{"id":null,"hostname":"a"}'], ids=bytes.decode)
def test_the_row_of_a_relay_that_is_wrong_is_named(edge, row):
    sound = json.dumps(SOUND["/relay"]["tenants"][0]).encode()
    for place in range(3):
        rows = [sound.replace(b'"a', b'"%c' % (98 + n)) for n in range(3)]
        rows[place] = row
        body = with_value("/relay", "tenants", b"[" + b",".join(rows) + b"]")
        assert f"tenants[{place}]" in refused(edge, "/relay", [body])[0]


@pytest.mark.parametrize("path", SOUND)
def test_nesting_is_400_from_a_depth_on_and_costs_nothing(edge, path):
    """The 32 levels include the body's own object."""
    for depth in (33, 100, 1000, 30000):
        for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
            if len(opening) * depth > 60000:
                continue
            nested = opening * depth + b"1" + closing * depth
            for body in (nested, opening * depth, with_value(path, "unknown", nested)):
                refused(edge, path, [body])
    refused(edge, path, [b"[" * 65536, b"[{" * 30000, b'{"a":[' * 10000])


def test_nesting_that_nobody_looks_at_is_taken_up_to_the_last_level(edge):
    nested = b"[" * 31 + b"]" * 31
    assert edge.post("/heartbeat", with_value("/heartbeat", "unknown", nested)).status == 204
    assert edge.post("/heartbeat", with_value("/heartbeat", "unknown",
                                              b"[" + nested + b"]")).status == 400


@pytest.mark.parametrize("path", SOUND)
def test_a_key_that_stands_twice_is_400_at_any_level(edge, path):
    whole = json.dumps(SOUND[path]).encode()
    for field in SOUND[path]:
        twice = whole[:-1] + b', "%b": 1}' % field.encode()
        assert f'"{field}" stands twice' in refused(edge, path, [twice])[0]
        escaped = "".join(f"\\u{ord(letter):04x}" for letter in field).encode()
        assert f'"{field}" stands twice' in refused(
            edge, path, [whole[:-1] + b', "%b": 1}' % escaped])[0]
    refused(edge, path, [with_value(path, "unknown", b'{"a":1,"b":{"a":1,"a":1}}'),
                         with_value(path, "unknown", b'[{"\\n":1,"\\n":1}]')])


def test_a_token_in_the_place_of_a_key_is_not_said_again(edge):
    secret = token("box").encode()
    said = refused(edge, "/register", [
        b'{"%b":1,"%b":2}' % (secret, secret), b'{"token":"%b","%b":1,"%b":1}' % ((secret,) * 3),
        b'{"token":%b}' % secret, b'{"token":"%b"' % secret, b'%b' % secret])
    assert not any(token("box")[:20] in sentence for sentence in said)


NUMBERS = [b"01", b"+1", b".5", b"1.", b"1e", b"1e+", b"0x10", b"--1", b"1_000", b"NaN", b"nan",
           b"Infinity", b"-Infinity", b"1e400", b"-1e400", b"1e99999999999999999999",
           b"9" * 400, b"18446744073709551616", b"-9223372036854775809", b"1 2", b"\xd9\xa1"]


@pytest.mark.parametrize("path", SOUND)
@pytest.mark.parametrize("field", ["appliance_id", "unknown"])
def test_a_number_that_is_none_or_too_large_is_400(edge, path, field):
    refused(edge, path, [with_value(path, field, raw) for raw in NUMBERS])


def test_numbers_that_are_sound_cost_an_unknown_field_nothing(edge):
    for raw in (b"-0", b"0.0", b"1e-400", b"1e308", b"9223372036854775807",
                b"-9223372036854775808", b"0." + b"3" * 1000):
        assert edge.post("/heartbeat", with_value("/heartbeat", "unknown", raw)).status == 204, raw


NOT_UTF8 = [b"\x80", b"\xbf", b"\xc0\x80", b"\xc1\xbf", b"\xc3", b"\xc3(", b"\xe0\x80\x80",
            b"\xe0\x9f\xbf", b"\xe2\x82", b"\xe2(\xa1", b"\xed\xa0\x80", b"\xed\xbf\xbf",
            b"\xed\xa0\xbd\xed\xb8\x80", b"\xf0\x80\x80\x80", b"\xf0\x9f\x98", b"\xf0(\x8c\xbc",
            b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xfe", b"\xff"]


@pytest.mark.parametrize("path", SOUND)
def test_a_text_that_is_not_utf8_is_400_wherever_it_stands(edge, path):
    for odd in NOT_UTF8:
        whole = json.dumps(SOUND[path]).encode()
        refused(edge, path, [with_value(path, "appliance_id", b'"a%bb"' % odd),
                             with_value(path, "unknown", b'"%b"' % odd),
                             whole[:-1] + b', "%b": 1}' % odd, odd + whole, whole + odd,
                             whole[:1] + odd + whole[1:]])


@pytest.mark.parametrize("path", SOUND)
def test_a_string_that_is_malformed_is_400(edge, path):
    odd = [b'"\\ud800"', b'"\\udc00"', b'"\\ud800\\ud800"', b'"\\ud800x"', b'"\\udc00\\ud800"',
           b'"\\u12"', b'"\\uzzzz"', b'"\\x41"', b'"\\\'"', b'"\\', b'"', b"'a'", b'"\x00"',
           b'"\x01"', b'"\n"', b'"\t"', b'"\x1f"', b'"a""b"', b"a", b"tru", b"True", b"nulll"]
    refused(edge, path, [with_value(path, "unknown", raw) for raw in odd])
    refused(edge, path, [with_value(path, "token", raw) for raw in odd])


@pytest.mark.parametrize("path", SOUND)
def test_what_is_around_or_between_is_400_unless_it_is_blank(edge, path):
    whole = json.dumps(SOUND[path]).encode()
    refused(edge, path, [
        b"\xef\xbb\xbf" + whole, b"\xff\xfe" + whole.decode().encode("utf-16-le"),
        whole.decode().encode("utf-16"), whole.decode().encode("utf-32"), b"\x00" + whole,
        whole + b"\x00", whole + whole, whole + b",", whole + b"]", whole + b"}", whole + b" x",
        whole + b"\n// end", b"/* a */" + whole, whole[:1] + b"// a\n" + whole[1:],
        b"# a\n" + whole, whole.replace(b":", b"=", 1), whole.replace(b",", b";", 1),
        whole[:-1] + b",}", b"{," + whole[1:], b"[" + whole + b"]", b"", b" ", b"\n\n", b"\x00",
        b"\x0c" + whole, b"\xc2\xa0" + whole, b"null", b"true", b"0", b'""', b"[]",
        b")]}'," + whole, b"appliance_id=box&token=" + token("box").encode()])


def test_blanks_around_and_between_do_not_count(edge):
    spaced = json.dumps(SOUND["/heartbeat"], indent=4).replace(",", " ,\t").encode()
    assert edge.post("/heartbeat", b" \r\n\t" + spaced + b"\n" * 1000).status == 204


def test_a_nul_inside_a_text_ends_nothing(edge):
    for path in SOUND:
        for field in ("appliance_id", "token"):
            body = with_value(path, field, json.dumps(SOUND[path][field] + "\0x").encode())
            answer = edge.post(path, body)
            assert answer.status == 401, (path, answer)


@pytest.mark.parametrize("path", SOUND)
def test_a_malformed_body_in_chunks_is_400_and_ends_the_connection(edge, path):
    for body in (b"{", json.dumps(SOUND[path]).encode()[:-1], b"\xff"):
        with RawConnection(edge.port) as connection:
            connection.send(request_bytes("POST", path, b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body),
                                          [("Transfer-Encoding", "chunked")]))
            assert connection.answer().status == 400
            assert connection.ended()
