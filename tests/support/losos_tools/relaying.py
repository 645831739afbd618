"""A hub with a route table, under a wall clock that stands still, and the passes its boxes have."""

import hashlib
import hmac

from .clocks import WallClock
from .files import read_json, write_json
from .registrar import Registrar

# Ten minutes into an hour.
HOUR = 500_000
NOW = HOUR * 3600 + 600


def sign_pass(key, box, hour):
    """The pass of a box by Python's HMAC; `key` in hex."""
    text = f"losos-relay-pass-v1\n{box}\n{hour}\n".encode()
    return f"v1.{hour}.{hmac.new(bytes.fromhex(key), text, hashlib.sha256).hexdigest()}"


class RelayHub(Registrar):
    """Every gateway relays under its own zone; every box is a tenant whose own hostname is
    `<box>.cloud.test`, and a member of the mesh."""

    def __init__(self, folder, boxes=("mattbox",), gateways=("acme", "beta"), **options):
        tenants = {gateway: {"relay_zone": f"{gateway}.test"} for gateway in gateways}
        tenants |= {box: {"hostname": f"{box}.cloud.test", "cluster": True} for box in boxes}
        super().__init__(folder, tenants=tenants, **options)
        self.pass_key = self.state / "relay-pass.key"
        self.routes_file = self.state / "relay-routes.json"
        self.flags = {"relay_pass_key_file": self.pass_key, "relay_routes_file": self.routes_file,
                      **self.flags}
        write_json(self.registry_file, {
            "tenants": {}, "compute_windows": {box: {} for box in boxes}, "resting": {}})
        self.clock = WallClock(folder)
        self.stop_clock(NOW)

    def start(self, wait=True, **options):
        return super().start(wait, env=self.clock.env, **options)

    def stop_clock(self, at):
        self.clock.stop(at)
        self.now = at

    # --- passes ---

    def sign(self, box, age=0):
        """The pass this hub made for a box so many hours ago."""
        return sign_pass(self.pass_key.read_text(encoding="ascii").strip(), box,
                         self.now // 3600 - age)

    def show(self, gateway, passes):
        """A `/relay` that lists these boxes, each with its pass or None without; the answer."""
        rows = [{"id": box, "hostname": f"{box}.{gateway}.test"} |
                ({} if each is None else {"pass": each}) for box, each in passes.items()]
        answer = self.relay(gateway, rows)
        assert answer.status == 200, answer
        return answer.json()

    def bind(self, gateway, box, age=0):
        """Binds a box to a gateway, which lists nothing else."""
        answer = self.show(gateway, {box: self.sign(box, age)})
        assert self.holder(box) == gateway, self.bindings()
        return answer

    # --- the files ---

    def bindings(self):
        return read_json(self.routes_file)["bindings"]

    def holder(self, box):
        """The gateway that holds a box; None when nobody does."""
        return self.bindings().get(box, {}).get("spoke")

    def routes(self):
        """{domain: service} of relay-routes.json."""
        return {route["domain"]: route["service"] for route in read_json(self.routes_file)["routes"]}

    def routed_hosts(self):
        """Names of boxes in losos.yml."""
        return {host for host in self.routers().values() if host.endswith(".cloud.test")}

    def refusals(self, gateway, box):
        """The lines of the log that say this gateway gets no hold of this box."""
        return [line for line in self.log().splitlines()
                if f"{gateway} gets no hold of {box}: " in line]
