"""losos-edge doctor: of a file that holds what nobody can use it says what to do."""

import json

import pytest
from losos_tools import Gateway, run, token, write_json, write_text

NO_BUS = {"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"}


def said_of(path, *words):
    done = run("losos-edge", "doctor", *words, "--timeout", "100ms", "--json", env=NO_BUS)
    checks = json.loads(done.out)["checks"]
    found = next(check for check in checks if check["what"] == f"file {path}")
    assert found["verdict"] == "failed", found
    return found["says"]


@pytest.mark.parametrize("name, remedy", [
    ("edge.json", "systemctl restart lososd-pathd"),
    ("edge-path.env", "systemctl restart lososd-pathd"),
    ("announced.json", "systemctl restart losos-registrar-announce"),
    ("refused.json", "systemctl restart losos-registrar-announce"),
    ("losos-proxy-token", "put back the token that the edges know"),
    ("losos-rathole-bootstrap", "put back the token that the edges know"),
])
def test_a_file_of_a_box_that_cannot_be_used_comes_with_a_remedy(tmp_path, name, remedy):
    mode = 0o644 if name.startswith("edge") else 0o600
    path = write_text(tmp_path / name, "{\n", mode)
    says = said_of(path, "--machine", "box", "--box-run-dir", tmp_path, "--secrets-dir", tmp_path,
                   "--rathole-client-config", tmp_path / "none", "--http-port", "1")
    assert says.endswith(remedy) or says.endswith(f'type "{remedy}"'), says


@pytest.mark.parametrize("name, remedy", [
    ("status_file", 'type "systemctl restart losos-registrar"'),
    ("pass_file", 'type "systemctl start losos-uplink"'),
    ("uplink_token", 'with "losos-edge uplink set"'),
])
def test_a_file_of_a_gateway_that_cannot_be_used_comes_with_a_remedy(tmp_path, name, remedy):
    gateway = Gateway(tmp_path / "gateway")
    gateway.edge_dir.mkdir(mode=0o700)
    write_text(gateway.uplink_token, token("acme") + "\n", 0o600)
    write_json(gateway.uplink_json, {"registrar_url": "http://127.0.0.1:1", "id": "acme",
                                     "rathole_endpoint": "127.0.0.1:1",
                                     "token_file": str(gateway.uplink_token)})
    gateway.uplink_json.chmod(0o600)
    path = getattr(gateway, name)
    write_text(path, "{\n", 0o600 if name == "uplink_token" else 0o644)
    says = said_of(path, *gateway.edge_flags(), "--machine", "gateway")
    assert says.endswith(remedy), says
