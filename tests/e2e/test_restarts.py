"""Everything is killed and started again in any order: the path comes back and nothing is lost.

LOSOS_ROUNDS says how many rounds (5), LOSOS_SEED repeats the ones of an earlier run.
"""

import itertools
import json
import os
import random
import signal
import statistics
import time
from dataclasses import dataclass
from typing import Callable

import pytest
from losos_lab import DAILY, HASTY, Churn, Lab, Visitors, until

ROUNDS = int(os.environ.get("LOSOS_ROUNDS", "5"))
SEED = int(os.environ.get("LOSOS_SEED") or random.randrange(1 << 32))
RELAYED = ("apple", "birch", "cedar", "dahlia")
DIRECT = "solo"
BACK_WITHIN = 30.0
# Comers and goers that change ports meanwhile. A port rests longer than anything is down.
COMERS = [f"comer{number}" for number in range(24)]
NARROW = {"reconcile": "1s", "uplink_every": 1.0, "port_rest": "6s"}
# A round's kills lie within the first seconds, each start within as many after its kill.
KILLS_WITHIN = 2.0
STARTS_WITHIN = 2.0
# In every third round things stay down for longer: whoever waits for them waits longer too, and where
# rows age in seconds they are gone meanwhile.
LONG_EVERY, LONG_STARTS_WITHIN = 3, 12.0


@dataclass
class Part:
    """A program, or several that live and die together, with the machine it runs on."""
    name: str
    machine: str
    kill: Callable
    start: Callable
    running: Callable


def edge_parts(edge):
    machine = edge.kind
    return [
        Part(f"{machine} registrar", machine, lambda: edge.registrar.kill(),
             edge.start_registrar, lambda: edge.registrar.running()),
        Part(f"{machine} rathole", machine, lambda: edge.rathole.kill(), edge.start_rathole,
             lambda: edge.rathole.running()),
        Part(f"{machine} Traefik", machine, edge.traefik.kill, edge.traefik.start,
             edge.traefik.running),
    ]


def uplink_parts(lab):
    gateway = lab.gateway

    def kill_tunnel():
        tunnel = gateway.uplink_tunnel()
        if tunnel:
            os.kill(tunnel, signal.SIGKILL)

    return [
        Part("gateway units", "gateway", gateway.kill_units,
             lambda: gateway.start_units(lab.timing["uplink_every"]), gateway.units_running),
        # The units start it again by themselves.
        Part("gateway uplink tunnel", "gateway", kill_tunnel, lambda: None,
             lambda: gateway.uplink_tunnel() is not None),
    ]


def box_parts(box):
    def start_tunnel():
        box.client_config()
        box.start_tunnel()

    return [
        Part(f"{box.id} announce", box.id, lambda: box.announce.kill(), box.start_announce,
             lambda: box.announce.running()),
        Part(f"{box.id} tunnel", box.id, lambda: box.tunnel.kill(), start_tunnel,
             lambda: box.tunnel.running()),
    ]


def schedule(dice, parts, machine, starts_within=STARTS_WITHIN):
    """When what is killed and started, as (seconds, what, part). With a machine it loses all its
    parts at one moment, else each part has the odds of a coin and a moment of its own."""
    chosen = [part for part in parts
              if (part.machine == machine if machine else dice.random() < 0.5)]
    events = []
    for part in dice.sample(chosen, len(chosen)):
        killed = 0.0 if machine else dice.uniform(0, KILLS_WITHIN)
        events.append((killed, "kill", part))
        events.append((killed + dice.uniform(0.02, starts_within), "start", part))
    return sorted(events, key=lambda event: event[0])


def machines(dice):
    """Whose turn it is in each round: None for single parts, in every other round."""
    while True:
        for machine in dice.sample(["hub", "gateway", dice.choice((*RELAYED, DIRECT))], 3):
            yield machine
            yield None


def tell(number, events):
    """For whoever looks at a failed round."""
    story = ", ".join(f"{at:.2f} {what} {part.name}" for at, what, part in events)
    print(f"seed {SEED}, round {number + 1}: {story}", flush=True)


def play(events, visitors):
    begun = time.monotonic()
    for at, what, part in events:
        visitors.watch(max(0.0, begun + at - time.monotonic()))
        (part.kill if what == "kill" else part.start)()


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()
            if path.is_file() and path.name != ".lock"}


def what_must_stay(lab, boxes):
    """Every row, token, key, port, route and rendered file."""
    kept = {"hub-routes.json": (lab.gateway.state / "hub-routes.json").read_bytes(),
            "uplink.toml": lab.gateway.uplink_toml.read_bytes(),
            "enrolled": contents(lab.gateway.enrol_dir), "uplink": contents(lab.gateway.edge_dir)}
    for edge in (lab.hub, lab.gateway):
        registry = json.loads((edge.state / "registry.json").read_text())
        kept |= {f"{edge.kind} tenants": registry["tenants"], f"{edge.kind} keys":
                 contents(edge.keys), f"{edge.kind} server.toml": edge.server_toml.read_bytes(),
                 f"{edge.kind} losos.yml": (edge.traefik.dynamic / "losos.yml").read_bytes()}
    for box in boxes:
        kept[box.id] = (box.token_file.read_bytes(), contents(box.pins),
                        box.client_toml.read_bytes(), json.loads(box.announced.read_text())["url"])
    return kept


