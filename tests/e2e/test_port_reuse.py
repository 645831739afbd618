"""A port given up and taken again never shows one box's page under another's name.

Traefik keeps idle connections to a port, and each still leads to the box it was made for, whoever
holds the port now. So a freed port rests for longer than Traefik keeps them, and for as long as one
is busy; the shipped 120 s and 60 s are shortened together here. A box that has left keeps its tunnel
for a while, as one that its operator forgets does: else its connections would end with it.
"""

import time

import pytest
from losos_lab import Churn, Lab, MixUp, Visitors, until

RELAYED = [f"box{number}" for number in range(32)]
DIRECT = [f"direct{number}" for number in range(8)]
PORTS = "20000-20011"
REST = 2
TIMING = {"reconcile": "1s", "uplink_every": 1.0, "port_rest": f"{REST}s"}
IDLE = "1s"
# Well above what is left of a rest when a box has gone, and the way into both Traefiks.
COMES_WITHIN = 20.0
TURNS = 2


@pytest.fixture(scope="module")
def narrow():
    """A lab on twelve ports an edge, and its boxes by id; none has come yet."""
    with Lab(timing=TIMING) as lab:
        for edge in (lab.hub, lab.gateway):
            edge.ports = PORTS
            edge.traefik.idle = IDLE
        lab.start_edges()
        lab.gateway.traefik.start()
        relayed = lab.pages(lab.box_space, RELAYED)
        direct = lab.pages(lab.visitor_space, DIRECT)
        boxes = {name: lab.box(name, relayed) for name in RELAYED}
        boxes |= {name: lab.direct_box(name, direct) for name in DIRECT}
        with lab.certified([box.hostname for box in boxes.values()]):
            yield lab, boxes


def come(box):
    until(lambda: box.register() == 200, f"a port for {box.id}", COMES_WITHIN, pause=0.05)
    box.client_config()
    box.start_tunnel()


def go(box):
    assert box.deregister() == 204
    box.tunnel.kill()


def resting(edge):
    """The ports that rest, by the id of the row that had them."""
    return {rest["id"]: int(port) for port, rest in edge.registry()["resting"].items()}


def visitors_of(lab, boxes):
    """Everybody asks for every box, over kept connections to the hub and on the LAN."""
    names = {box.hostname: box.id for box in boxes}
    relayed = [box.hostname for box in boxes if box.id not in DIRECT]
    visitors = Visitors(names, pause=0.001)
    visitors.keeping("a visitor", lab.visitor, names)
    visitors.sharing("a visitor with one connection", lab.visitor, names)
    visitors.sharing("a neighbour on the LAN", lab.lan_visitor(), relayed)
    return visitors


def hand_over(edge, first, second):
    """Does by hand what the registrar never does: the second box has the port of the first from one
    moment to the next."""
    edge.registrar.kill()
    for file in (edge.server_toml, edge.traefik.dynamic / "losos.yml"):
        text = file.read_text()
        for before, after in ((first.hostname, second.hostname), (first.id, second.id),
                              (first.token_file.read_text().strip(),
                               second.token_file.read_text().strip())):
            text = text.replace(before, after)
        whole = file.with_name(f".{file.name}.new")
        whole.write_text(text)
        whole.rename(file)


@pytest.mark.parametrize("at", ["hub", "gateway"])
def test_without_a_rest_the_page_of_a_ports_last_owner_is_shown(narrow, at):
    """What the others guard against is there, in the real parts, and would be seen."""
    lab, boxes = narrow
    edge, visitor, ids = {"hub": (lab.hub, lab.visitor, DIRECT),
                          "gateway": (lab.gateway, lab.lan_visitor(), RELAYED)}[at]
    first, second = boxes[ids[0]], boxes[ids[1]]
    with Visitors({first.hostname: first.id, second.hostname: second.id}) as visitors:
        visitors.keeping("a visitor", visitor, [first.hostname, second.hostname])
        come(first)
        visitors.wait_seen(time.monotonic(), COMES_WITHIN, first.hostname)
        second.client_config()
        hand_over(edge, first, second)
        second.start_tunnel()
        with pytest.raises(MixUp, match=f"{second.hostname} .* page of {first.id}"):
            visitors.wait_seen(time.monotonic(), COMES_WITHIN, second.hostname)
    second.tunnel.kill()
    edge.start_registrar()
    go(first)


def test_a_port_is_nobody_elses_while_a_request_to_its_last_owner_is_under_way(narrow):
    lab, boxes = narrow
    first, second = boxes[RELAYED[2]], boxes[RELAYED[3]]
    come(first)
    lab.visitor.wait_status(first.hostname, 200, COMES_WITHIN)
    connection = lab.visitor.open(first.hostname, timeout=30)
    connection.request("GET", "/slow")
    answer = connection.getresponse()
    kept = lab.ports_of(first)
    assert first.deregister() == 204
    lab.visitor.wait_status(first.hostname, 404)
    begun = time.monotonic()
    while time.monotonic() - begun < REST + 1:
        assert answer.read(1), "the request lasts longer than the rest"

    come(second)
    lab.visitor.wait_status(second.hostname, 200, COMES_WITHIN)
    taken = lab.ports_of(second)
    assert kept.keys() == taken.keys() and not set(kept.items()) & set(taken.items())
    assert answer.read(), "the request was under way till now"
    connection.close()
    with Visitors({second.hostname: second.id}) as visitors:
        visitors.sharing("a visitor", lab.visitor, [second.hostname])
        until(lambda: first.id not in resting(lab.gateway), "the gateway's port to be free", 20)
        until(lambda: f"{lab.names.spoke}.{first.id}" not in resting(lab.hub),
              "the hub's port to be free", 20)
        visitors.wait_seen(time.monotonic(), COMES_WITHIN)
    go(second)
    first.tunnel.kill()


def test_a_port_given_up_and_taken_again_never_shows_another_boxes_page(narrow, figure):
    lab, boxes = narrow
    start = time.monotonic()
    with visitors_of(lab, boxes.values()) as visitors, \
            Churn(lab, boxes.values(), visitors, comings=TURNS * len(boxes)) as churn:
        churn.finish()
        visitors.watch(0)
    assert churn.ports() <= 24
    assert churn.handovers() > 40
    figure(f"{churn.seen} comings on 12 ports in {time.monotonic() - start:.0f} s: "
           f"{churn.handovers()} handovers, {sum(visitors.counts.values())} requests, "
           f"{visitors.counts[200]} answered 200, none by another box")
