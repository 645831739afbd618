"""IPv6 alone, IPv4 beside it, and a kernel that keeps the two apart."""

import pytest
from losos_lab import Lab, parts, until
from losos_lab.edge import API_PORT, RATHOLE_PORT
from losos_lab.net import V4, V6, Net, at
from losos_lab.process import Process
from losos_lab.visitor import Visitor

NETS = {
    "IPv6 only": Net((V6,), any="::"),
    "dual stack": Net((V4, V6), any="::"),
    # What IPv4 there is, only the tunnels' ports refuse it; so the machines use IPv6.
    "bindv6only": Net((V6, V4), any="::"),
}
DARK = "--rathole-bind-addr [::]:2333 takes IPv6 alone, for net.ipv6.bindv6only is 1"


def bare(address):
    return address.split("/")[0]


@pytest.fixture(params=NETS)
def family(request):
    lab = Lab(net=NETS[request.param])
    with lab:
        if request.param == "bindv6only":
            for space in (lab.hub_space, lab.gateway_space):
                space.set_sysctl("net.ipv6.bindv6only", 1)
        yield request.param, lab.start_edges()


def faults_of(edge, words):
    until(lambda: edge.status()["registrar"]["state"] == "running", "the registrar to run")
    registrar = edge.status()["registrar"]
    return [fault for fault in registrar["faults"] if words in fault]


def start_on_ipv4_alone(lab):
    """The gateway's registrar is started anew on 0.0.0.0; returns what it says by then."""
    lab.gateway.registrar.stop()
    lab.gateway.any_address = "0.0.0.0"
    process = Process(lab.gateway.space, "gateway-on-ipv4", [
        parts.tool("losos-registrar"), "serve", *lab.gateway.serve_flags()], lab.logs)
    process.wait_line(rf"--listen 0\.0\.0\.0:{API_PORT} takes IPv4 alone")
    process.wait_line(rf"--rathole-bind-addr 0\.0\.0\.0:{RATHOLE_PORT} takes IPv4 alone")
    return process.log()


def test_a_request_crosses_or_the_start_says_which_family_is_dark(family):
    name, lab = family
    box = lab.box("mattbox")
    box.come()
    for table in lab.net.tables:
        visitor = Visitor(lab.visitor_space, bare(table["hub"]), lab.visitor_context())
        visitor.wait_status(box.hostname, 200, 30)
        assert visitor.request(box.hostname).json()["x_forwarded_for"] == bare(table["visitor"])
        # The API takes both, whatever the kernel's habit is.
        connection = lab.box_space.connect((bare(table["lan"]), API_PORT))
        connection.close()
    for edge in (lab.hub, lab.gateway):
        assert bool(faults_of(edge, DARK)) == (name == "bindv6only")
        assert (DARK in edge.registrar.log()) == (name == "bindv6only")
        assert at("::", RATHOLE_PORT) in edge.server_toml.read_text()
    # What the start says is so.
    reached = {table["lan"]: lab.box_space.listens(RATHOLE_PORT, bare(table["lan"]))
               for table in lab.net.tables}
    assert reached == {table["lan"]: table is V6 or name != "bindv6only"
                       for table in lab.net.tables}

    said = start_on_ipv4_alone(lab)
    assert ("nobody on the network reaches it" in said) == (name == "IPv6 only")
    assert bool(faults_of(lab.gateway, "takes IPv4 alone")) == (name == "IPv6 only")
