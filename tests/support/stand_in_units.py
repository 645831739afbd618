"""A stand-in for the gateway's path and timer units, for rings that have no systemd.

What it stands in for: losos-uplink.path and .timer (one pass of losos-uplink on a change of
live.json or uplink.json, and every 20 s), losos-rathole-uplink.path (a rathole client on
uplink.toml from the moment it exists) and losos-rathole-uplink-stop.path (which ends it once the
file is gone). It decides nothing else. Whatever way it ends, what it started ends with it.

    stand_in_units.py --live F --uplink F --uplink-toml F --every 20 --rathole R -- losos-uplink ...
"""

import argparse
import ctypes
import os
import select
import signal
import struct
import subprocess
import sys
import time

IN_CLOSE_WRITE, IN_MOVED_FROM, IN_MOVED_TO, IN_DELETE = 0x8, 0x40, 0x80, 0x200
IN_NONBLOCK, IN_CLOEXEC = os.O_NONBLOCK, os.O_CLOEXEC
PR_SET_PDEATHSIG = 1
# RestartSec= of losos-rathole-uplink.service.
RESTART_SECONDS = 1.0
EVENT = struct.Struct("iIII")


_libc = ctypes.CDLL(None, use_errno=True)


def say(text):
    print(f"stand-in units: {text}", flush=True)


def start(argv):
    """A child that does not outlive this process, not even when it is killed."""
    return subprocess.Popen(argv, close_fds=False,
                            preexec_fn=lambda: _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL))


class Watch:
    """Tells which of the given files have changed, by inotify on their directories."""

    def __init__(self, paths):
        self.descriptor = _libc.inotify_init1(IN_NONBLOCK | IN_CLOEXEC)
        self._folders = {}
        mask = IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE
        for folder in {os.path.dirname(path) for path in paths}:
            number = _libc.inotify_add_watch(self.descriptor, os.fsencode(folder), mask)
            if number < 0:
                raise OSError(ctypes.get_errno(), f"cannot watch {folder}")
            self._folders[number] = folder

    def changed(self):
        """The paths with an event since the last call."""
        paths = set()
        try:
            data = os.read(self.descriptor, 1 << 16)
        except BlockingIOError:
            return paths
        at = 0
        while at < len(data):
            number, _, _, length = EVENT.unpack_from(data, at)
            name = data[at + EVENT.size:at + EVENT.size + length].rstrip(b"\0")
            paths.add(os.path.join(self._folders.get(number, ""), os.fsdecode(name)))
            at += EVENT.size + length
        return paths


class Units:
    """One service each for the pass and the tunnel, and what starts and stops them."""

    def __init__(self, options):
        self._options = options
        self._tunnel = None
        self._tunnel_not_before = 0.0
        self._pass = None
        self._again = False
        self._next = time.monotonic()

    def start_pass(self):
        """Like a path unit: a change while the pass runs starts another one after it."""
        if self._pass is not None:
            self._again = True
            return
        self._again = False
        self._next = time.monotonic() + self._options.every
        self._pass = start(self._options.command)

    def reap(self):
        if self._pass is not None and self._pass.poll() is not None:
            if self._pass.returncode:
                say(f"losos-uplink ended with {self._pass.returncode}")
            self._pass = None
            if self._again:
                self.start_pass()
        if self._tunnel is not None and self._tunnel.poll() is not None:
            say(f"the uplink tunnel ended with {self._tunnel.returncode}")
            self._tunnel = None
            self._tunnel_not_before = time.monotonic() + RESTART_SECONDS

    def follow_tunnel(self):
        wanted = os.path.exists(self._options.uplink_toml)
        if wanted and self._tunnel is None and time.monotonic() >= self._tunnel_not_before:
            say("the uplink tunnel starts")
            self._tunnel = start([self._options.rathole, "--client", self._options.uplink_toml])
        elif not wanted and self._tunnel is not None:
            self._tunnel.terminate()
            self._tunnel.wait()
            self._tunnel = None
            say("the uplink tunnel is stopped")

    def seconds_left(self):
        return max(0.0, self._next - time.monotonic())

    def seconds_to_wait(self):
        """Until something is to be done that no event tells of."""
        left = self.seconds_left()
        if self._tunnel is None:
            restart = self._tunnel_not_before - time.monotonic()
            left = min(left, restart) if restart > 0 else left
        return left

    def end(self):
        for process in (self._pass, self._tunnel):
            if process is not None:
                process.terminate()
                process.wait()


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--live", required=True)
    parser.add_argument("--uplink", required=True)
    parser.add_argument("--uplink-toml", required=True)
    parser.add_argument("--every", type=float, default=20.0)
    parser.add_argument("--rathole", required=True)
    parser.add_argument("command", nargs="+")
    return parser.parse_args(arguments)


def main():
    options = parse(sys.argv[1:])
    watch = Watch([options.live, options.uplink, options.uplink_toml])
    units = Units(options)
    # A signal writes into the pipe, so that an ended child or a SIGTERM wakes the wait at once.
    wake_read, wake_write = os.pipe2(os.O_NONBLOCK)
    signal.set_wakeup_fd(wake_write)
    ending = []
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGTERM, lambda *_: ending.append(True))
    say("a stand-in for losos-uplink.path, losos-uplink.timer and losos-rathole-uplink.path runs")
    while not ending:
        if units.seconds_left() == 0:
            units.start_pass()
        units.reap()
        units.follow_tunnel()
        ready, _, _ = select.select([watch.descriptor, wake_read], [], [],
                                    units.seconds_to_wait() + 0.001)
        if wake_read in ready:
            os.read(wake_read, 4096)
        if watch.changed() & {options.live, options.uplink}:
            units.start_pass()
    units.end()


if __name__ == "__main__":
    main()
