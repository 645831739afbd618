"""Three machines and the network between them."""

import atexit
import concurrent.futures
import signal
import ssl
import sys

from losos_lab.authority import Authority
from losos_lab.visitor import Visitor

from . import image, setting_up
from .machine import Machine
from .namespace import Namespace
from .network import HUB_ADDRESS, LAN_ADDRESSES, Network
from .watcher import Watcher


class Federation:
    """Built by up(), gone after down() and after the process, however it ends."""

    standing = set()

    def __init__(self):
        self._namespace = Namespace()
        self.tag = self._namespace.tag
        self.machines = []

    def up(self):
        """Every machine booted, and nothing of ours set up on any of them."""
        self.make()
        self.boot()
        return self

    def make(self):
        """The machines' disks and cables, before anybody presses a power button."""
        image.check()
        atexit.register(self.down)
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        self._namespace.open()
        self.standing.add(self)
        self.authority = Authority(self._namespace.folder / "authority")
        self.network = Network(self._namespace)
        self.lan, self.internet = self.network.lan, self.network.internet
        self.network.build()
        self._lower = self._layers()
        self.machines = []
        self.hub, self.gateway, self.box = map(self._machine, ("hub", "gateway", "box"))
        self.trust = ssl.create_default_context(cafile=str(self.authority.root_file))
        self.visitor = Visitor(self.network.space("visitor"), HUB_ADDRESS, self.trust)
        return self

    def _layers(self):
        tree = self._namespace.folder / "tree"
        self._install(tree)
        layers = [tree, image.debian()]
        finished, root = self._namespace.mount_overlay("finished", layers)
        image.finish(self._namespace, root, self.authority)
        self._namespace.run(["umount", root])
        return [finished, *layers]

    @staticmethod
    def _install(tree):
        """What is on every machine's disk besides Debian."""
        image.install_tree(tree)

    def _machine(self, name):
        machine = Machine(self._namespace, name, self._lower)
        setting_up.name_the_hub(machine)
        self.machines.append(machine)
        return machine

    def carry_home(self, name, address):
        """One more machine at the switch at home, switched off, and without the internet."""
        self.network.carry_home(name, address)
        return self._machine(name)

    def boot(self, machines=None):
        """Boots these machines, or all, at the same time."""
        with concurrent.futures.ThreadPoolExecutor() as pool:
            list(pool.map(Machine.boot, machines or self.machines))

    # --- what the owners do -----------------------------------------------------------------------

    def set_up(self):
        """All three, as the README's owner paths do it; the box is public through the hub at the end."""
        self.set_up_hub()
        self.set_up_gateway()
        self.set_up_box()
        self.set_uplink()
        self.visitor.wait_status(setting_up.BOX_NAME, 200, 60)
        return self

    def set_up_hub(self):
        setting_up.hub(self.hub, self.authority)
        self.visitor.wait_status(setting_up.HUB_NAME, 200, 30, path="/health")
        self.root_key = setting_up.make_official(self.hub)

    def set_up_gateway(self):
        setting_up.gateway(self.gateway, self.hub)

    def set_up_box(self):
        """With its row at the hub, so that it has a way when its gateway is gone."""
        setting_up.box(self.box, self.root_key)
        setting_up.list_box(self.hub, self.box)

    def set_uplink(self):
        """The one command of a gateway's owner."""
        return self.gateway.run(setting_up.UPLINK_SET)

    # --- visitors ---------------------------------------------------------------------------------

    def watcher(self, hostname, every=0.1):
        """A visitor on the internet who asks for a page over and over; see Watcher."""
        return Watcher(self.visitor, hostname, every)

    def lan_visitor(self):
        """Somebody at home who asks the gateway's own Traefik, whose certificate nobody verifies."""
        return Visitor(self.network.space("box"), LAN_ADDRESSES["gateway"],
                       ssl._create_unverified_context())

    def story(self, lines=40):
        """The ends of the journals, for whoever looks at a failed test."""
        return "\n".join(f"--- {machine.name}\n{machine.tail(lines)}" for machine in self.machines)

    def down(self):
        atexit.unregister(self.down)
        self.standing.discard(self)
        self._namespace.close()

    def __enter__(self):
        try:
            return self.up()
        except BaseException:
            self.down()
            raise

    def __exit__(self, *_):
        self.down()
