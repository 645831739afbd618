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
from .edge import write_secret
from .process import Process, run
from .traefik import moved, uncommented

PORT = 53
PATIENCE = 3.0

SHIPPED = parts.ROOT / "units" / "knot" / "knot.conf"
EXAMPLE_ZONE, EXAMPLE_RELAY_ZONE = "boxes.losos.example", "acme.losos.example"

# Beside what is shipped: a second relay zone, and zones that their owners update.
CHALLENGES = """zone:
  - domain: _acme-challenge.{zone}
    file: {folder}/_acme-challenge.{zone}.zone
    zonefile-load: difference
    journal-content: all
    acl: acme
"""
OWNED = """acl:
  - id: owner
    address: 127.0.0.1
    action: update
zone:
  - domain: {zone}
    file: {folder}/{zone}.zone
    zonefile-load: difference
    journal-content: all
    acl: owner
"""
KEY_FILE = """key:
  - id: acme
    algorithm: hmac-sha256
    secret: {secret}
"""
BEGINNING = """@ 1 SOA {nameserver}. hostmaster.{nameserver}. 1 3600 600 1209600 1
@ 1 NS {nameserver}.
"""


class Knot:
    def __init__(self, space, folder, logs, nameserver):
        self.space = space
        self.folder = folder
        self.zones = folder / "losos-dns"
        self.secret_file = folder / "tsig.secret"
        self._logs = logs
        self._nameserver = nameserver
        self._config = folder / "knot.conf"
        self._socket = folder / "knot.sock"
        self._process = None

    def start(self, zone, relay_zones, owned):
        """`zone` is the hub's, from a file in `zones`; the wildcards of the relay zones are proved
        here, and the zones of people who own a domain are here as well."""
        for path in (self.zones, self.folder / "db"):
            path.mkdir(parents=True)
        secret = base64.b64encode(secrets.token_bytes(32)).decode()
        write_secret(self.secret_file, secret)
        write_secret(self.folder / "acme.conf", KEY_FILE.format(secret=secret))
        for name in (*(f"_acme-challenge.{each}" for each in relay_zones), owned):
            (self.folder / f"{name}.zone").write_text(
                BEGINNING.format(nameserver=self._nameserver))
        more = [CHALLENGES.format(zone=each, folder=self.folder) for each in relay_zones[1:]]
        self._config.write_text("".join([self._shipped(zone, relay_zones[0]), *more,
                                         OWNED.format(zone=owned, folder=self.folder)]))
        self._process = Process(self.space, "knot", [parts.part("knotd"), "-c", self._config],
                                self._logs)
        wait.until(lambda: self.space.listens(PORT), "Knot to listen")

    def _shipped(self, zone, relay_zone):
        challenges = f"_acme-challenge.{EXAMPLE_RELAY_ZONE}"
        return moved(uncommented(SHIPPED.read_text(), 'include: "/etc/knot/acme.conf"'), {
            'rundir: "/run/knot"': f"rundir: {self.folder}",
            "    user: knot:knot\n": "",
            "target: syslog": "target: stderr",
            'storage: "/var/lib/knot"': f"storage: {self.folder}/db",
            'storage: "/var/lib/losos-dns"': f"storage: {self.zones}",
            f"- domain: {EXAMPLE_ZONE}": f"- domain: {zone}",
            f'file: "/var/lib/losos-dns/{EXAMPLE_ZONE}.zone"': f"file: {zone}.zone",
            'include: "/etc/knot/acme.conf"': f"include: {self.folder}/acme.conf",
            f"- domain: {challenges}": f"- domain: _acme-challenge.{relay_zone}",
            f'file: "/var/lib/knot/{challenges}.zone"':
                f"file: {self.folder}/_acme-challenge.{relay_zone}.zone"})

    def follow(self):
        """What the path unit does: a look at the zones whenever one has changed."""
        support = parts.ROOT / "tests" / "support"
        process = Process(self.space, "dns-reload",
                          [sys.executable, support / "stand_in_dns_reload.py", "--zones", self.zones,
                           "--", parts.ROOT / "units" / "libexec" / "reload-zones", self.zones,
                           self._socket, f"{self._socket}.began"], self._logs)
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
            return dns.query.tcp(dns.message.make_query(name, kind), "127.0.0.1", PATIENCE, PORT)

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
