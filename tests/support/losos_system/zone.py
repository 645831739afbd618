"""A zone on a hub: what its operator types, and what Knot answers."""

from losos_lab import wait

from .network import HUB_ADDRESS
from .setting_up import SHARE

DNS_ZONE = "boxes.losos.example"
ZONE_FILE = f"/var/lib/losos-dns/{DNS_ZONE}.zone"
VOUCH_FILE = "/var/lib/losos-registrar/vouched.json"

# The zone's name and the edge's address are those of the packaged files.
SERVE = f"""
cp {SHARE}/knot.conf /etc/knot/
systemctl enable --quiet --now knot
sed -i 's/^#dns-/dns-/; s/^#vouch-file/vouch-file/' /etc/losos/losos-registrar.toml
systemctl restart losos-registrar
"""
# What the zone's parent has in DNS.
DELEGATED = f"echo '{HUB_ADDRESS} {DNS_ZONE}' >> /etc/hosts"


def serve(hub):
    """The hub's operator offers custom domains, on a hub that is official."""
    hub.run(f"set -e{SERVE}{DELEGATED}")
    wait.until(lambda: answered(hub, DNS_ZONE, "SOA"), "Knot to answer for the zone", 30)


def answered(hub, name, kind="A", at=HUB_ADDRESS):
    """What the name server says, a line a record."""
    asked = f"kdig +short +timeout=2 +retry=0 @{at} {name} {kind}"
    done = hub.run(asked, expect=None)
    return [line for line in done.out.splitlines() if line and not line.startswith(";;")]


def served_serial(hub):
    soa = answered(hub, DNS_ZONE, "SOA")
    return int(soa[0].split()[2]) if soa else None


def written_serial(hub):
    text = hub.path(ZONE_FILE).read_text()
    return int(text[:text.index(" ; serial")].split()[-1])


def vouch(hub, box, uuid):
    hub.run(f"losos-registrar vouch set --vouch-file {VOUCH_FILE} {box} --account-id acct_1Abc "
            f"--box-uuid {uuid}")


def vouch_no_more(hub, box):
    hub.run(f"losos-registrar vouch remove --vouch-file {VOUCH_FILE} {box}")
