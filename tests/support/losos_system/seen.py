"""What can be seen of a federation from outside: the path of its box, and whether all is well."""

import json
import time

from losos_lab import wait

from .setting_up import BOX, BOX_NAME, SPOKE


def path_of(box):
    """The path the box is on, as edge.json tells it; None while there is none."""
    return document(box)["path"]


def document(box):
    return json.loads(box.path("/run/losos/edge.json").read_text())


def candidate(box, url):
    """What the box knows of one edge."""
    return next((one for one in document(box)["candidates"] if one["url"] == url), None)


def wait_source(box, source, timeout=30.0):
    """Waits until the box is on a path of this kind; returns the path."""
    def there():
        path = path_of(box)
        return path and path["source"] == source and path
    return wait.until(there, lambda: f"a path that is {source}; it is {document(box)}", timeout)


def switches(box):
    """How often the box has taken another path since it was booted: each time its announcer is
    started anew."""
    return sum(line.endswith("Started losos-registrar-announce.service - "
                             "LosOS box: registration with its edge.")
               for _, line in box.journal("losos-registrar-announce"))


def uplink_error(gateway):
    """What the last pass of the uplink did not like; None when all was well."""
    status = gateway.path("/run/losos-registrar/uplink-status.json")
    return json.loads(status.read_text())["error"] if status.exists() else "no pass so far"


def is_well(federation):
    """Whether the box is public through its gateway, and no machine has a failed unit; the text says
    what is missing."""
    missing = []
    path = path_of(federation.box)
    if not path or path["source"] != "lan":
        missing.append(f"the box's path is {path}: {document(federation.box)['candidates']}")
    boxes = federation.hub.run("losos-edge boxes", expect=None).out
    if f"{SPOKE}.{BOX}\t" not in boxes:
        missing.append(f"the hub has {boxes!r}")
    if f"\n{BOX}\t" in f"\n{boxes}":
        missing.append("the hub has the box as its own")
    error = uplink_error(federation.gateway)
    if error:
        missing.append(f"the uplink says {error!r}")
    for machine in federation.machines:
        if machine.is_on() and machine.failed_units():
            missing.append(f"{machine.name}: {machine.failed_units()}")
    return missing


def wait_well(federation, timeout=30.0, started=None):
    """Waits until all is well and a visitor gets the page, for at most `timeout` seconds since
    `started` (now, if it is not given); returns how many seconds that took."""
    started = started or time.monotonic()
    timeout -= time.monotonic() - started
    wait.until(lambda: not is_well(federation), lambda: f"all to be well: {is_well(federation)}",
               timeout, 0.05)
    federation.visitor.wait_status(BOX_NAME, 200, timeout)
    return time.monotonic() - started


def wait_until_no_path(box, timeout=30.0):
    """Waits until the box has given up every edge, and its tunnel's units are stopped."""
    units = ("losos-rathole-client", "losos-registrar-announce")

    def given_up():
        return (box.path("/run/losos/edge-none").exists() and path_of(box) is None
                and all(box.active(unit) in ("inactive", "failed") for unit in units))
    wait.until(given_up, "the box to be on no path", timeout, 0.05)


def wait_active(machine, unit, timeout=30.0):
    wait.until(lambda: machine.active(unit) == "active", f"{unit} of {machine.name} to run", timeout,
               0.05)


def stays(condition, what, seconds):
    """What must not happen has `seconds` to happen; fails at once when the condition does not hold."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        assert condition(), f"{what}, {deadline - time.monotonic():.1f} s before the end"
        time.sleep(0.1)
