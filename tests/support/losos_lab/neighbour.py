"""A second gateway beside the lab's own: its own line to the hub, its own LAN, its own boxes."""

from . import space as spaces
from .box import Box
from .edge import Gateway, RATHOLE_PORT

HUB_ADDRESS = "198.51.101.1"
GATEWAY_ADDRESS = "198.51.101.2"
LAN_ADDRESS = "192.168.78.1"
BOX_ADDRESS = "192.168.78.10"


class Neighbour:
    """Serves the same zone as the first gateway, unless it is given one of its own; up and linked
    to the hub once it is made."""

    def __init__(self, lab, spoke, zone=None):
        self._lab = lab
        self.spoke = spoke
        gateway_space = spaces.Space(lab.tag, "gateway2")
        self.box_space = spaces.Space(lab.tag, "box2")
        spaces.join(lab.hub_space, "wan2", [f"{HUB_ADDRESS}/24"],
                    gateway_space, "uplink", [f"{GATEWAY_ADDRESS}/24"])
        spaces.join(gateway_space, "lan", [f"{LAN_ADDRESS}/24"],
                    self.box_space, "lan", [f"{BOX_ADDRESS}/24"])
        gateway_space.set_hosts({lab.names.public_host: HUB_ADDRESS})
        self.gateway = Gateway(gateway_space, lab.folder / "gateway2", lab.logs, lab.noise,
                               lab.timing, LAN_ADDRESS, kind="gateway2")
        self.gateway.trusted = lab.acme.root_file
        self.gateway.prepare()
        self.gateway.start_rathole()
        self.gateway.start_registrar()
        self.gateway.start_units(lab.timing["uplink_every"])
        self.gateway.set_uplink(spoke, lab.hub.list_spoke(spoke, zone),
                                f"https://{lab.names.public_host}", f"{HUB_ADDRESS}:{RATHOLE_PORT}")

    def box(self, box_id, hostname, pages):
        """A fresh box on this gateway's LAN."""
        return Box(self.box_space, self._lab.folder / "boxes" / box_id, self._lab.logs, box_id,
                   hostname, self.gateway, self._lab.noise, self._lab.timing,
                   pages.port_of(box_id))
