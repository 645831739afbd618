"""What the owners of the three machines type, once, to set them up.

The names are those of the README. The hub's Traefik finds a certificate for them that the machines
trust, so that nothing here waits for an ACME server.
"""

import json

from losos_lab import wait

from .network import HUB_ADDRESS

HUB_NAME = "edge.losos.example"
HUB_URL = f"https://{HUB_NAME}"
SPOKE = "acme"
ZONE = f"{SPOKE}.losos.example"
BOX = "mattbox"
BOX_NAME = f"{BOX}.{ZONE}"
SHARE = "/usr/share/losos"
# A host of containers lets nobody open as many files as the packaged range of ports needs.
FEWER_PORTS = 'echo \'port-range = "20000-20999"\' >> /etc/losos/losos-registrar.toml'

HUB = f"""
cp {SHARE}/losos-registrar.hub.toml /etc/losos/losos-registrar.toml
cp {SHARE}/traefik.yml {SHARE}/tenants.json /etc/losos/
cp {SHARE}/losos-register.yml /etc/traefik/dynamic/
sed -i 's/^#public-host/public-host/' /etc/losos/losos-registrar.toml
{FEWER_PORTS}
echo LOSOS_PUBLIC_HOST={HUB_NAME} > /etc/losos/traefik.env
openssl rand -hex 32 | install -o losos-edge -m 0600 /dev/stdin /etc/losos/tokens/{SPOKE}
systemctl enable --quiet --now losos-hub.target
"""

GATEWAY = f"""
cp {SHARE}/losos-registrar.gateway.toml /etc/losos/losos-registrar.toml
cp {SHARE}/traefik.yml /etc/losos/
{FEWER_PORTS}
systemctl enable --quiet --now losos-gateway.target
"""

# The id and the hostname are those of the packaged files, and so is the configured edge.
BOX_FILES = f"""
cp {SHARE}/lososd-pathd.toml {SHARE}/losos-announce.toml /etc/losos/
sed -i 's/^#registrar-url/registrar-url/; s/^#edge-rathole/edge-rathole/' \\
    /etc/losos/lososd-pathd.toml /etc/losos/losos-announce.toml
"""
BOX_START = "systemctl enable --quiet --now losos-box.target"
BOX_UNITS = BOX_FILES + BOX_START

UPLINK_SET = (f"losos-edge uplink set --id {SPOKE} --token-file {SPOKE}.token "
              f"--registrar {HUB_URL} --rathole {HUB_NAME}:2333")

IDENTITY = "/var/lib/losos-registrar/identity"
SIGN = f"""
losos-registrar identity keygen --root --identity-key-file root.key
losos-registrar identity keygen --identity-key-file {IDENTITY}.key > key
losos-registrar identity sign --root-private-key-file root.key --name LosOS --url {HUB_URL} \\
    --public-key $(cat key) --days 365 > cert.json
losos-registrar identity install --root-key-file root.key.pub --identity-key-file {IDENTITY}.key \\
    --identity-cert-file {IDENTITY}.cert.json < cert.json
sed -i 's/^#identity/identity/' /etc/losos/losos-registrar.toml
"""

PAGE = """
server {
    listen 80 default_server;
    default_type text/plain;
    location / { return 200 'Hello from mattbox. Host: $http_host, visitor: $http_x_forwarded_for\\n'; }
}
"""


def name_the_hub(machine):
    """What DNS would say."""
    machine.path("/etc/hosts").write_text(
        f"127.0.0.1 localhost\n127.0.1.1 {machine.name}\n{HUB_ADDRESS} {HUB_NAME}\n")


def certify(machine, authority):
    """What an ACME server would have given the hub's Traefik."""
    certificate, key = authority.issue([HUB_NAME, f"*.{ZONE}"])
    machine.write("/etc/traefik/certificate.pem", certificate.read_text())
    machine.write("/etc/traefik/certificate.key", key.read_text(), 0o600, "losos-traefik")
    machine.write("/etc/traefik/dynamic/certificate.yml", """tls:
  certificates:
    - certFile: /etc/traefik/certificate.pem
      keyFile: /etc/traefik/certificate.key
""")


def hub(machine, authority):
    """An official edge on the internet that knows one gateway."""
    certify(machine, authority)
    machine.run(f"set -e{HUB}")


def make_official(hub_machine):
    """The hub gets a certificate of its identity; returns the root's public key."""
    hub_machine.run(f"set -e{SIGN}systemctl restart losos-registrar")
    return hub_machine.run("cat root.key.pub").out


def gateway(machine, hub_machine):
    """An edge at home, whose owner got a token from the hub's operator."""
    lan_edge(machine)
    hand_over_token(machine, hub_machine)


def lan_edge(machine):
    """A gateway that no hub knows."""
    machine.run(f"set -e{GATEWAY}")


def hand_over_token(machine, hub_machine):
    token = wait.until(hub_machine.path(f"/etc/losos/tokens/{SPOKE}").read_text, "the hub's token")
    machine.write(f"/root/{SPOKE}.token", token, 0o600)


def web_server(machine):
    """The page that everything here is about."""
    machine.path("/etc/nginx/sites-enabled/default").unlink(missing_ok=True)
    machine.write("/etc/nginx/conf.d/page.conf", PAGE)
    machine.run("systemctl enable --quiet --now nginx")


def box(machine, root_key=None):
    """A home server that knows its id, its name, an edge to use where it meets none, and perhaps whom
    to believe that an edge is official."""
    web_server(machine)
    machine.run(f"set -e{BOX_FILES}")
    if root_key:
        machine.write("/etc/losos/root.key.pub", root_key)
        machine.run("sed -i 's/^#root-key/root-key/' /etc/losos/lososd-pathd.toml")
    machine.run(BOX_START)


def list_box(hub_machine, box_machine):
    """The hub's operator lists the box with the token its owner handed over, so that it can come by
    itself when its gateway is gone."""
    token = wait.until(lambda: _text(box_machine.path("/var/secrets/losos-proxy-token")),
                       "the box's token")
    hub_machine.write(f"/etc/losos/tokens/{BOX}", token, 0o600, "losos-edge")
    tenants = json.loads(hub_machine.path("/etc/losos/tenants.json").read_text())
    tenants[BOX] = {"hostname": BOX_NAME, "token_file": f"/etc/losos/tokens/{BOX}"}
    hub_machine.write("/etc/losos/tenants.json", json.dumps(tenants, indent=2))


def _text(path):
    return path.exists() and path.read_text()
