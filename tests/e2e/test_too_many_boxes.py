"""A hub takes 64 boxes from one gateway: those work, and the others are named."""

from losos_lab import Lab, until
from losos_lab.crowd import Crowd

MOST = 64
BOXES = [f"box{number:02d}" for number in range(MOST + 6)]
TAKEN, LEFT_OUT = BOXES[:MOST], BOXES[MOST:]


def page_of(lab, hostname):
    lab.visitor.wait_status(hostname, 200, 30)
    return lab.visitor.request(hostname).json()["page"]


def left_out(gateway):
    return (gateway.status()["uplink"]["last_pass"] or {}).get("left_out", [])


def test_the_first_sixty_four_work_and_the_others_are_named():
    with Lab() as lab:
        lab.start_edges()
        crowd = Crowd(lab, BOXES)
        names = {box: crowd.hostname(box) for box in BOXES}
        with lab.certified(list(names.values())):
            crowd.come()
            until(lambda: left_out(lab.gateway) == LEFT_OUT,
                  lambda: f"{LEFT_OUT} to be left out, and not {left_out(lab.gateway)}")
            assert {box: page_of(lab, names[box]) for box in TAKEN} == {box: box for box in TAKEN}
            for box in LEFT_OUT:
                assert lab.visitor.request(names[box]).status == 404

            warning = lab.gateway.uplink_pass().err
            assert f"{MOST} boxes from one gateway" in warning
            text = lab.gateway.losos_edge("status").out
            assert f"relaying: {MOST} boxes" in text.splitlines()
            line = next(line for line in text.splitlines() if line.startswith("left out: "))
            for box in BOXES:
                assert (box in warning, box in line) == (box in LEFT_OUT, box in LEFT_OUT)

            # A place that is free goes to the next one in the line.
            assert crowd.deregister(TAKEN[0]) == 204
            assert page_of(lab, names[LEFT_OUT[0]]) == LEFT_OUT[0]
            until(lambda: left_out(lab.gateway) == LEFT_OUT[1:], "one less to be left out")
            lab.visitor.wait_status(names[TAKEN[0]], 404)
