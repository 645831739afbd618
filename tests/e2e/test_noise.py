"""Who is at the other end of a tunnel: pinned keys, changed keys, and no keys at all."""

import pytest
from losos_lab import Failed, wait


def renew_noise_key(edge):
    """The edge gets another key and serves it, as after a loss of its disk."""
    edge.registrar.stop()
    edge.noise_key.unlink()
    edge.noise_pub.unlink()
    edge.tool("losos-registrar", "noise", "keygen", "--noise-private-key-file", edge.noise_key)
    edge.start_registrar()


def come(lab, box_id):
    box = lab.box(box_id)
    box.come()
    lab.visitor.wait_status(box.hostname, 200, 30)
    return box


def test_a_changed_hub_key_is_refused_and_the_message_leads_out(own_lab):
    lab = own_lab
    box = come(lab, "mattbox")
    pinned = lab.gateway.hub_noise.read_text()
    assert pinned.strip() == lab.hub.noise_pub.read_text().strip()

    established = lab.gateway.log_of_units().count("Control channel established")
    assert established > 0
    renew_noise_key(lab.hub)
    refused = lab.gateway.uplink_pass(expect=1)
    assert "key" in refused.err and "changed" in refused.err
    assert "losos-edge uplink" in refused.err, "the message names the command to type"
    assert lab.gateway.hub_noise.read_text() == pinned, "a changed key is never pinned again"

    # The old tunnel was cut by the new key; a client that trusts the old one gets nowhere.
    wait.until(lambda: "Failed to do noise handshake" in lab.gateway.log_of_units(),
               "the tunnel to meet the new key")
    lab.visitor.wait_status(box.hostname, 404)
    assert lab.gateway.log_of_units().count("Control channel established") == established
    with pytest.raises(Failed):
        lab.gateway.uplink_pass(expect=0)

    # The way out: the operator who knows why the key changed sets the uplink anew.
    lab.gateway.losos_edge("uplink", "clear")
    lab.set_uplink()
    lab.visitor.wait_status(box.hostname, 200)
    assert lab.gateway.hub_noise.read_text().strip() == lab.hub.noise_pub.read_text().strip()


def test_a_changed_gateway_key_is_refused_by_the_box(own_lab):
    lab = own_lab
    box = come(lab, "mattbox")
    before = box.client_toml.read_text()
    box.tunnel.stop()
    renew_noise_key(lab.gateway)
    refused = box.client_config(expect=1)
    assert "key" in refused.err and "changed" in refused.err
    assert str(box.pins) in refused.err, "the message names the pin to remove"
    assert box.client_toml.read_text() == before

    box.start_tunnel()
    box.tunnel.wait_line("Retry in")
    assert lab.visitor.request(box.hostname).status != 200
    box.tunnel.stop()
    for pin in box.pins.iterdir():
        pin.unlink()
    box.client_config()
    box.start_tunnel()
    lab.visitor.wait_status(box.hostname, 200)


def test_without_noise_the_request_crosses_just_as_well(plain_lab):
    lab = plain_lab
    box = come(lab, "mattbox")
    assert lab.visitor.request(box.hostname).json()["host"] == box.hostname
    assert lab.visitor.request(lab.names.public_host, "/noise-public-key").status == 404
    for file in (lab.hub.server_toml, lab.gateway.server_toml, lab.gateway.uplink_toml,
                 box.client_toml):
        assert "noise" not in file.read_text()
    assert not lab.gateway.hub_noise.exists()
    assert not list(box.pins.iterdir())
