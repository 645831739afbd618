"""How long a box waits until the world can see it, beside the floor of the same run."""

import statistics
import time

BOXES = 20
MEDIAN_LIMIT = 0.3
WORST_LIMIT = 1.0


def spread(times):
    return f"median {statistics.median(times):.3f} s, worst {max(times):.3f} s over {len(times)}"


def public_by_hand(lab, chain, number):
    name = lab.names.box(f"hand{number}")
    lab.hub.traefik.wait_idle()
    start = chain.add(f"hand{number}", name)
    return lab.visitor.wait_status(name, 200) - start


def public_by_us(lab, number):
    """From just before losos-announce starts, so its /register lies within."""
    box = lab.box(f"fresh{number}")
    lab.hub.traefik.wait_idle()
    start = time.monotonic()
    box.come()
    return lab.visitor.wait_status(box.hostname, 200) - start


def test_a_fresh_box_is_public_at_the_hub_in_a_third_of_a_second(lab, figure):
    names = [lab.names.box(f"{kind}{n}") for kind in ("hand", "fresh") for n in range(BOXES)]
    floor, ours = [], []
    with lab.certified(names), lab.by_hand() as chain:
        # In turns, so that whatever else the machine does meets both alike.
        for number in range(BOXES):
            floor.append(public_by_hand(lab, chain, number))
            ours.append(public_by_us(lab, number))
        # Gone before their certificate is: Traefik would order one for each.
        lab.dismiss("fresh")
    with_order = public_by_us(lab, "-ordered")
    lab.dismiss("fresh")
    ratio = statistics.median(ours) / statistics.median(floor)
    figure(f"files written by hand to the first 200:  {spread(floor)}")
    figure(f"/register to the first 200:              {spread(ours)}")
    figure(f"ratio of the medians:                    {ratio:.1f}")
    figure(f"the same with an ACME order:             {with_order:.2f} s")
    assert statistics.median(ours) <= MEDIAN_LIMIT
    assert max(ours) <= WORST_LIMIT