def assert_stays(lab, boxes, before):
    def lost():
        try:
            now = what_must_stay(lab, boxes)
        except FileNotFoundError as error:
            return {str(error.filename): ("there", "gone")}
        return {name: (before[name], now[name]) for name in before if before[name] != now[name]}
    until(lambda: not lost(), lambda: f"what is lost or changed to be back: {lost()}")


@pytest.fixture(params=[DAILY, HASTY], ids=["stock times", "hasty times"])
def crowd(request):
    """A lab with boxes on both ways, which every round leaves as it found it."""
    with Lab(timing=request.param) as lab:
        pages = lab.pages(lab.box_space, RELAYED)
        on_internet = lab.pages(lab.visitor_space, [DIRECT])
        lab.start_edges()
        lab.gateway.traefik.start()
        boxes = [lab.box(name, pages) for name in RELAYED]
        boxes.append(lab.direct_box(DIRECT, on_internet))
        for box in boxes:
            box.come()
        for box in boxes:
            lab.visitor.wait_status(box.hostname, 200, 30)
        yield lab, boxes


def start_visitors(lab, boxes):
    names = {box.hostname: box.id for box in boxes}
    visitors = Visitors(names)
    relayed = [box.hostname for box in boxes if box.id != DIRECT]
    visitors.fresh("a visitor with new connections", lab.visitor, names)
    visitors.keeping("a visitor with kept connections", lab.visitor, names)
    visitors.keeping("a neighbour on the LAN", lab.lan_visitor(), relayed)
    return visitors


def test_killed_in_any_order_all_comes_back_and_no_visitor_sees_another_boxes_page(crowd, figure):
    lab, boxes = crowd
    rounds = (ROUNDS + 1) // 2
    parts = [*edge_parts(lab.hub), *edge_parts(lab.gateway), *uplink_parts(lab)]
    parts += [part for box in boxes for part in box_parts(box)]
    dice = random.Random(f"{SEED} {lab.timing['ttl']}")
    turns = machines(dice)
    before, times = what_must_stay(lab, boxes), []
    with start_visitors(lab, boxes) as visitors:
        visitors.wait_seen(time.monotonic(), 15)
        for number in range(rounds):
            long = number % LONG_EVERY == LONG_EVERY - 1
            events = schedule(dice, parts, next(turns),
                              LONG_STARTS_WITHIN if long else STARTS_WITHIN)
            tell(number, events)
            play(events, visitors)
            start = time.monotonic()
            times.append(visitors.wait_seen(start, BACK_WITHIN) - start)
            assert_stays(lab, boxes, before)
            until(lambda: all(part.running() for part in parts), "every part to run", 5)
    figure(f"{rounds} rounds of kills (TTL {lab.timing['ttl']}, seed {SEED}): back after median "
           f"{statistics.median(times):.1f} s, worst {max(times):.1f} s; "
           f"{sum(visitors.counts.values())} requests, {visitors.counts[200]} answered 200")


@pytest.fixture
def narrow():
    """A lab with fewer ports than boxes, so that they go from hand to hand."""
    with Lab(timing=NARROW) as lab:
        for edge in (lab.hub, lab.gateway):
            edge.ports = "20000-20011"
            edge.traefik.idle = "5s"
        lab.start_edges()
        lab.gateway.traefik.start()
        pages = lab.pages(lab.box_space, COMERS)
        boxes = [lab.box(name, pages) for name in COMERS]
        with lab.certified([box.hostname for box in boxes]):
            yield lab, boxes


def test_ports_that_change_hands_amid_kills_show_nobody_anothers_page(narrow, figure):
    """A registrar that forgets at its start which ports rest is found out within some rounds
    (tried)."""
    lab, boxes = narrow
    parts = [*edge_parts(lab.hub), *edge_parts(lab.gateway), *uplink_parts(lab)]
    dice = random.Random(SEED)
    machine = itertools.cycle([None, "hub", None, "gateway"])
    times = []
    with Visitors({box.hostname: box.id for box in boxes}, pause=0.002) as visitors, \
            Churn(lab, boxes, visitors, patient=True, within=BACK_WITHIN) as churn:
        visitors.keeping("a visitor", lab.visitor, [box.hostname for box in boxes])
        visitors.sharing("a neighbour on the LAN", lab.lan_visitor(),
                         [box.hostname for box in boxes])
        churn.wait_seen(8, BACK_WITHIN)
        for number in range(ROUNDS):
            events = schedule(dice, parts, next(machine))
            tell(number, events)
            play(events, visitors)
            start = time.monotonic()
            # The first were on their way before the kills.
            churn.wait_seen(churn.seen + 5, BACK_WITHIN)
            times.append(time.monotonic() - start)
    assert churn.handovers() > ROUNDS
    figure(f"{ROUNDS} rounds of kills (seed {SEED}) amid {churn.seen} comings and "
           f"{churn.handovers()} handovers of ports: five more are there after median "
           f"{statistics.median(times):.1f} s, worst {max(times):.1f} s")
