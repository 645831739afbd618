"""Custom domains: pages under their owners' own names, behind a gateway, come what may."""

import os
import signal
import time

import pytest
from losos_lab import until
from losos_lab.crowd import Crowd
from losos_lab.domain_lab import NEIGHBOUR_ZONE, OWNED, DomainLab
from losos_lab.witness import Witness
from losos_tools.relaying import sign_pass

TIMING = {"ttl": "30s", "reconcile": "1s", "heartbeat": "1s", "uplink_every": 1.0}
DOMAIN = f"cloud.{OWNED}"
# As many as a gateway may relay.
CROWD = [f"box{number:02}" for number in range(64)]


@pytest.fixture(scope="module")
def domains():
    """A hub that offers domains, a gateway, and what the tests below make of them one by one."""
    with DomainLab(timing=TIMING) as lab:
        lab.start_edges()
        yield lab


@pytest.fixture(scope="module")
def pages(domains):
    return domains.pages(domains.box_space, ["mattbox", "tunnelbox", *CROWD])


@pytest.fixture(scope="module")
def mattbox(domains, pages):
    """A box that is vouched for, in the mesh, and public by its hostname; it has its pass."""
    box = domains.listed_box("mattbox", pages)
    domains.official.vouch(box.id)
    domains.start_pathd(box)
    box.come()
    until(lambda: domains.view(box)["eligible"], "the box to be eligible")
    domains.join_mesh(box)
    domains.visitor.wait_status(box.hostname, 200, 60)
    until(lambda: domains.holder(box) == "acme", "the gateway to hold the box")
    return box


@pytest.fixture(scope="module")
def domain(domains, mattbox):
    """A domain that is live, with its certificate."""
    if not any(each["domain"] == DOMAIN for each in domains.view(mattbox)["domains"]):
        domains.add(mattbox, DOMAIN)
    domains.prove(mattbox, DOMAIN)
    domains.visitor.wait_status(DOMAIN, 200, 60)
    return DOMAIN


def settle(lab, box):
    """Waits until everything that was to be ordered is there: the box's name in the zone and its
    hostname at the hub come a little after it."""
    for name in (lab.view(box)["target"], f"{box.id}.{lab.names.domain}"):
        lab.visitor.wait_status(name, 200, 60)
    until(lambda: lab.acme.issued() == lab.acme.orders(), "every order to be at its end", 60)


def wait_checks(lab, box, domain, count):
    """Waits until the domain has been looked up so many more times."""
    until(lambda before=lab.lookups(domain): lab.lookups(domain) >= before + count,
          f"{count} lookups of {domain}", 30)


def wait_relays(gateway, count=3):
    """Waits until the gateway has called the hub so many times more."""
    def passed():
        return gateway.status()["uplink"]["last_pass"]["at"]
    for _ in range(count):
        until(lambda before=passed(): passed() != before, "a pass of the uplink", 30)


def test_64_boxes_of_a_gateway_cost_one_order_where_wildcards_are_proved_in_dns(
        domains, pages, figure):
    lab, crowd = domains, Crowd(domains, CROWD, pages)
    orders, begun = lab.acme.orders(), time.monotonic()
    crowd.come()
    for box in crowd.ids:
        lab.visitor.wait_status(crowd.hostname(box), 200, 60)
        answer = lab.visitor.request(crowd.hostname(box))
        assert answer.names() == [f"*.{lab.names.zone}"] and answer.json()["page"] == box
    ordered = lab.acme.orders() - orders
    figure(f"{len(crowd.ids)} boxes of a gateway:  {ordered} order, all served "
           f"{time.monotonic() - begun:.2f} s after the first came")
    assert ordered == 1
    crowd.leave()


