"""The machines of the system ring: hub, gateway and box, each booted with systemd, D-Bus and Avahi.

    with Federation() as all:                     # three machines that run, and nothing set up
        all.hub.run("losos-edge status")          # what an owner types; .out, .err, .code
        all.box.path("/run/losos/edge.json")      # the machine's file, to read or write from outside
        all.gateway.reboot()                      # or poweroff(), kill(), boot()
        all.lan.cut("gateway")                    # the switch's port goes down; mend() brings it back
        all.set_up()                              # or set_up_hub(), set_up_gateway(), set_up_box()
        with all.watcher("mattbox...") as seen:   # a visitor who asks ten times a second
            ...
        seen.outages()                            # and what he got

In tests/system/conftest.py the fixture `federation` is three machines for one file's tests, `site` the
same with everything set up and the box public; `figure` prints a line at the end of the run.
"""

from losos_lab.wait import TimedOut, until

from .federation import Federation
from .machine import Done, Failed, Machine
from .network import HUB_ADDRESS, LAN_ADDRESSES
from .setting_up import BOX, BOX_NAME, HUB_NAME, HUB_URL, SPOKE, ZONE
from .watcher import Watcher

__all__ = ["BOX", "BOX_NAME", "Done", "Failed", "Federation", "HUB_ADDRESS", "HUB_NAME", "HUB_URL",
           "LAN_ADDRESSES", "Machine", "SPOKE", "TimedOut", "Watcher", "ZONE", "until"]
