"""What goes, goes at the hub too: at once when told, by its age when silent."""

import time

from losos_lab import until

# Scheduling, a web request and a file's way into Traefik, on top of what the rules allow.
SLACK = 1.0


def seconds(text):
    assert text.endswith("s")
    return float(text[:-1])


def come(lab, box_id):
    box = lab.box(box_id)
    box.come()
    lab.visitor.wait_status(box.hostname, 200, 30)
    return box


def assert_next_visitor_gets_404_at_once(lab, hostname):
    start = time.monotonic()
    assert lab.visitor.request(hostname).status == 404
    assert time.monotonic() - start < 1.0


def test_a_box_that_deregisters_is_gone_from_the_hub_within_a_second(lab, figure):
    box = come(lab, "leaver")
    box.announce.stop()
    start = time.monotonic()
    assert box.deregister() == 204
    gone = lab.visitor.wait_status(box.hostname, 404, 5) - start
    figure(f"/deregister to 404 at the hub:           {gone:.3f} s")
    assert gone <= 1.0
    assert_next_visitor_gets_404_at_once(lab, box.hostname)
    box.stop()


def test_a_box_its_operator_forgets_is_gone_from_the_hub_within_a_second(lab, figure):
    box = come(lab, "forgotten")
    box.announce.stop()
    start = time.monotonic()
    lab.gateway.losos_edge("forget", box.id)
    gone = lab.visitor.wait_status(box.hostname, 404, 5) - start
    figure(f"losos-edge forget to 404 at the hub:     {gone:.3f} s")
    assert gone <= 1.0
    assert_next_visitor_gets_404_at_once(lab, box.hostname)
    assert box.id not in lab.gateway.losos_edge("boxes").out
    box.stop()


def test_a_silent_box_is_gone_within_its_ttl_and_one_reconcile(hasty_lab, figure):
    lab = hasty_lab
    box = come(lab, "silent")
    box.fall_silent()
    start = time.monotonic()
    limit = seconds(lab.timing["ttl"]) + seconds(lab.timing["reconcile"]) + SLACK
    gone = lab.visitor.wait_status(box.hostname, 404, 3 * limit) - start
    figure(f"a silent box, TTL 3 s and reconcile 1 s:  404 after {gone:.1f} s")
    assert gone <= limit
    assert_next_visitor_gets_404_at_once(lab, box.hostname)


def test_a_gateway_that_falls_silent_is_gone_within_its_ttl_and_one_reconcile(hasty_lab):
    lab = hasty_lab
    box = come(lab, "orphan")
    lab.gateway.stop_units()
    start = time.monotonic()
    limit = seconds(lab.timing["ttl"]) + seconds(lab.timing["reconcile"]) + SLACK
    try:
        gone = lab.visitor.wait_status(box.hostname, 404, 3 * limit) - start
        assert gone <= limit
        assert_next_visitor_gets_404_at_once(lab, box.hostname)
    finally:
        lab.gateway.start_units(lab.timing["uplink_every"])
    lab.visitor.wait_status(box.hostname, 200)
    box.stop()


def test_a_gateway_whose_registrar_is_dead_goes_silent_although_its_timer_runs(own_lab):
    lab = own_lab
    box = come(lab, "survivor")
    lab.gateway.registrar.kill()
    start = time.monotonic()
    # The gateway's own TTL, after which its status counts as stale, and then the hub's.
    limit = 2 * seconds(lab.timing["ttl"]) + seconds(lab.timing["reconcile"]) \
        + lab.timing["uplink_every"] + SLACK
    gone = lab.visitor.wait_status(box.hostname, 404, 3 * limit) - start
    assert gone <= limit
    done = lab.gateway.uplink_pass()
    assert "status.json" in done.err, "the pass says why it sends nothing"
    lab.gateway.start_registrar()
    lab.visitor.wait_status(box.hostname, 200)


def test_a_box_that_comes_back_under_its_name_is_public_again(lab):
    box = come(lab, "boomerang")
    assert box.deregister() == 204
    lab.visitor.wait_status(box.hostname, 404, 5)
    box.stop()
    box.announced.unlink()
    box.come()
    lab.visitor.wait_status(box.hostname, 200)
    box.stop()
    assert box.deregister() == 204
    until(lambda: box.id not in lab.gateway.losos_edge("boxes").out, "the box to be gone")
