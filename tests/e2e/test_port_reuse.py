"""A port given up and taken again never shows one box's page under another's name.

Traefik keeps idle connections to a port, and each still leads to the box it was made for, whoever
holds the port now. So a freed port rests for longer than Traefik keeps them; the shipped 120 s and
60 s are shortened together here. A box that has left keeps its tunnel for a while, as one that its
operator forgets does: else its connections would end with it, and show nothing.
"""

import collections
import itertools
import json
import threading
import time

import pytest
from losos_lab import Lab, MixUp, Visitors, until

RELAYED = [f"box{number}" for number in range(32)]
DIRECT = [f"direct{number}" for number in range(8)]
FIRST, SECOND = "first", "second"
PORTS = "20000-20011"
AS_SHIPPED = {"port_rest": "2s", "idle": "1s"}
# Well above what is left of a rest when a box has gone, and the way into both Traefiks.
COMES_WITHIN = 20.0
TURNS = 2
WORKERS = 4
TIMING = {"reconcile": "1s", "uplink_every": 1.0}


def set_rest(lab, port_rest, idle):
    """Both edges anew, with these two times."""
    lab.timing["port_rest"] = port_rest
    for edge in (lab.hub, lab.gateway):
        edge.traefik.idle = idle
        if edge.registrar:
            edge.registrar.stop()
            edge.traefik.stop()
            edge.start_registrar()
            edge.traefik.start()


@pytest.fixture
def narrow():
    """A lab on twelve ports an edge, where a freed port does not rest and an idle connection stays:
    what the shipped files must never say."""
    with Lab(timing=TIMING) as lab:
        lab.hub.ports = lab.gateway.ports = PORTS
        set_rest(lab, "1ms", "60s")
        lab.start_edges()
        lab.gateway.traefik.start()
        relayed = lab.pages(lab.box_space, [FIRST, SECOND, *RELAYED])
        direct = lab.pages(lab.visitor_space, DIRECT)
        boxes = {name: lab.box(name, relayed) for name in [FIRST, SECOND, *RELAYED]}
        boxes |= {name: lab.direct_box(name, direct) for name in DIRECT}
        with lab.certified([box.hostname for box in boxes.values()]):
            yield lab, boxes


def come(box):
    until(lambda: box.register() == 200, f"a port for {box.id}", COMES_WITHIN, pause=0.05)
    box.client_config()
    box.start_tunnel()


def resting(edge):
    return json.loads((edge.state / "registry.json").read_text()).get("resting")


def visitors_of(lab, boxes):
    """Everybody asks for every box, over kept connections to the hub and on the LAN."""
    names = {box.hostname: box.id for box in boxes}
    relayed = [box.hostname for box in boxes if box.id not in DIRECT]
    visitors = Visitors(names, pause=0.001)
    visitors.keeping("a visitor", lab.visitor, names)
    visitors.sharing("a visitor with one connection", lab.visitor, names)
    visitors.sharing("a neighbour on the LAN", lab.lan_visitor(), relayed)
    return visitors


def show_the_fault(lab, first, second, visitor):
    """One box takes the port of another that a visitor has just asked for."""
    with Visitors({first.hostname: first.id, second.hostname: second.id}) as visitors:
        visitors.keeping("a visitor", visitor, [first.hostname, second.hostname])
        come(first)
        visitors.wait_seen(time.monotonic(), COMES_WITHIN, first.hostname)
        assert first.deregister() == 204
        until(lambda: not resting(lab.hub) and not resting(lab.gateway), "no port to rest")
        come(second)
        visitors.wait_seen(time.monotonic(), COMES_WITHIN, second.hostname)


def leave(lab, box, told):
    if told or box.id in DIRECT:
        assert box.deregister() == 204
    else:
        lab.gateway.losos_edge("forget", box.id)


class Churn:
    """Boxes that come, are seen by every visitor, and go; several at a time."""

    def __init__(self, lab, boxes, visitors):
        self._lab = lab
        self._visitors = visitors
        self._next = iter([box for _ in range(TURNS) for box in boxes])
        self._lock = threading.Lock()
        self._failures = []
        self.port_owners = collections.defaultdict(list)

    def run(self):
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(WORKERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self._failures:
            raise self._failures[0]

    def _work(self):
        lingering = collections.deque()
        try:
            for number in itertools.count():
                with self._lock:
                    box = None if self._failures else next(self._next, None)
                if box is None:
                    break
                self._one(box, number)
                lingering.append(box)
                if len(lingering) > 4:
                    lingering.popleft().tunnel.kill()
        except BaseException as error:
            self._failures.append(error)
        for box in lingering:
            box.tunnel.kill()

    def _one(self, box, number):
        start = time.monotonic()
        come(box)
        self._visitors.wait_seen(start, COMES_WITHIN, box.hostname)
        self._note_ports(box)
        leave(self._lab, box, told=number % 2)
        if number % 4 == 0:
            box.tunnel.kill()

    def _note_ports(self, box):
        for edge in (self._lab.hub, self._lab.gateway):
            rows = json.loads((edge.state / "registry.json").read_text())["tenants"]
            for row in (box.id, f"{self._lab.names.spoke}.{box.id}"):
                if row in rows:
                    self.port_owners[edge.kind, rows[row]["port"]].append(box.id)


def test_a_port_given_up_and_taken_again_never_shows_another_boxes_page(narrow, figure):
    lab, boxes = narrow
    first, second = boxes.pop(FIRST), boxes.pop(SECOND)
    for visitor in (lab.visitor, lab.lan_visitor()):
        with pytest.raises(MixUp, match=f"{second.hostname} .* page of {FIRST}"):
            show_the_fault(lab, first, second, visitor)
        for box in (first, second):
            box.tunnel.kill()
            assert box.deregister() == 204

    set_rest(lab, **AS_SHIPPED)
    start = time.monotonic()
    with visitors_of(lab, boxes.values()) as visitors:
        churn = Churn(lab, list(boxes.values()), visitors)
        churn.run()
        visitors.watch(0)
    handovers = sum(len(owners) - 1 for owners in churn.port_owners.values())
    assert len(churn.port_owners) <= 24
    assert handovers > 40
    figure(f"{TURNS * len(boxes)} comings on 12 ports in {time.monotonic() - start:.0f} s: "
           f"{handovers} handovers, {sum(visitors.counts.values())} requests, "
           f"{visitors.counts[200]} answered 200, none by another box")
