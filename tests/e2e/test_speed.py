"""How long a box waits until the world can see it, beside the floor of the same run."""

import statistics
import time

BOXES = 20
MEDIAN_LIMIT = 0.3
WORST_LIMIT = 1.0


def spread(times):
    return f"median {statistics.median(times):.3f} s, worst {max(times):.3f} s over {len(times)}"


def public_by_hand(lab, chain, box_id):
    name = lab.names.box(box_id)
    lab.hub.traefik.wait_idle()
    start = chain.add(box_id, name)
    return lab.visitor.wait_status(name, 200) - start


def public_by_us(lab, box_id):
    """From just before losos-announce starts, so its /register lies within."""
    box = lab.box(box_id)
    lab.hub.traefik.wait_idle()
    start = time.monotonic()
    box.come()
    return lab.visitor.wait_status(box.hostname, 200) - start


def measure(lab, attempt):
    """The times of 20 boxes by hand and 20 by us, each with a certificate for its name there."""
    hand, fresh = ([f"{kind}{attempt}-{n}" for n in range(BOXES)] for kind in ("hand", "fresh"))
    floor, ours = [], []
    with lab.certified([lab.names.box(each) for each in hand + fresh]), lab.by_hand() as chain:
        # In turns, so that whatever else the machine does meets both alike.
        for by_hand, by_us in zip(hand, fresh):
            floor.append(public_by_hand(lab, chain, by_hand))
            ours.append(public_by_us(lab, by_us))
        # Gone before their certificate is: Traefik would order one for each.
        lab.dismiss("fresh")
    return floor, ours


def keeps_the_limits(times):
    return statistics.median(times) <= MEDIAN_LIMIT and max(times) <= WORST_LIMIT


def test_a_fresh_box_is_public_at_the_hub_in_a_third_of_a_second(lab, figure):
    # A machine that is shared stalls now and then: of two attempts one has to keep both limits.
    for attempt in range(2):
        floor, ours = measure(lab, attempt)
        figure(f"files written by hand to the first 200:  {spread(floor)}")
        figure(f"/register to the first 200:              {spread(ours)}")
        ratio = statistics.median(ours) / statistics.median(floor)
        figure(f"ratio of the medians:                    {ratio:.1f}")
        if keeps_the_limits(ours):
            break
    figure(f"the same with an ACME order:             {public_by_us(lab, 'ordered'):.2f} s")
    lab.dismiss("ordered")
    assert keeps_the_limits(ours)
