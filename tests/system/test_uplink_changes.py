"""What changes on a gateway while a pass of its uplink runs or ends: the hub hears of it at once, and not
when the timer has its turn."""

import http.client
import json
import secrets
import statistics
import time

import pytest

from losos_system import Federation, LAN_ADDRESSES, until
from losos_system.setting_up import ZONE

ROUNDS = 25
STATUS = "/run/losos-registrar/uplink-status.json"
# The timer comes every 20 s.
AT_ONCE = 5.0


@pytest.fixture(scope="module")
def site():
    """A hub and a gateway that is relayed by it; the boxes of this file have no machine."""
    federation = Federation()
    try:
        federation.make()
        federation.boot([federation.hub, federation.gateway])
        federation.set_up_hub()
        federation.set_up_gateway()
        federation.set_uplink()
        yield federation
    finally:
        federation.down()


class Box:
    """Somebody on the LAN who registers and leaves."""

    def __init__(self, site, name):
        self._space = site.network.space("box")
        self.name = name
        self._credentials = {"appliance_id": name, "token": secrets.token_hex(32)}

    def _call(self, route, **more):
        connection = http.client.HTTPConnection(LAN_ADDRESSES["gateway"])
        connection.sock = self._space.connect((LAN_ADDRESSES["gateway"], 8443))
        try:
            connection.request("POST", route, json.dumps(self._credentials | more),
                               {"Content-Type": "application/json"})
            return connection.getresponse().status
        finally:
            connection.close()

    def register(self):
        assert self._call("/register", hostname=f"{self.name}.{ZONE}") == 200

    def deregister(self):
        assert self._call("/deregister") == 204


def accepted(site):
    """Whom the hub takes from the gateway, as the last pass has it."""
    path = site.gateway.path(STATUS)
    return {box["id"] for box in json.loads(path.read_text())["accepted"]} if path.exists() else set()


def test_of_two_changes_in_a_row_the_second_is_never_left_to_the_timer(site, figure):
    took = []
    for number in range(ROUNDS):
        one, other = boxes = [Box(site, f"{name}{number}") for name in ("one", "other")]
        one.register()
        # Somewhere in the pass that this starts, or at its end.
        time.sleep(0.25 * number / ROUNDS)
        other.register()
        began = time.monotonic()
        names = {box.name for box in boxes}
        until(lambda: names <= accepted(site), "the hub to have both", AT_ONCE)
        took.append(time.monotonic() - began)
        for box in boxes:
            box.deregister()
        until(lambda: not accepted(site), "the hub to have neither", AT_ONCE)
        until(lambda: site.gateway.active("losos-uplink") == "inactive"
              and site.gateway.active("losos-uplink-look") == "inactive", "the passes to end")
    figure("from the second of two registrations to the hub's yes: "
           f"median {statistics.median(took):.2f} s, worst {max(took):.2f} s of {len(took)}")


def test_a_pass_that_missed_nothing_is_followed_by_no_other(site):
    until(lambda: site.gateway.active("losos-uplink") == "inactive", "the pass to end")
    runs = set()

    def note():
        runs.add(site.gateway.show("losos-uplink", "InvocationID"))
        return len(runs) > 1 and site.gateway.active("losos-uplink") == "inactive"

    # The timer's next one, and none before or after it.
    until(note, "the timer's turn", 30)
    ended = time.monotonic()
    while time.monotonic() - ended < 3:
        note()
        time.sleep(0.1)
    assert len(runs) == 2
