"""An edge that a root of the test's own calls official, with a zone, a resolver and a vouch file."""

import hashlib
import time

from .files import write_json, write_text
from .process import run
from .resolver import Resolver
from .signing import SigningKey
from .tokens import token

ZONE = "losos.example"
ADDRESS = "192.0.2.7"
UUID = "5e1b7d0c-3a55-4c8e-9d52-1f0a7c3e9b10"
ACCOUNT = "acct_1Abc"


def zone_name(uuid=UUID):
    """A box's name in the zone, computed here a second time."""
    digest = hashlib.sha256(f"losos-box-dns-v1\n{uuid}\n".encode()).hexdigest()
    return f"{digest[:16]}.{ZONE}"


def proof(domain, uuid=UUID, account=ACCOUNT):
    """The text that proves a domain, computed here a second time."""
    text = f"losos-domain-v1\n{domain}\n{uuid}\n{account}\n"
    return "losos-domain-v1=" + hashlib.sha256(text.encode()).hexdigest()[:32]


class OfficialEdge:
    """Gives a registrar that does not run yet all it needs to offer custom domains."""

    def __init__(self, edge, **flags):
        self.edge = edge
        self.resolver = Resolver()
        self.root = SigningKey(edge.etc, "root")
        self.key = SigningKey(edge.etc, "identity")
        self.cert_file = edge.state / "identity.cert.json"
        self.vouch_file = edge.state / "vouched.json"
        self.zone_file = edge.state / f"{ZONE}.zone"
        self.domains_file = edge.state / "domains.json"
        key_file = write_text(edge.state / "identity.key", self.key.seed + "\n")
        edge.flags.update({
            "identity_key_file": key_file, "identity_cert_file": self.cert_file,
            "dns_zone": ZONE, "dns_zone_file": self.zone_file,
            "dns_nameservers": f"ns1.{ZONE},ns2.{ZONE}", "dns_ipv4": ADDRESS,
            "dns_check_url": self.resolver.url, "domain_check_waiting": "1s",
            "domains_state_file": self.domains_file, "vouch_file": self.vouch_file, **flags})
        self.certify()

    def close(self):
        self.resolver.close()

    def certify(self, seconds=90 * 24 * 3600):
        write_json(self.cert_file, self.root.certificate(
            "LosOS", self.edge.url, self.key.public, int(time.time()) + seconds), 0o644)

    def vouch(self, box, uuid=UUID, account=ACCOUNT, *flags):
        done = run("losos-registrar", "vouch", "set", "--vouch-file", self.vouch_file, box,
                   "--account-id", account, "--box-uuid", uuid, *flags)
        assert done.code == 0, done

    def prove(self, domain, uuid=UUID, account=ACCOUNT):
        """Puts the proof and the alias of a domain into DNS."""
        self.resolver.records[(f"_losos-challenge.{domain}", "TXT")] = [
            f'"{proof(domain, uuid, account)}"']
        self.resolver.records[(domain, "CNAME")] = [zone_name(uuid) + "."]

    def call(self, action, box, domain=None, **options):
        body = {"appliance_id": box, "token": token(box)}
        if domain is not None:
            body["domain"] = domain
        return self.edge.post(f"/domains/{action}", body, **options)

    def seen(self, box):
        """{domain: what its box sees of it}."""
        return {each["domain"]: each for each in self.call("list", box).json()["domains"]}

    def hosts(self):
        """The hosts for which there is a router."""
        return set(self.edge.routers().values())

    def zone(self):
        return self.zone_file.read_text(encoding="utf-8")

    def serial(self):
        line = next(each for each in self.zone().splitlines() if each.endswith("; serial"))
        return int(line.split()[0])
