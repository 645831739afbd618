"""Where the time goes when a box changes its edge: what happened when, read off the box."""

import json
import statistics

from losos_lab import wait

ENV = "/run/losos/edge-path.env"
NONE = "/run/losos/edge-none"
ANNOUNCED = "/run/losos/announced.json"
ANNOUNCE = "losos-registrar-announce"
TUNNEL = "losos-rathole-client"
PARTS = ("found out", "switched", "registered", "tunnel up", "routed")


def read_env(box):
    """The lines of edge-path.env by name; none where there is no such file."""
    try:
        lines = box.path(ENV).read_text().splitlines()
    except FileNotFoundError:
        return {}
    return {name.removeprefix("LOSOS_EDGE_PATH_"): value
            for name, value in (line.split("=", 1) for line in lines)}


def edge_json(box):
    return json.loads(box.path("/run/losos/edge.json").read_text())


def wait_source(box, source, timeout=60.0):
    """Waits until the box's path is of this source; returns when that was written."""
    wait.until(lambda: read_env(box).get("SOURCE") == source, f"the path of the box to be {source}; "
               f"it is {read_env(box)}", timeout)
    return box.path(ENV).stat().st_mtime


def wait_tunnel(box, since, timeout=30.0):
    """Waits until a rathole that was started after a moment has its tunnel up; returns when it had. The
    one before it may have come up after that moment too."""
    def started():
        at = box.started(TUNNEL)
        return at > since and at
    started_at = wait.until(started, "the box's tunnel to be started anew", timeout)
    return box.wait_journal("Control channel established", TUNNEL, since=started_at, timeout=timeout)


class Change:
    """One change of a box's edge: begun at `began`, over when a visitor had his page."""

    def __init__(self, began, moments):
        self.began = began
        self.moments = moments

    @classmethod
    def read(cls, box, began, public):
        """What the box's files and units tell of a change that is over."""
        found = box.path(ENV).stat().st_mtime
        return cls(began, (found, box.started(ANNOUNCE), box.path(ANNOUNCED).stat().st_mtime,
                           wait_tunnel(box, found), public))

    @property
    def seconds(self):
        return self.moments[-1] - self.began

    def parts(self):
        """How long each part took after the one before."""
        before = [self.began, *self.moments]
        return {name: at - last for name, at, last in zip(PARTS, self.moments, before)}

    def __str__(self):
        return f"{self.seconds:.2f} s: " + ", ".join(
            f"{name} {took:+.2f}" for name, took in self.parts().items())


def summary(what, seconds):
    """One line for the run's figures."""
    seconds = list(seconds)
    return (f"{what}: median {statistics.median(seconds):.2f} s, worst {max(seconds):.2f} s of "
            f"{len(seconds)}: " + " ".join(f"{each:.2f}" for each in seconds))


def parts_summary(changes):
    """The medians of the parts, in one line."""
    changes = list(changes)
    return "  parts: " + ", ".join(
        f"{name} {statistics.median(change.parts()[name] for change in changes):.2f}"
        for name in PARTS)
