"""Traefik with the configuration we ship, moved into the lab's directory."""

import pathlib
import re
import time

from . import parts, wait
from .acme import DIRECTORY
from .process import Process

SHIPPED = parts.ROOT / "units" / "traefik"


def moved(text, changes):
    """The text with each change made in exactly one place: a shipped file that no longer fits the
    lab is an error here, never a file that is quietly not tested."""
    for old, new in changes.items():
        if text.count(old) != 1:
            raise AssertionError(f"the shipped file holds {old!r} {text.count(old)} times")
        text = text.replace(old, new)
    return text


def uncommented(text, first, margin=""):
    """The text as an operator changes it who wants what its end holds as a comment: from the line
    `first` on each line loses its #."""
    mark = f"\n{margin}#{first}\n"
    if text.count(mark) != 1:
        raise AssertionError(f"the shipped file holds #{first} {text.count(mark)} times")
    head, block = text.split(mark)
    return f"{head}\n{margin}{first}\n" + re.sub(f"(?m)^{margin}#", margin, block)


class Traefik:
    """One edge's Traefik. With `acme` it orders certificates there; without, it orders none."""

    def __init__(self, space, name, folder, logs, acme=None, public_host=None):
        self._space = space
        self._name = name
        self._folder = folder
        self._logs = logs
        self._acme = acme
        self._public_host = public_host
        self.dynamic = folder / "dynamic"
        # How long an idle connection to a box is kept; None: as shipped.
        self.idle = None
        # With these variables it orders wildcards, proved in DNS.
        self.rfc2136 = None
        self._process = None

    def prepare(self):
        self.dynamic.mkdir(parents=True)
        # Also where no public host is set: the file must then be without effect.
        route = (SHIPPED / "losos-register.yml").read_text()
        (self.dynamic / "losos-register.yml").write_text(route)

    def _write_static(self):
        changes = {
            "directory: /etc/traefik/dynamic": f"directory: {self.dynamic}",
            "/var/lib/losos-traefik/acme.json": f"{self._folder}/acme.json",
        }
        if self._acme:
            changes["# email: hostmaster@example.org"] = (
                f"email: hostmaster@losos.test\n      caServer: {DIRECTORY}")
        if self.idle:
            changes["idleConnTimeout: 60s"] = f"idleConnTimeout: {self.idle}"
        shipped = (SHIPPED / "traefik.yml").read_text()
        if self.rfc2136:
            shipped = uncommented(shipped, "wildcard:", "  ")
            changes["/var/lib/losos-traefik/wildcard.json"] = f"{self._folder}/wildcard.json"
            changes["      email: hostmaster@example.org"] = (
                f"      email: hostmaster@losos.test\n      caServer: {DIRECTORY}")
        static = moved(shipped, changes)
        (self._folder / "traefik.yml").write_text(static)

    def start(self):
        self._write_static()
        env = dict(self.rfc2136 or {})
        if self._acme:
            env["LEGO_CA_CERTIFICATES"] = str(self._acme.api_certificate)
        if self._public_host:
            env["LOSOS_PUBLIC_HOST"] = self._public_host
        self._process = Process(
            self._space, self._name,
            [parts.part("traefik"), f"--configfile={self._folder / 'traefik.yml'}"],
            self._logs, env=env)
        wait.until(self._up, "Traefik to listen on 443", 20)

    def _up(self):
        if not self._process.running():
            raise AssertionError(f"Traefik ended at once: {self._process.tail()}")
        return self._space.listens(443)

    @property
    def pid(self):
        return self._process.pid

    def wait_idle(self, quiet=0.2):
        """Waits until Traefik has worked off the last change of its files: a change that follows
        at once would wait for the throttle of the one before."""
        last = [self._cpu_ticks(), time.monotonic()]

        def idle():
            now = self._cpu_ticks()
            if now - last[0] > 1:
                last[:] = [now, time.monotonic()]
            return time.monotonic() - last[1] >= quiet
        wait.until(idle, "Traefik to be idle", 30)

    def _cpu_ticks(self):
        fields = pathlib.Path(f"/proc/{self._process.pid}/stat").read_text().rsplit(")", 1)[1]
        return sum(int(field) for field in fields.split()[11:13])

    def acme_storage(self):
        """What Traefik has kept of its dealings with an ACME server."""
        return (self._folder / "acme.json").read_text()

    def log(self):
        return self._process.log()

    def running(self):
        return self._process.running()

    def kill(self):
        self._process.kill()

    def stop(self):
        self._process.stop(20)
