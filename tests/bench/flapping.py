"""Traefik's processor time while one box of 1,000 comes and goes every second for two minutes, beside
the same flapping written straight into Traefik's file, which is measured for a shorter time before
and after."""

import tempfile
import threading
import time
from pathlib import Path

from figures import Bounds, cpu_seconds, crowded_registrar, ids, say, wait_idle
from losos_lab import space as spaces
from losos_lab.traefik import Traefik
from losos_tools.files import write_text
from losos_tools.waiting import until

BOXES = 1000
SECONDS = 120
YARDSTICK_SECONDS = 10
CORE_AT_MOST = 0.25


def flap(seconds, come, go):
    """Each second the box comes, and goes half a second later."""
    pace = threading.Event()
    begin = time.monotonic()
    for half in range(2 * seconds):
        (come if half % 2 == 0 else go)()
        pace.wait(max(0.0, begin + (half + 1) / 2 - time.monotonic()))


def cores_taken(pid, seconds, come, go):
    """The share of one core that the process used meanwhile."""
    wait_idle(pid)
    begin, before = time.monotonic(), cpu_seconds(pid)
    flap(seconds, come, go)
    return (cpu_seconds(pid) - before) / (time.monotonic() - begin)


def straight(traefik, file, texts):
    with_it, without_it = texts
    return cores_taken(traefik.pid, YARDSTICK_SECONDS, lambda: write_text(file, with_it, 0o644),
                       lambda: write_text(file, without_it, 0o644))


def through_the_registrar(registrar, traefik):
    last = ids(BOXES)[-1]

    def come():
        assert registrar.register(last).status == 200

    def go():
        assert registrar.deregister(last).status == 204

    before = registrar.metric("traefik_writes_total")
    share = cores_taken(traefik.pid, SECONDS, come, go)
    return share, registrar.metric("traefik_writes_total") - before


def both_texts(registrar):
    """losos.yml with the box that flaps, and without it."""
    with_it = registrar.losos_yml.read_text(encoding="utf-8")
    last = ids(BOXES)[-1]
    assert registrar.deregister(last).status == 204
    until(lambda: f"losos_{last}" not in registrar.routers(), "the router to go", 60)
    return with_it, registrar.losos_yml.read_text(encoding="utf-8")


def main():
    bounds = Bounds("flapping")
    tag = spaces.make_tag(1)
    with tempfile.TemporaryDirectory(prefix="losos-bench-") as name:
        folder = Path(name)
        space = spaces.Space(tag, "edge")
        traefik = Traefik(space, "traefik", folder / "traefik", folder)
        traefik.prepare()
        # An edge on a LAN: its Traefik has no certificate to order, which would be measured too.
        registrar = crowded_registrar(folder / "registrar", BOXES, BOXES, lan=True,
                                      traefik_dir=traefik.dynamic, heartbeat_ttl="1h")
        registrar.losos_yml = traefik.dynamic / "losos.yml"
        try:
            registrar.start()
            texts = both_texts(registrar)
            traefik.start()
            # Nobody but the one who is measured may put the file right meanwhile.
            assert registrar.stop() == 0, registrar.log()
            first = straight(traefik, registrar.losos_yml, texts)
            registrar.start()
            share, writes = through_the_registrar(registrar, traefik)
            assert registrar.stop() == 0, registrar.log()
            plain = (first + straight(traefik, registrar.losos_yml, texts)) / 2
        finally:
            registrar.close()
            spaces.take_down(tag)
    say(f"flapping, one of {BOXES:,} boxes every second: Traefik used {share * SECONDS:.1f} CPU s in "
        f"{SECONDS} s, {share:.2f} of a core, for {writes:.0f} changes of its file; ratio to "
        f"{CORE_AT_MOST:g}: {share / CORE_AT_MOST:.2f}")
    say(f"flapping, written straight into the file: {plain * SECONDS:.1f} CPU s in as long; "
        f"ratio {share / plain:.2f}")
    bounds.at_most("the share of a core that Traefik used", share, CORE_AT_MOST)
    bounds.check()


if __name__ == "__main__":
    main()
