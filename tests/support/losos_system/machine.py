"""One machine: a container with systemd as its first process, over a disk of its own."""

import hashlib
import os
import pathlib
import re
import signal
import subprocess
import time

from losos_lab import wait

from . import network

# As on a real machine: network administration, and BPF, without which IPAddressDeny= does nothing.
BOOT = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--link-journal=no",
        "--resolv-conf=off", "--timezone=off", "--console=pipe",
        "--capability=CAP_NET_ADMIN", "--capability=CAP_BPF", "--capability=CAP_PERFMON",
        "--system-call-filter=bpf"]
ENVIRONMENT = ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root",
               "LANG=C.UTF-8", "TERM=dumb", "USER=root"]
POWER_OFF = signal.SIGRTMIN + 4


class Failed(AssertionError):
    """A command ended with another exit code than it should."""


class Done:
    """A command that has ended."""

    def __init__(self, machine, command, done):
        self.machine, self.command = machine, command
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr

    def __str__(self):
        return f"{self.machine}# {self.command}\nexit {self.code}\n{self.out}{self.err}"


class Machine:
    def __init__(self, namespace, name, lower):
        self.name = name
        self._namespace = namespace
        self._entered = f"{name}-entered"
        self._nspawn = None
        self._leader = None
        self.console = namespace.folder / f"{name}.console"
        self.space = network.Space(namespace, name)
        _, self._root = namespace.mount_overlay(name, lower)
        self._prepare()

    def _prepare(self):
        self.path("/etc/hostname").write_text(f"{self.name}\n")
        # A machine with an id of its own is not on its first boot, which would enable every unit.
        machine_id = hashlib.md5(self.name.encode(), usedforsecurity=False).hexdigest()
        self.path("/etc/machine-id").write_text(f"{machine_id}\n")
        self.path("/etc/resolv.conf").write_text("")

    # --- power ---------------------------------------------------------------------------------

    def boot(self, wanted=("running",)):
        self.start_booting()
        self.wait_booted(wanted)

    def start_booting(self):
        with open(self.console, "ab") as console:
            self._nspawn = subprocess.Popen(
                self._namespace.command(
                    ["env", "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1", *BOOT, "-D", self._root,
                     f"--network-namespace-path=/run/netns/{self.name}",
                     f"--machine={self.name}", "-b"], group=self.name),
                stdin=subprocess.DEVNULL, stdout=console, stderr=console, start_new_session=True)
        self._leader = wait.until(self._find_leader, f"{self.name} to have a first process", 30)

    def wait_booted(self, wanted=("running",), timeout=60):
        """Waits until every unit has started; where one failed, its name is the failure's text."""
        def settled():
            done = self.run("systemctl is-system-running", expect=None)
            return done.out.strip() in ("running", "degraded") and done.out.strip()

        state = wait.until(settled, lambda: f"{self.name} to have booted: {self.tail()}", timeout, 0.05)
        if state not in wanted:
            raise Failed(f"{self.name} is {state}: {self.run('systemctl --failed --no-legend').out}")

    def poweroff(self):
        """What `poweroff` does: everything is stopped in order, then the machine is off."""
        self._namespace.end_group(self._entered)
        os.kill(self._leader, POWER_OFF)
        try:
            self._nspawn.wait(60)
        except subprocess.TimeoutExpired:
            raise Failed(f"{self.name} did not power off within 60 s: {self.tail()}") from None
        self._off()

    def kill(self):
        """What a power cut does."""
        self._namespace.end_group(self._entered)
        self._namespace.end_group(self.name)
        self._nspawn.wait(30)
        self._off()

    def reboot(self, wanted=("running",)):
        self.poweroff()
        self.boot(wanted)

    def is_on(self):
        return self._nspawn is not None

    def _off(self):
        self._nspawn = self._leader = None

    def _find_leader(self):
        if self._nspawn.poll() is not None:
            raise Failed(f"{self.name} ended with {self._nspawn.returncode}: {self.tail()}")
        pid = self._nspawn.pid
        # nsenter, nspawn, systemd: each the child of the one before.
        for name in ("systemd-nspawn", "systemd"):
            pid = _child(pid)
            if pid is None or _name(pid) != name:
                return None
        return pid

    # --- an owner at its keyboard ---------------------------------------------------------------

    def run(self, command, expect=0, timeout=60.0, text=None):
        """Types a line at the machine's shell as root, with `text` on standard input. Another exit
        code than `expect` (None: any) is a failure."""
        try:
            done = subprocess.run(self.command(command), input=text or "", capture_output=True,
                                  text=True, errors="replace", timeout=timeout, check=False)
        except subprocess.TimeoutExpired:
            raise Failed(f"{self.name}# {command}\ndid not end within {timeout:g} s") from None
        done = Done(self.name, command, done)
        if expect is not None and done.code != expect:
            raise Failed(f"expected exit {expect} from {done}")
        return done

    def command(self, command):
        """The argument vector of a line at the machine's shell."""
        return self._namespace.grouped(self._entered, [
            "nsenter", "-t", self._leader, "-m", "-u", "-i", "-n", "-p", "-C", "--",
            "env", "-i", *ENVIRONMENT, "sh", "-c", f"cd\n{command}"])

    def path(self, path):
        """A file of this machine, to read or write from outside; /run and /tmp only while it is on."""
        if self._leader:
            return pathlib.Path(f"/proc/{self._leader}/root", str(path).lstrip("/"))
        return self._namespace.outside(self._root / str(path).lstrip("/"))

    def write(self, path, text, mode=0o644, owner=None):
        """Puts a file there; `owner` is an account of the machine."""
        file = self.path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=mode)
        file.chmod(mode)
        file.write_text(text)
        if owner:
            self.run(f"chown {owner}: {path}")

    # --- what can be seen ------------------------------------------------------------------------

    def active(self, unit):
        """The unit's state: active, inactive, failed, activating or deactivating."""
        return self.run(f"systemctl is-active {unit}", expect=None).out.strip()

    def show(self, unit, prop):
        """One property of a unit, as systemctl shows it."""
        return self.run(f"systemctl show --value --property={prop} {unit}").out.strip()

    def started(self, unit):
        """When the unit's main program was started, as time.time() has it; 0 where it never was."""
        since_boot = int(self.show(unit, "ExecMainStartTimestampMonotonic")) / 1e6
        return since_boot and since_boot + time.time() - time.monotonic()

    def failed_units(self):
        return self.run("systemctl --failed --no-legend --plain").out.split("\n")[:-1]

    def journal(self, *units, since=None):
        """Lines of the journal, as (time, text); the time is time.time()'s."""
        only = " ".join(f"-u {unit}" for unit in units)
        after = f"--since=@{since:.6f}" if since else ""
        out = self.run(f"journalctl -q -b --no-pager -o short-unix --no-hostname {only} {after}").out
        lines = (re.match(r"(\d+\.\d+) (.*)", line) for line in out.splitlines())
        return [(float(line.group(1)), line.group(2)) for line in lines if line]

    def wait_journal(self, pattern, *units, since=None, timeout=30.0):
        """Waits for a line that matches; returns its time."""
        def found():
            return [at for at, line in self.journal(*units, since=since) if re.search(pattern, line)]
        return wait.until(found, f"{self.name}'s journal to say {pattern!r}", timeout, 0.1)[0]

    def tail(self, lines=25):
        """The end of the journal, or of the console where there is no journal to be had."""
        if self._leader and self._nspawn.poll() is None:
            done = self.run(f"journalctl -q -b --no-pager --no-hostname -o short-precise -n {lines}",
                            expect=None)
            if done.code == 0 and done.out:
                return done.out
        text = self.console.read_text(errors="replace") if self.console.exists() else ""
        return "\n".join(text.splitlines()[-lines:])


def _child(pid):
    try:
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return None
    return int(children[0]) if children else None


def _name(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return None
