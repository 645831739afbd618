"""What the benchmarks share: edges that know thousands of tenants, and bounds."""

import os
import pathlib
import re
import subprocess
import sys
import time

from losos_tools.files import write_json
from losos_tools.registrar import Registrar
from losos_tools.waiting import until

FIRST_PORT = 10000
# Wide enough for ten thousand tenants and those that come on top.
MANY_PORTS = f"{FIRST_PORT}-29999"


class Bounds:
    """Collects what was missed, so that every figure is printed before the bench fails."""

    def __init__(self, bench):
        self._bench = bench
        self._missed = []

    def at_least(self, what, value, bound):
        if value < bound:
            self._missed.append(f"{what} is {value:.3g}, at least {bound:g} is wanted")

    def at_most(self, what, value, bound):
        if value > bound:
            self._missed.append(f"{what} is {value:.3g}, at most {bound:g} is wanted")

    def check(self):
        """Ends the bench with one line when anything was missed."""
        if self._missed:
            sys.exit(f"{self._bench}: {'; '.join(self._missed)}")


def say(text):
    print(text, flush=True)


def ids(count):
    return [f"box{n}" for n in range(count)]


def crowded_registrar(folder, known, registered, **flags):
    """A registrar that is not started yet, with `known` listed tenants, of which the first
    `registered` stand in its registry."""
    registrar = Registrar(folder, ids(known), port_range=MANY_PORTS, **flags)
    write_registry(registrar, registered)
    return registrar


def write_registry(registrar, registered):
    write_json(registrar.registry_file, {
        "tenants": {each: {"hostname": f"{each}.losos.test", "port": FIRST_PORT + n}
                    for n, each in enumerate(ids(registered))},
        "compute_windows": {}, "resting": {}})


def cpu_seconds(pid):
    """What a process has used of the processors so far."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_idle(pid, quiet=1.0, timeout=120.0):
    """Waits until a process has used next to nothing of the processors for so many seconds."""
    last = [cpu_seconds(pid), time.monotonic()]

    def idle():
        used = cpu_seconds(pid)
        if used - last[0] > 0.02:
            last[:] = [used, time.monotonic()]
        return time.monotonic() - last[1] >= quiet
    until(idle, f"process {pid} to be idle", timeout)


def wrk(url, connections, seconds, *more):
    """Runs wrk and returns what it printed."""
    argv = ["wrk", f"-t{min(2, connections)}", f"-c{connections}", f"-d{seconds}s", *more, url]
    return subprocess.run(list(map(str, argv)), check=True, capture_output=True, text=True).stdout


def requests_a_second(printed):
    return float(re.search(r"Requests/sec:\s+([\d.]+)", printed)[1])
