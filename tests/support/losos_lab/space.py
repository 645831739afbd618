"""Network namespaces: one per machine, joined by veth pairs, named after their owner's process.

A thread may step into a namespace for a moment: sockets it opens and processes it starts there stay
there. So the lab needs no wrapper around a program, and a process id is the program's own.
"""

import contextlib
import ctypes
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time

PREFIX = "lososlab"
NETNS = pathlib.Path("/run/netns")
ETC_NETNS = pathlib.Path("/etc/netns")
TMP = pathlib.Path(os.environ.get("TMPDIR", "/tmp"))
CLONE_NEWNET = 0x40000000

_libc = ctypes.CDLL(None, use_errno=True)


def ip(*args):
    """Runs one ip(8) command; its complaint is the exception's text."""
    done = subprocess.run(["ip", *args], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"ip {' '.join(args)}: {done.stderr.strip()}")
    return done.stdout


def _enter(descriptor):
    if _libc.setns(descriptor, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "cannot enter the network namespace")


class Space:
    """One machine's network."""

    def __init__(self, tag, machine):
        self.name = f"{tag}-{machine}"
        self.machine = machine
        ip("netns", "add", self.name)
        ip("-n", self.name, "link", "set", "lo", "up")

    @contextlib.contextmanager
    def inside(self):
        """The calling thread is in this namespace until the block ends."""
        home = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        there = os.open(NETNS / self.name, os.O_RDONLY | os.O_CLOEXEC)
        try:
            _enter(there)
            try:
                yield
            finally:
                _enter(home)
        finally:
            os.close(there)
            os.close(home)

    def connect(self, address, timeout=10.0):
        """A TCP connection that starts on this machine."""
        with self.inside():
            return socket.create_connection(address, timeout)

    def listens(self, port, address="127.0.0.1"):
        """Whether something takes connections on a port, as seen from this machine."""
        try:
            self.connect((address, port), 1.0).close()
        except OSError:
            return False
        return True

    def set_hosts(self, hosts):
        """Names that programs started with exec_prefix() resolve on this machine."""
        folder = ETC_NETNS / self.name
        folder.mkdir(parents=True, exist_ok=True)
        lines = ["127.0.0.1 localhost\n"] + [f"{addr} {name}\n" for name, addr in hosts.items()]
        (folder / "hosts").write_text("".join(lines))

    def set_sysctl(self, name, value):
        """A setting of this machine's network, such as net.ipv6.bindv6only."""
        with self.inside():
            pathlib.Path("/proc/sys", *name.split(".")).write_text(f"{value}\n")

    def exec_prefix(self):
        """The command that runs a program here with the names of set_hosts()."""
        return ["ip", "netns", "exec", self.name]


def join(one, one_link, one_addresses, other, other_link, other_addresses):
    """A cable between two machines; addresses are given with their prefix length."""
    ip("link", "add", one_link, "netns", one.name, "type", "veth",
       "peer", "name", other_link, "netns", other.name)
    for space, link, addresses in ((one, one_link, one_addresses),
                                   (other, other_link, other_addresses)):
        for address in addresses:
            # An IPv6 address is there at once only if nobody is asked first whether it is free.
            now = ["nodad"] if ":" in address else []
            ip("-n", space.name, "addr", "add", address, "dev", link, *now)
        ip("-n", space.name, "link", "set", link, "up")


def make_tag(number):
    """A name for all that one lab makes; it says which process owns it."""
    return f"{PREFIX}-{os.getpid()}-{number}"


def directory(tag):
    return TMP / tag


def take_down(tag):
    """Ends every process in the tag's namespaces and removes all that carries the tag."""
    for path in sorted(NETNS.glob(f"{tag}-*")):
        _end_processes(path.name)
        ip("netns", "del", path.name)
        shutil.rmtree(ETC_NETNS / path.name, ignore_errors=True)
    with contextlib.suppress(OSError):
        ETC_NETNS.rmdir()
    if not os.environ.get("LOSOS_LAB_KEEP"):
        shutil.rmtree(directory(tag), ignore_errors=True)


def _end_processes(name):
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        pids = [int(pid) for pid in ip("netns", "pids", name).split() if int(pid) != os.getpid()]
        if not pids:
            return
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def sweep_dead_labs():
    """Removes what labs of processes that no longer exist have left behind."""
    pattern = re.compile(rf"({PREFIX}-(\d+)-\d+)(-\w+)?$")
    names = [p.name for p in NETNS.glob(f"{PREFIX}-*")] if NETNS.exists() else []
    names += [p.name for p in TMP.glob(f"{PREFIX}-*")]
    for tag, pid in {m.group(1, 2) for m in map(pattern.match, names) if m}:
        if not os.path.exists(f"/proc/{pid}"):
            take_down(tag)