def test_a_domain_is_served_under_its_own_certificate_once_its_owner_has_put_the_records_in(
        domains, mattbox, figure):
    lab, name = domains, DOMAIN
    settle(lab, mattbox)
    orders = lab.acme.orders()
    lab.add(mattbox, name)
    until(lambda: lab.seen(mattbox, name)["problem"] == "txtMissing", "the first lookup")
    wait_checks(lab, mattbox, name, 2)
    # The name leads here, and is still not offered to the authority: nobody has proved anything.
    lab.point(mattbox, name)
    until(lambda: lab.seen(mattbox, name)["points_here"], "the alias to be seen")
    wait_checks(lab, mattbox, name, 2)
    assert not lab.has_router(name)
    assert lab.acme.orders() == orders and not lab.acme.has_asked_for(name)

    lab.prove(mattbox, name)
    assert lab.knot.knows(f"_losos-challenge.{name}", "TXT")
    visible = time.monotonic()
    until(lambda: lab.has_router(name), "the router")
    routed = time.monotonic()
    served = lab.visitor.wait_status(name, 200, 60)
    answer = lab.visitor.request(name, "/page?x=1")
    assert answer.names() == [name] and answer.issuer().startswith("Pebble")
    assert answer.json() == {"page": "mattbox", "host": name}
    assert lab.acme.orders() == orders + 1 and lab.acme.has_asked_for(name)
    until(lambda: name in (lab.gateway.state / "hub-routes.json").read_text(),
          "the gateway's operator to be told")
    mattbox.pathd.stop()
    lab.start_pathd(mattbox)
    until(lambda: name in mattbox.public_names.read_text(), "the box's programs to be told")
    figure(f"a domain behind a gateway:  a router {routed - visible:.2f} s after its record is visible, "
           f"the first 200 after {served - visible:.2f} s, with a lookup a second; Traefik asks after "
           "an order at once and every five seconds")


def test_a_claim_that_flaps_costs_no_second_order(domains, mattbox, domain, figure):
    lab = domains
    settle(lab, mattbox)
    orders, times = lab.acme.orders(), []
    before = lab.visitor.request(domain).certificate["serialNumber"]
    for off, on in ((lambda: lab.official.disown(mattbox.id),
                     lambda: lab.official.vouch(mattbox.id)),
                    (lambda: lab.unprove(mattbox, domain), lambda: lab.prove(mattbox, domain))) * 2:
        begun = time.monotonic()
        off()
        times.append(f"{lab.visitor.wait_status(domain, 404, 30) - begun:.2f}")
        assert not lab.has_router(domain)
        on()
        lab.visitor.wait_status(domain, 200, 30)
        assert lab.visitor.request(domain).certificate["serialNumber"] == before
    settle(lab, mattbox)
    assert lab.acme.orders() == orders
    figure(f"a domain is off:  {times[0]} and {times[2]} s after its box is no longer vouched for, "
           f"{times[1]} and {times[3]} s after its proof is gone, with a lookup a second")


def test_the_zone_is_served_by_knot_and_follows_the_hub(domains, mattbox, figure):
    lab, zone = domains, domains.names.domain
    target = lab.view(mattbox)["target"]
    assert lab.knot.ask(target, "A") == [lab.hub.address]
    answer = lab.visitor.wait_status(target, 200, 60) and lab.visitor.request(target)
    assert answer.names() == [target] and answer.json()["page"] == "mattbox"
    before = lab.knot.serial(zone)
    lab.hub.list_more({"comer": {"hostname": f"comer.{zone}",
                                 "token_file": str(mattbox.token_file)}})
    begun = time.monotonic()
    lab.official.vouch("comer")
    until(lambda: lab.knot.knows(f"comer.{zone}"), "the new tenant's name")
    figure(f"a new name in the zone:  {time.monotonic() - begun:.2f} s until Knot answers it")
    assert lab.knot.serial(zone) > before
    lab.hub.list_without("comer")
    until(lambda: lab.knot.denies(f"comer.{zone}"), "the name to go again")
    lab.knot.check(zone, lab.zone_file)
    assert lab.knot.complaints(zone) == []


def test_a_box_with_only_a_tunnel_has_its_hostname_and_no_domain(domains, mattbox, pages):
    lab, name = domains, f"tunnel.{OWNED}"
    box = lab.listed_box("tunnelbox", pages)
    lab.official.vouch(box.id)
    lab.start_pathd(box)
    box.come()
    until(lambda: lab.view(box)["eligible"], "the box to be eligible")
    lab.visitor.wait_status(box.hostname, 200, 30)
    until(lambda: lab.holder(box) == "acme", "the gateway to hold the box")
    lab.add(box, name)
    lab.prove(box, name)
    until(lambda: lab.seen(box, name)["status"] == "live", "the claim to be live", 30)
    wait_relays(lab.gateway)
    assert not lab.has_router(name) and name not in lab.routes()
    assert not lab.has_router(lab.view(box)["target"])
    assert not lab.acme.has_asked_for(name)
    assert lab.visitor.request(box.hostname).json()["page"] == "tunnelbox"
    # What it lacked.
    assert lab.join_mesh(box)["node_name"] == box.id
    assert [request.method for request in lab.kube.asked(f"/api/v1/nodes/{box.id}")] == ["DELETE"]
    lab.visitor.wait_status(name, 200, 60)
    assert lab.visitor.request(name).json()["page"] == "tunnelbox"


