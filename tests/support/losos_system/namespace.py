"""The mount and process namespaces that hold everything of one federation; see keeper.py."""

import itertools
import os
import pathlib
import subprocess
import sys

from losos_lab import wait

from . import keeper

_numbers = itertools.count(1)


class Namespace:
    """Made by open(), gone with everything in it after close() and after the test's process."""

    def __init__(self):
        self.tag = f"{keeper.PREFIX}-{os.getpid()}-{next(_numbers)}"
        self.folder = keeper.TMP / self.tag
        self.disks = keeper.disks(self.folder)
        self._keeper = None
        self._first = None

    def open(self):
        keeper.sweep()
        self.folder.mkdir(mode=0o755)
        # A session of its own: an interrupt at the terminal reaches the test alone.
        self._keeper = subprocess.Popen(
            [sys.executable, keeper.__file__, self.tag], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, start_new_session=True)
        self._first = self._keeper.stdout.readline().strip()
        if not self._first:
            self.close()
            raise RuntimeError("no namespaces could be made for the machines; what unshare or mount "
                               "said stands above")

    def close(self):
        if self._keeper:
            self._keeper.stdin.close()
            self._keeper.wait()
            self._keeper.stdout.close()
            self._keeper = None

    def outside(self, path):
        """A path in there, as this process can open it."""
        return pathlib.Path(f"/proc/{self._first}/root", str(path).lstrip("/"))

    def command(self, argv, group=None):
        """The argument vector of a command that runs in there, in a control group of its own."""
        entered = ["nsenter", "-t", self._first, "-m", "-p", "--", *map(str, argv)]
        return self.grouped(group, entered) if group else entered

    def grouped(self, group, argv):
        """The same command, in the control group `group` of this federation."""
        join = [f"mkdir -p {top / self.tag / group} && echo 0 > {top / self.tag / group}/cgroup.procs"
                for top in keeper.hierarchies()]
        return ["sh", "-ec", "\n".join([*join, 'exec "$@"']), "sh", *map(str, argv)]

    def end_group(self, group):
        """Kills what runs in a control group."""
        for top in keeper.hierarchies():
            switch = top / self.tag / group / "cgroup.kill"
            if switch.exists():
                switch.write_text("1")
                wait.until(lambda: "populated 0" in (switch.parent / "cgroup.events").read_text(),
                           f"the processes of {group} to end")

    def run(self, argv):
        """Runs a command in there; what it complains about is the exception's text."""
        done = subprocess.run(self.command(argv), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, argv))}: {done.stdout}{done.stderr}")
        return done.stdout

    def mount_overlay(self, name, lower):
        """Lays a fresh writable layer over others; returns where both are."""
        home = self.disks / name
        for folder in ("up", "work", "root"):
            self.outside(home / folder).mkdir(parents=True)
        layers = ":".join(map(str, lower))
        self.run(["mount", "-t", "overlay", "-o",
                  f"lowerdir={layers},upperdir={home}/up,workdir={home}/work", name, home / "root"])
        return home / "up", home / "root"
