"""What a reconcile of 10,000 tenants with one changed costs, and how that grows from 100; and what one
costs a hub with 2,000 custom domains and 400 boxes in its route table.

The first twice: the core's functions alone, without any write, in processor time, beside a plain loop of
format calls that makes as many bytes; and the whole registrar, with its files on a file system in
memory, by the time it says itself in metrics.prom.
"""

import os
import subprocess
import tempfile
from pathlib import Path

from figures import Bounds, crowded_registrar, ids, say
from losos_tools.process import ROOT
from losos_tools.waiting import until

SIZES = (100, 1000, 10000)
ROUNDS = 9
MEMORY = Path("/dev/shm")
MS_AT_MOST = 50
# Ten times the tenants may cost more than ten times as much, since ten thousand fit no cache; what
# looks at every pair of them would cost a hundred times.
GROWTH_AT_MOST = 20
# As many as an edge takes, and what seven gateways bring.
DOMAINS, BOXES = 2000, 400


def built(name):
    build = Path(os.environ.get("LOSOS_BUILD_DIR", ROOT / "build" / "gcc"))
    target = f"tests/bench/losos-{name}-bench"
    subprocess.run(["ninja", "-C", build, target], check=True, stdout=subprocess.DEVNULL)
    return build / target


def of_the_core(program, *numbers):
    """{stage: milliseconds}, and the number of bytes rendered."""
    printed = subprocess.run([program, *map(str, numbers), str(ROUNDS)], check=True,
                             capture_output=True, text=True).stdout
    figures = {name: int(value) for name, value in
               (line.rsplit(" ", 1) for line in printed.splitlines())}
    size = figures.pop("bytes")
    return {stage: value / 1000 for stage, value in figures.items()}, size


def by_stage(stages):
    return ", ".join(f"{stage} {ms:.1f}" for stage, ms in stages.items()) + " ms"


def of_the_registrar(folder, tenants):
    """Milliseconds of each reconcile that followed a change of one tenant."""
    registrar = crowded_registrar(folder / str(tenants), tenants, tenants)
    last = ids(tenants)[-1]
    took = []
    try:
        registrar.start()
        for round_number in range(ROUNDS):
            done = registrar.metric("reconciles_total")
            change = registrar.deregister if round_number % 2 == 0 else registrar.register
            assert change(last).status in (200, 204)
            until(lambda before=done: registrar.metric("reconciles_total") > before,
                  "the reconcile after a change")
            # The file tells of the reconcile before the one that wrote it.
            took.append(registrar.metric("reconcile_last_seconds") * 1000)
    finally:
        registrar.close()
    return took[1:]


def report(name, by_size):
    growth = by_size[10000] / by_size[1000]
    linear = "linear" if growth <= GROWTH_AT_MOST else "worse than linear"
    sizes = ", ".join(f"{size:,}: {ms:.2f} ms" for size, ms in by_size.items())
    say(f"reconcile, {name}: {sizes}; from 1,000 to 10,000 {growth:.1f} times: {linear}")
    return growth


def main():
    bounds = Bounds("reconcile")
    program = built("reconcile")
    core, whole = {}, {}
    where = MEMORY if MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="losos-bench-", dir=where) as folder:
        for size in SIZES:
            stages, rendered = of_the_core(program, size)
            core[size], plain = stages.pop("reconcile"), stages.pop("yardstick")
            # The quickest: the time of a whole program is also that of all others on the machine.
            whole[size] = min(of_the_registrar(Path(folder), size))
    say(f"reconcile, of {SIZES[-1]:,} by stage: {by_stage(stages)}")
    say(f"reconcile, without writes: {core[size]:.1f} ms for {rendered:,} bytes; as many bytes by a "
        f"plain loop of format calls: {plain:.1f} ms; ratio {core[size] / plain:.2f}")
    growth = report("without writes", core)
    report("the whole registrar, files in memory, with what else the machine does", whole)
    stages, rendered = of_the_core(built("names"), BOXES, DOMAINS)
    names = stages.pop("reconcile")
    say(f"reconcile, of {DOMAINS:,} domains of {BOXES} boxes behind gateways by stage: "
        f"{by_stage(stages)}")
    say(f"reconcile, of these without writes: {names:.1f} ms for {rendered:,} bytes")
    bounds.at_most(f"a reconcile of {DOMAINS:,} domains and {BOXES} boxes without writes, in ms", names,
                   MS_AT_MOST)
    bounds.at_most("a reconcile of 10,000 tenants without writes, in ms", core[size], MS_AT_MOST)
    bounds.at_most("the growth from 1,000 to 10,000 tenants", growth, GROWTH_AT_MOST)
    bounds.check()


if __name__ == "__main__":
    main()
