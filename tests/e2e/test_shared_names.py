"""Several boxes claim one hostname: one of them answers, the right one, at every moment."""

import time

import pytest
from losos_lab import HASTY, Lab, until
from losos_lab.box import Box
from losos_lab.neighbour import Neighbour
from losos_lab.witness import Witness

NAME = "mattbox"


@pytest.fixture(scope="module")
def claims():
    """Three boxes that want the same hostname: behind either gateway, and at the hub itself."""
    with Lab(timing=HASTY) as lab:
        lab.start_edges()
        yield Claims(lab)


class Claims:
    def __init__(self, lab):
        self.lab = lab
        self.hostname = lab.names.box(NAME)
        self.neighbour = Neighbour(lab, "beta")
        self.relayed = lab.box(NAME, lab.pages(lab.box_space, [NAME]))
        self.other = self.neighbour.box("other", self.hostname,
                                        lab.pages(self.neighbour.box_space, ["other"]))
        self.direct = Box(lab.visitor_space, lab.folder / "boxes" / "direct", lab.logs, "direct",
                          self.hostname, lab.hub, lab.noise, lab.timing,
                          lab.pages(lab.visitor_space, ["direct"]).port_of("direct"))
        lab.hub.list_box(self.direct)

    def witness(self):
        return Witness(self.lab.visitor, self.hostname)

    def come_first(self, box):
        box.come()
        self.lab.visitor.wait_status(self.hostname, 200, 30)

    def wait_unserved(self, row):
        """Until then rathole listens for the row's visitors, whatever became of its tunnel."""
        until(lambda: f'"{row}"' not in self.lab.hub.server_toml.read_text(), f"{row} to go")

    def everybody_leaves(self):
        for box in (self.relayed, self.other, self.direct):
            leave(box)
        self.lab.visitor.wait_status(self.hostname, 404)


def leave(box):
    """For good, in the order a box keeps: its row goes first, and then its tunnel."""
    if box.announce is None:
        return
    box.announce.stop()
    assert box.deregister() == 204
    box.announced.unlink(missing_ok=True)


def stop_tunnel(box):
    box.tunnel.stop()


def refusals(gateway):
    uplink = gateway.status()["uplink"]
    return {box["id"]: box["reason"] for box in (uplink["last_pass"] or {}).get("refused", [])}


def stays_with(witness, box):
    """The name comes to the box, and from then on every request."""
    settled = witness.wait_page(box.id)
    witness.wait_requests(50)
    assert witness.outcomes(since=settled) == {box.id}


def test_a_box_that_also_comes_to_the_hub_changes_sides_without_a_failed_request(claims):
    relayed, direct = claims.relayed, claims.direct
    claims.come_first(relayed)
    with claims.witness() as witness:
        witness.wait_requests(20)
        # Registered, but its tunnel is late: nobody notices.
        direct.start_announce()
        direct.wait_announced()
        direct.client_config()
        witness.wait_requests(50)
        assert witness.outcomes() == {relayed.id}
        direct.start_tunnel()
        stays_with(witness, direct)

        leave(direct)
        stays_with(witness, relayed)
        claims.wait_unserved(direct.id)
        stop_tunnel(direct)

        direct.come()
        settled = witness.wait_page(direct.id)
        # The other order: the direct one is there when the relayed one goes, and comes.
        leave(relayed)
        claims.wait_unserved(f"acme.{NAME}")
        stop_tunnel(relayed)
        relayed.come()
        until(lambda: f"acme.{NAME}" in claims.lab.hub.server_toml.read_text(),
              "the relayed service")
        witness.wait_requests(50)
        assert witness.outcomes(since=settled) == {direct.id}
        leave(direct)
        stays_with(witness, relayed)
        stop_tunnel(direct)
        assert not witness.other_than(relayed.id, direct.id)
    claims.everybody_leaves()
    stop_tunnel(relayed)


def test_of_two_gateways_the_first_keeps_the_name_until_it_gives_it_up(claims, figure):
    relayed, other, beta = claims.relayed, claims.other, claims.neighbour.gateway
    claims.come_first(relayed)
    with claims.witness() as witness:
        start = witness.wait_requests(20)
        other.come()
        until(lambda: "another gateway" in refusals(beta).get(other.id, ""), "a refusal")
        witness.wait_requests(50)
        assert witness.outcomes() == {relayed.id}

        # No pass of the second gateway knows when the first gives the name up; the next one does.
        gone = time.monotonic()
        leave(relayed)
        taken = witness.wait_page(other.id)
        figure(f"a name between two gateways is nobody's:  {taken - gone:.2f} s, with a pass a "
               "second")
        assert taken - gone <= claims.lab.timing["uplink_every"] + 3
        stop_tunnel(relayed)
        assert refusals(beta) == {}

        # And in the other order.
        relayed.come()
        until(lambda: "another gateway" in refusals(claims.lab.gateway).get(relayed.id, ""),
              "a refusal")
        witness.wait_requests(50)
        assert witness.outcomes(since=taken) == {other.id}
        between = [r for r in witness.since(start) if gone < r.begun < taken]
        assert not [r for r in witness.other_than(relayed.id, other.id) if r not in between]
        # Nobody is shown the other's page before the change, nor the first one's after it.
        pages = [r.outcome for r in between if r.outcome in (relayed.id, other.id)]
        assert pages == sorted(pages, key=(relayed.id, other.id).index)
    claims.everybody_leaves()
