"""losos-edge ssh, where it cannot be switched. The machines that boot switch it."""

import pytest
from losos_tools import run

NO_BUS = {"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"}


@pytest.mark.root
@pytest.mark.parametrize("word", ["on", "off"])
def test_only_root_switches_ssh(word):
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    done = run("losos-edge", "ssh", word, env=NO_BUS, prefix=nobody)
    assert (done.code, done.out) == (1, "")
    assert f"sudo losos-edge ssh {word}" in done.err


@pytest.mark.root
def test_ssh_without_a_systemd_says_that_it_cannot_be_asked():
    done = run("losos-edge", "ssh", "on", env=NO_BUS)
    assert (done.code, done.out) == (1, "")
    assert "systemd cannot be asked" in done.err
