"""losos-uplink and files of its own that are faulty or have no directory."""

import pytest
from losos_tools import box, token, until, write_text
from test_uplink import SHARED_EDGE, UPLINK_TOML


@pytest.mark.parametrize("text", ["", "{", "[]", '{"registrar_url": "ftp://x"}'])
def test_an_uplink_file_that_cannot_be_used_is_6_and_keeps_the_tunnels(linked, text):
    linked.run_pass()
    before = linked.uplink_toml.read_bytes()
    write_text(linked.uplink_json, text)
    done = linked.run_pass()
    assert done.code == 6
    assert str(linked.uplink_json) in done.err
    assert linked.uplink_toml.read_bytes() == before


@pytest.mark.parametrize("content", [None, "", "short"], ids=["missing", "empty", "short"])
def test_a_token_that_cannot_be_used_is_6_and_says_what_to_do(linked, content):
    linked.uplink_token.unlink()
    if content is not None:
        write_text(linked.uplink_token, content)
    done = linked.run_pass()
    assert done.code == 6
    assert str(linked.uplink_token) in done.err and "losos-edge uplink set" in done.err


def test_an_uplink_toml_somebody_spoilt_is_written_anew(linked, make_edge):
    linked.run_pass()
    write_text(linked.uplink_toml, "no toml at all [[[")
    assert linked.run_pass().code == 0
    assert linked.uplink_toml.read_text() == UPLINK_TOML


def test_an_uplink_toml_somebody_spoilt_loses_its_tunnels_to_a_hub_that_refuses_and_says_so(
        linked, make_edge):
    hub = make_edge("hub", tenants=SHARED_EDGE["tenants"])
    linked.set_uplink(hub.url)
    assert linked.run_pass().code == 0
    write_text(hub.token_file("acme"), token("rotated"))
    until(lambda: hub.relay("acme", []).status == 401, "the token to be rotated")
    write_text(linked.uplink_toml, "no toml at all [[[")
    done = linked.run_pass()
    assert done.code == 3
    assert "it is written anew without a tunnel" in done.err
    assert "nothing was changed" not in done.err
    assert linked.services() == {}


def test_a_pass_whose_directory_is_not_there_is_6(gateway, tmp_path):
    gateway.uplink_json = tmp_path / "no" / "uplink.json"
    done = gateway.run_pass()
    assert done.code == 6
    assert f"there is no directory {tmp_path / 'no'}; make it" in done.err
