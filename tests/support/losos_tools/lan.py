"""Machines on a LAN of a test's own: each a network, mount and host-name namespace in which a real
D-Bus and a real Avahi run at the paths they have everywhere. Needs root."""

import concurrent.futures
import contextlib
import ctypes
import json
import pathlib
import re
import signal
import subprocess

from .faults import BUILD_DIR
from .process import environment
from .waiting import until

_CLONE_NEWNET = 0x40000000
_WATCHER = BUILD_DIR / "tests" / "support" / "lan_watcher" / "losos-lan-watcher"

# What a machine has of its own, whatever it shares with the others; then it says that it is there.
_SETTLE = """
mount -t tmpfs own-run /run
mkdir /run/dbus /run/avahi-daemon
mount -t sysfs own-sys /sys
mount --bind "$1" /etc/avahi
hostname "$2"
ip link set lo up
echo 0 > /proc/sys/net/ipv6/conf/default/accept_dad
echo there
exec sleep infinity
"""

_BUS = """<busconfig>
<type>system</type><listen>unix:path=/run/dbus/system_bus_socket</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/>
<allow receive_sender="*"/></policy>
</busconfig>
"""

_AVAHI = """[server]
host-name={name}
use-ipv4=yes
use-ipv6=yes
[wide-area]
enable-wide-area=no
[publish]
disable-publishing={mute}
publish-hinfo=no
publish-workstation=no
"""


class Process:
    """A program on a machine, and what it says."""

    def __init__(self, argv, log_path):
        self._log_path = log_path
        with open(log_path, "wb") as log:
            self._popen = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                           env=environment())
        self.pid = self._popen.pid

    def log(self):
        return self._log_path.read_text(encoding="utf-8", errors="replace")

    def wait_line(self, pattern, timeout=20.0):
        return until(lambda: re.search(pattern, self.log()),
                     lambda: f"{pattern!r} in:\n{self.log()[-2000:]}", timeout)

    def send(self, number):
        self._popen.send_signal(number)

    def stop(self, number=signal.SIGTERM):
        if self._popen.poll() is None:
            self._popen.send_signal(number)
        self._popen.wait(15)


class LanWatcher(Process):
    """What lib/io/lan_browser sees on a machine."""

    def views(self):
        """Everything it said so far, oldest first."""
        return [json.loads(line) for line in self.log().split("\n")[:-1] if line.startswith("{")]

    def view(self):
        views = self.views()
        return views[-1] if views else {"state": None, "services": []}

    def wait(self, holds, what, timeout=20.0):
        """The first view at the end of which holds(view) is true."""
        def look():
            view = self.view()
            return view if holds(view) else None
        return until(look, lambda: f"{what}; it saw {self.view()}", timeout)

    def wait_state(self, state, timeout=20.0):
        return self.wait(lambda view: view["state"] == state, f"the state {state}", timeout)

    def wait_instances(self, names, timeout=20.0):
        wanted = sorted(names)
        return self.wait(lambda view: sorted(each["instance"] for each in view["services"])
                         == wanted, f"the services {wanted}", timeout)


class LanHost:
    """One machine. Its processes end with it."""

    def __init__(self, folder, name):
        self.name = name
        self.folder = pathlib.Path(folder)
        self.etc = self.folder / "avahi"
        self.services = self.etc / "services"
        self.services.mkdir(parents=True)
        (self.folder / "bus.conf").write_text(_BUS, encoding="ascii")
        self._processes = []
        self._count = 0
        self._holder = subprocess.Popen(
            ["unshare", "--net", "--mount", "--uts", "--propagation", "private",
             "sh", "-euc", _SETTLE, "sh", str(self.etc), name],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        assert self._holder.stdout.readline() == "there\n", f"{name} did not come up"
        self.pid = self._holder.pid
        self.bus = self.avahi = None

    def enter(self):
        """What stands before a command that runs on this machine."""
        return ["nsenter", f"--target={self.pid}", "--net", "--mount", "--uts", "--root", "--"]

    def run(self, *argv):
        done = subprocess.run([*self.enter(), *map(str, argv)], capture_output=True, text=True,
                              check=False)
        assert done.returncode == 0, f"{argv}: {done.stderr}"
        return done.stdout

    def within(self, act):
        """act() in a thread that has this machine's network."""
        def enter():
            with open(f"/proc/{self.pid}/ns/net", "rb") as space:
                if ctypes.CDLL(None, use_errno=True).setns(space.fileno(), _CLONE_NEWNET) != 0:
                    raise OSError(ctypes.get_errno(), f"cannot enter {self.name}")
            return act()

        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            return pool.submit(enter).result()

    def start(self, *argv, kind=Process):
        self._count += 1
        log = self.folder / f"{pathlib.Path(argv[0]).name}-{self._count}.log"
        process = kind([*self.enter(), *map(str, argv)], log)
        self._processes.append(process)
        return process

    def start_bus(self):
        self.run("rm", "-f", "/run/dbus/system_bus_socket")
        self.bus = self.start("dbus-daemon", f"--config-file={self.folder / 'bus.conf'}", "--nofork",
                              "--nopidfile", "--print-address")
        self.bus.wait_line("unix:path=")

    def start_avahi(self, mute=True, wait=True):
        """`mute`: it publishes nothing, and so need not look whether its name is free."""
        text = _AVAHI.format(name=self.name, mute="yes" if mute else "no")
        (self.etc / "avahi-daemon.conf").write_text(text, encoding="ascii")
        self.avahi = self.start("/usr/sbin/avahi-daemon", "--no-drop-root", "--no-chroot",
                                "--no-rlimits", "--no-proc-title")
        if wait:
            self.avahi.wait_line("Server startup complete")

    def start_watcher(self):
        return self.start(_WATCHER, kind=LanWatcher)

    def close(self):
        for process in reversed(self._processes):
            process.stop(signal.SIGKILL)
        self._holder.kill()
        self._holder.wait()
        self._holder.stdout.close()


class Lan:
    """Machines, and the cables between them."""

    def __init__(self, folder):
        self._folder = folder
        self.hosts = []

    def add(self, name, folder=None):
        """A machine of that name. Two may have the same, with a folder each."""
        self.hosts.append(LanHost(pathlib.Path(self._folder) / (folder or name), name))
        return self.hosts[-1]

    def connect(self, one, other, link="eth0", other_link="eth0", addresses=(), others=()):
        """A cable between two machines, with addresses at either end."""
        subprocess.run(["ip", "link", "add", link, "netns", str(one.pid), "type", "veth", "peer",
                        "name", other_link, "netns", str(other.pid)], check=True)
        for host, name, own in ((one, link, addresses), (other, other_link, others)):
            for address in own:
                host.run("ip", "addr", "add", address, "dev", name)
            host.run("ip", "link", "set", name, "up")
        for host, name in ((one, link), (other, other_link)):
            # The link-local address comes with the carrier.
            until(lambda: "scope link" in host.run("ip", "-6", "addr", "show", "dev", name)
                  and "tentative" not in host.run("ip", "-6", "addr", "show", "dev", name),
                  f"a link-local address at {name} of {host.name}")

    def bridge(self, host, name="br0", ports=()):
        host.run("ip", "link", "add", name, "type", "bridge", "mcast_snooping", "0")
        for port in ports:
            host.run("ip", "link", "set", port, "master", name)
        host.run("ip", "link", "set", name, "up")

    def close(self):
        for host in self.hosts:
            host.close()


@contextlib.contextmanager
def lan(folder):
    made = Lan(folder)
    try:
        yield made
    finally:
        made.close()