def test_a_box_that_is_registered_at_the_hub_itself_wins_over_its_gateway(domains, mattbox, domain):
    lab = domains
    elsewhere = lab.pages(lab.visitor_space, ["direct"])
    with Witness(lab.visitor, domain) as witness:
        witness.wait_page("mattbox")
        direct = lab.moved(mattbox, lab.visitor_space, lab.hub, f"mattbox.{lab.names.domain}",
                           elsewhere.port_of("direct"))
        direct.come()
        settled = witness.wait_page("direct", 30)
        wait_relays(lab.gateway)
        witness.wait_requests(20)
        assert witness.outcomes(since=settled) == {"direct"}
        assert lab.holder(mattbox) == "acme" and domain not in lab.routes()
        direct.announce.stop()
        assert direct.deregister() == 204
        witness.wait_page("mattbox", 30)
        direct.tunnel.stop()
    assert lab.routes()[domain] == "acme"


def test_a_domain_follows_its_box_to_another_gateway_and_the_old_one_does_not_get_it_back(
        domains, mattbox, domain, figure):
    lab, neighbour = domains, domains.neighbour()
    # One and the same pass from here on, also where an hour ends meanwhile.
    mattbox.pathd.stop()
    relay_pass = mattbox.relay_pass.read_text().strip()
    until(lambda: relay_pass in lab.gateway.live_boxes(), "the gateway to list the pass")
    there = lab.pages(neighbour.box_space, ["elsewhere"])
    moved = lab.moved(mattbox, neighbour.box_space, neighbour.gateway, f"mattbox.{NEIGHBOUR_ZONE}",
                      there.port_of("elsewhere"), heartbeat="30s")
    mattbox.fall_silent()
    begun = time.monotonic()
    moved.come()
    # It has registered, and does not call again before this is over: its pass came at once.
    served = lab.visitor.wait_status(domain, 200, 30)
    assert lab.visitor.request(domain).json()["page"] == "elsewhere"
    figure(f"a domain follows its box to another gateway:  {served - begun:.2f} s after the box's "
           "start there, with a heartbeat every 30 s")
    assert lab.routes()[domain] == "beta"

    # The old gateway still lists the box, with the same pass and then with an older one.
    refusal = f"acme gets no hold of {mattbox.id}: it shows {{}}; beta keeps it"
    assert relay_pass in lab.gateway.live_boxes()
    lab.hub.registrar.wait_line(refusal.format("a pass of the same hour, as it did before"))
    key = (lab.hub.state / "relay-pass.key").read_text().strip()
    older = sign_pass(key, mattbox.id, int(relay_pass.split(".")[1]) - 1)
    heartbeat = {**mattbox.credentials(), "relay_pass": older}
    assert lab.gateway.api("POST", "/heartbeat", heartbeat)[0] == 204
    lab.hub.registrar.wait_line(refusal.format("an older pass"))
    wait_relays(lab.gateway)
    assert older in lab.gateway.live_boxes()
    assert f"acme.{mattbox.id}" in lab.hub.registry()["tenants"]
    assert lab.holder(mattbox) == "beta" and lab.routes()[domain] == "beta"
    assert lab.visitor.request(domain).json()["page"] == "elsewhere"

    moved.announce.stop()
    assert moved.deregister() == 204
    moved.tunnel.stop()
    mattbox.come()
    with Witness(lab.visitor, domain) as witness:
        witness.wait_page("mattbox", 30)
    assert lab.routes()[domain] == "acme"
    neighbour.gateway.stop_units()
    lab.start_pathd(mattbox)


def test_a_hub_that_was_killed_serves_the_domain_before_any_gateway_has_called(
        domains, mattbox, domain, figure):
    lab, hub = domains, domains.hub
    settle(lab, mattbox)
    orders = lab.acme.orders()
    with lab.gateway.units_held():
        before = lab.gateway.uplink_status.read_text()
        for program in (hub.registrar, hub.rathole, hub.traefik):
            program.kill()
        begun = time.monotonic()
        hub.start_rathole()
        hub.start_registrar()
        hub.traefik.start()
        served = lab.visitor.wait_status(domain, 200, 30)
        assert lab.visitor.request(domain).json()["page"] == "mattbox"
        assert lab.gateway.uplink_status.read_text() == before
    figure(f"a domain after its hub was killed:  {served - begun:.2f} s after the start, and no "
           "gateway had called")
    until(lambda: lab.gateway.uplink_status.read_text() != before, "the gateway to call")
    assert lab.routes()[domain] == "acme"
    assert lab.acme.orders() == orders


