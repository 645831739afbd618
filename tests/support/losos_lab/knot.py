"""Knot, a real name server: it serves the zone that a hub writes, the zones in which Traefik proves
its wildcards, and the zones of people who own a domain."""

import base64
import re
import secrets
import sys

import dns.message
import dns.query
import dns.rcode
import dns.update

from . import parts, wait
from .process import Process, run

PORT = 53
KEY = "acme"
PATIENCE = 3.0

SERVER = """server:
    rundir: {folder}
    listen: [{listen}]
log:
  - target: stderr
    any: info
database:
    storage: {folder}/db
key:
  - id: {key}
    algorithm: hmac-sha256
    secret: {secret}
acl:
  - id: acme
    key: {key}
    action: update
  - id: owner
    address: 127.0.0.1
    action: update
zone:
"""
# From the file the registrar writes, and from nowhere else.
RENDERED = """  - domain: {zone}
    file: {file}
    zonefile-sync: -1
    zonefile-load: difference
"""
# By updates alone; the file is where they begin.
UPDATED = """  - domain: {zone}
    file: {folder}/{zone}.zone
    zonefile-sync: -1
    zonefile-load: difference
    journal-content: all
    acl: {acl}
"""
BEGINNING = """{zone}. 1 IN SOA ns.{zone}. hostmaster.{zone}. 1 3600 600 1209600 1
{zone}. 1 IN NS {nameserver}.
"""


class Knot:
    def __init__(self, space, folder, logs, nameserver):
        self.space = space
        self.folder = folder
        self._logs = logs
        self._nameserver = nameserver
        self._zones = []
        self.secret = base64.b64encode(secrets.token_bytes(32)).decode()
        self._config = folder / "knot.conf"
        self._process = None

    def serve_file(self, zone, file):
        self._zones.append(RENDERED.format(zone=zone, file=file))

    def serve_challenges(self, zone):
        """The zone of its own in which the wildcard of a relay zone is proved."""
        self._serve_updated(f"_acme-challenge.{zone}", "acme")

    def serve_owned(self, zone):
        """The zone of somebody who owns a domain."""
        self._serve_updated(zone, "owner")

    def _serve_updated(self, zone, acl):
        self.folder.mkdir(exist_ok=True)
        (self.folder / f"{zone}.zone").write_text(
            BEGINNING.format(zone=zone, nameserver=self._nameserver))
        self._zones.append(UPDATED.format(zone=zone, folder=self.folder, acl=acl))

    def start(self, addresses):
        (self.folder / "db").mkdir(parents=True)
        self._config.touch(mode=0o600)
        listen = ", ".join(f"{address}@{PORT}" for address in addresses)
        self._config.write_text(SERVER.format(folder=self.folder, listen=listen, key=KEY,
                                              secret=self.secret) + "".join(self._zones))
        self._process = Process(self.space, "knot", [parts.part("knotd"), "-c", self._config],
                                self._logs)
        wait.until(lambda: self.space.listens(PORT), "Knot to listen")

    def reload_command(self, zone):
        return [parts.part("knotc"), "-c", str(self._config), "zone-reload", zone]

    def follow(self, zone, file):
        """What the path unit does: a reload whenever the file has changed."""
        loop = parts.ROOT / "tests" / "support" / "stand_in_dns_reload.py"
        process = Process(self.space, "dns-reload",
                          [sys.executable, loop, "--zone-file", file, "--",
                           *self.reload_command(zone)], self._logs)
        process.wait_line("stand-in")

    def check(self, zone, file):
        """What Knot's own checker says of a zone file."""
        return run(self.space, [parts.part("kzonecheck"), "-v", "-o", zone, file])

    def complaints(self, zone):
        """What Knot did not like about a zone once it had it."""
        _, _, since = self._process.log().partition(f"[{zone}.] loaded")
        return [line for line in since.splitlines()
                if re.search(rf" (warning|error|critical): \[{re.escape(zone)}\.\]", line)]

    # --- what it serves ---

    def ask(self, name, kind):
        """What stands under a name: the records' texts."""
        return sorted(rdata.to_text() for rrset in self._ask(name, kind).answer
                      for rdata in rrset)

    def knows(self, name, kind="A"):
        return bool(self.ask(name, kind))

    def denies(self, name):
        """Whether it says that there is no such name."""
        return self._ask(name, "A").rcode() == dns.rcode.NXDOMAIN

    def _ask(self, name, kind):
        with self.space.inside():
            return dns.query.udp(dns.message.make_query(name, kind), "127.0.0.1", PATIENCE, PORT)

    def serial(self, zone):
        return int(self.ask(zone, "SOA")[0].split()[2])

    # --- what owners of domains put in ---

    def put(self, zone, *records):
        """Puts (name, type, data) into an owner's zone, all at once."""
        update = dns.update.Update(zone)
        for name, kind, data in records:
            update.replace(f"{name}.", 1, kind, data)
        self._send(update)

    def take_out(self, zone, *names):
        """Removes all that stands under these names."""
        update = dns.update.Update(zone)
        for name in names:
            update.delete(f"{name}.")
        self._send(update)

    def _send(self, update):
        with self.space.inside():
            answer = dns.query.tcp(update, "127.0.0.1", PATIENCE, PORT)
        if answer.rcode() != dns.rcode.NOERROR:
            raise AssertionError(f"Knot refused an update: {answer}")
