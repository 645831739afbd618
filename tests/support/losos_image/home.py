"""A home with the image of a gateway in it: a machine of QEMU at the switch, where a container would be
otherwise, between the hub and the box of the system ring."""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess

from losos_lab import wait
from losos_system import BOX_NAME, HUB_NAME, HUB_URL, LAN_ADDRESSES, SPOKE, Federation, setting_up
from losos_system.network import HUB_ADDRESS, MIDDLE

from .machine import MAC, VirtualMachine

PROGRAMS = {"qemu-system-x86_64": "qemu-system-x86", "qemu-img": "qemu-utils", "dnsmasq": "dnsmasq-base"}
PORT = "lan-gateway"
ADDRESS = LAN_ADDRESSES["gateway"]
ROUTER = "192.168.1.1"
TOKEN_FILE = f"/root/{SPOKE}.token"
UPLINK_SET = (f"losos-edge uplink set --id {SPOKE} --token-file {TOKEN_FILE} "
              f"--registrar {HUB_URL} --rathole {HUB_NAME}:2333")


class MissingImage(RuntimeError):
    """There is nothing to boot, or nothing to boot it with; the text says how to get it."""


def image_file():
    """The image, as './dev build image' makes it."""
    named = os.environ.get("LOSOS_IMAGE", "")
    if not named or not pathlib.Path(named).is_file():
        raise MissingImage(f"the gateway's image {named or '($LOSOS_IMAGE)'} is missing: './dev build image' "
                           f"makes it")
    for program, package in PROGRAMS.items():
        if not shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/sbin"):
            raise MissingImage(f"{program} is missing; it is in Debian's package {package} (./dev setup)")
    return pathlib.Path(named)


class Home:
    """With `with`: hub and box set up, the gateway switched on for the first time, by UEFI. Nobody has
    told the hub of the box."""

    def __init__(self):
        self._image = image_file()
        self.federation = Federation()
        self.machine = None

    def __enter__(self):
        try:
            self.federation.make()
            self._give_the_image_its_port()
            self._start_router()
            self.switch_on("uefi")
            self._set_up_the_others()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.machine:
            self.machine.kill()
        self.federation.down()

    hub = property(lambda self: self.federation.hub)
    box = property(lambda self: self.federation.box)
    visitor = property(lambda self: self.federation.visitor)
    console = property(lambda self: self.machine.console)

    @property
    def _namespace(self):
        return self.federation._namespace

    def _give_the_image_its_port(self):
        ip = self.federation.network.ip
        ip("-n", MIDDLE, "link", "del", PORT)
        ip("-n", MIDDLE, "tuntap", "add", "dev", PORT, "mode", "tap")
        ip("-n", MIDDLE, "link", "set", PORT, "master", "switch", "up")
        ip("-n", MIDDLE, "addr", "add", f"{ROUTER}/24", "dev", "switch")

    def _start_router(self):
        """What a router at home does: it gives the gateway an address, and knows the hub's name."""
        folder = self._namespace.folder
        with open(folder / "router.log", "w", encoding="utf-8") as log:
            subprocess.Popen(
                self._namespace.command(
                    ["ip", "netns", "exec", MIDDLE, "dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null",
                     "--no-resolv", "--no-hosts", "--user=root", "--pid-file=", "--interface=switch",
                     "--bind-interfaces", f"--dhcp-leasefile={folder}/leases", "--dhcp-authoritative",
                     f"--dhcp-range={ADDRESS},{ADDRESS},255.255.255.0,12h", f"--dhcp-host={MAC},{ADDRESS}",
                     f"--address=/{HUB_NAME}/{HUB_ADDRESS}"], group="router"),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def _set_up_the_others(self):
        self.federation.boot([self.hub, self.box])
        with concurrent.futures.ThreadPoolExecutor() as pool:
            setting_up_the_box = pool.submit(setting_up.box, self.box)
            self.federation.set_up_hub()
            setting_up_the_box.result()

    def switch_on(self, firmware):
        """Whatever its disk has on it."""
        network = self._namespace.outside(f"/run/netns/{MIDDLE}")
        self.machine = VirtualMachine(
            self._image, self._namespace.folder / "image", firmware, tap=PORT,
            within=lambda argv: self._namespace.grouped("image", ["nsenter", f"--net={network}", "--", *argv]))

    # --- what an owner types -----------------------------------------------------------------------

    def run(self, command, timeout=300):
        """What a command printed that has to succeed."""
        code, output = self.console.run(command, timeout)
        assert code == 0, f"gateway# {command}\nexit {code}\n{output}"
        return output

    def write(self, path, text, mode="0644"):
        self.run(f"install -m {mode} /dev/stdin {path} << 'END'\n{text.rstrip()}\nEND")

    def trust_the_hub(self):
        """As the machine trusts the makers of certificates on the internet."""
        root = self.federation.authority.root_file
        name = subprocess.run(["openssl", "x509", "-noout", "-hash", "-in", root], capture_output=True,
                              text=True, check=True).stdout.strip()
        self.write(f"/etc/ssl/certs/{name}.0", root.read_text())

    def bring_the_token(self):
        """What the hub's operator hands to a gateway's owner."""
        token = wait.until(self.hub.path(f"/etc/losos/tokens/{SPOKE}").read_text, "the hub's token")
        self.write(TOKEN_FILE, token, "0600")

    def screen(self):
        """What stands on the screen, tty1, line by line."""
        width = int(self.run("stty -F /dev/tty1 size").split()[1])
        text = self.run("cat /dev/vcs1")
        return "\n".join(text[at:at + width].rstrip() for at in range(0, len(text), width))

    def answers_ssh(self):
        """Whether somebody at home gets as far as an SSH server's greeting."""
        try:
            with self.federation.network.space("box").connect((ADDRESS, 22), 10) as line:
                line.settimeout(30)
                return line.recv(4) == b"SSH-"
        except ConnectionRefusedError:
            return False

    def wait_public(self):
        self.visitor.wait_status(BOX_NAME, 200, 180)