def kill_gateway(gateway):
    gateway.registrar.kill()
    gateway.rathole.kill()
    gateway.kill_units()


def start_gateway(lab):
    lab.gateway.start_rathole()
    lab.gateway.start_registrar()
    lab.gateway.start_units(lab.timing["uplink_every"])


def test_a_gateway_that_was_killed_costs_the_domain_no_more_than_the_tunnel(
        domains, mattbox, domain, figure):
    lab, gateway = domains, domains.gateway
    with Witness(lab.visitor, domain) as of_domain, Witness(lab.visitor, mattbox.hostname) as of_box:
        of_domain.wait_requests(10)
        killed = time.monotonic()
        kill_gateway(gateway)
        until(lambda: of_domain.other_than("mattbox", since=killed), "the tunnel to be missed")
        start_gateway(lab)
        back = {each: each.wait_page("mattbox", 60) for each in (of_domain, of_box)}
        wait_relays(gateway)
        of_domain.wait_requests(20)
    # What the tunnel takes is no answer or a 502; a 404 would be a route that had gone.
    assert "404" not in of_domain.outcomes(since=killed)
    figure(f"a domain after its gateway was killed:  gone for {back[of_domain] - killed:.2f} s, the "
           f"box's hostname for {back[of_box] - killed:.2f} s")
    assert lab.routes()[domain] == "acme"


def test_after_a_reboot_of_its_gateway_the_next_heartbeat_brings_the_domain_back(
        domains, mattbox, domain):
    lab, gateway = domains, domains.gateway
    kill_gateway(gateway)
    # What is under /run is gone, and with it the pass.
    for file in gateway.run_dir.iterdir():
        file.unlink()
    start_gateway(lab)
    with Witness(lab.visitor, domain) as witness:
        witness.wait_page("mattbox", 60)
    until(lambda: lab.holder(mattbox) == "acme" and mattbox.relay_pass.read_text().strip() in
          gateway.live_boxes(), "the pass to be shown again")
    assert lab.routes()[domain] == "acme"


def test_when_the_identity_ends_all_domains_are_off_until_there_is_a_new_one(
        domains, mattbox, domain):
    lab, official = domains, domains.official
    settle(lab, mattbox)
    orders, target = lab.acme.orders(), lab.view(mattbox)["target"]
    registrar = lab.hub.registrar
    official.install(days=31)
    until(lambda: not lab.hub.faults("identity.cert.json"), "no complaint of a certificate of 31 days")
    official.install(days=29)
    until(lambda: lab.hub.faults("expires on"), "a certificate of 29 days to be complained of")
    ends = official.let_expire(3)
    until(lambda: lab.hub.metric("identity_expiry_time_seconds") == ends, "its end in the metrics")

    until(lambda: lab.call(mattbox, "/domains/list").status == 503, "the end of it", 30)
    lab.visitor.wait_status(domain, 404, 30)
    lab.visitor.wait_status(target, 404, 30)
    for path in ("/domains/list", "/domains/add", "/domains/remove"):
        assert lab.call(mattbox, path, domain=domain).status == 503
    until(lambda: lab.hub.faults("expired on"), "a complaint of its end")
    until(lambda: lab.knot.denies(target), "the zone to be bare")
    assert lab.knot.denies(mattbox.hostname) and not lab.knot.knows(lab.names.domain)
    assert lab.knot.knows(lab.names.public_host) and lab.knot.knows(lab.names.domain, "NS")
    lab.knot.check(lab.names.domain, lab.zone_file)
    wait_relays(lab.gateway)
    assert not lab.has_router(domain) and not {domain, target} & set(lab.routes())
    assert lab.visitor.request(mattbox.hostname).json()["page"] == "mattbox"

    official.install(days=90)
    for name in (domain, target):
        lab.visitor.wait_status(name, 200, 30)
    until(lambda: lab.knot.knows(target), "the zone to be whole again")
    assert lab.seen(mattbox, domain)["status"] == "live"
    assert lab.hub.registrar is registrar and registrar.running()
    assert lab.acme.orders() == orders and not lab.hub.faults("identity.cert.json")


def test_no_certificate_was_asked_for_in_vain(domains, mattbox, domain, figure):
    """A name in the zone is offered once the name servers have it, a domain once it is proved."""
    lab = domains
    settle(lab, mattbox)
    assert not lab.acme.refused()
    figure(f"orders for all of this:  {lab.acme.orders()}, each of them granted")
