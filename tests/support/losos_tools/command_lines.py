"""The flags of every command of our tools, and the defaults of those that have one."""

TUNNEL = {"rathole-config", "rathole-bind-addr", "rathole-bind-port", "bootstrap-token-file",
          "noise-private-key-file"}
SERVE = TUNNEL | {
    "listen", "tenants-file", "registry", "run-dir", "traefik-dir", "port-range", "port-rest",
    "noise-public-key-file", "reconcile-interval", "heartbeat-ttl", "public-domain", "public-host",
    "reserved-host", "cert-resolver", "wildcard-resolver", "lan-advertise", "avahi-service-file",
    "advertise-host", "enrol-dir", "enrol-max", "identity-key-file", "identity-cert-file",
    "dns-zone", "dns-zone-file", "dns-nameservers", "dns-hostmaster", "dns-ipv4", "dns-ipv6",
    "dns-check-url", "domain-check-waiting", "domain-check-live", "domains-state-file",
    "vouch-file", "relay-pass-key-file", "relay-routes-file", "mesh-agent-token-file",
    "mesh-server-addr", "kube-api", "kube-token-file", "kube-ca-file", "compute-windows-file"}
EDGE = {"json", "edge-dir", "state-dir", "run-dir", "enrol-dir", "uplink-rathole-config"}
DOCTOR = {"machine", "box-run-dir", "secrets-dir", "rathole-client-config", "rathole-config",
          "traefik-dir", "avahi-service-file", "https-port", "http-port", "timeout"}
UPLINK_SET = {"id", "token-file", "registrar", "rathole", "bootstrap-token-file",
              "noise-public-key-file", "insecure"}

COMMANDS = {
    ("losos-registrar", "serve"): SERVE,
    ("losos-registrar", "check"): SERVE,
    ("losos-registrar", "seed"): TUNNEL,
    ("losos-registrar", "noise", "keygen"): {"noise-private-key-file"},
    ("losos-registrar", "enrol", "list"): {"dir"},
    ("losos-registrar", "enrol", "forget"): {"dir"},
    ("losos-registrar", "identity", "keygen"): {"identity-key-file", "root"},
    ("losos-registrar", "identity", "sign"): {"root-private-key-file", "name", "url", "public-key",
                                              "days"},
    ("losos-registrar", "identity", "install"): {"identity-key-file", "identity-cert-file",
                                                 "root-key-file"},
    ("losos-registrar", "identity", "show"): {"identity-key-file", "identity-cert-file"},
    ("losos-registrar", "identity", "verify"): {"root-key-file"},
    ("losos-registrar", "vouch", "set"): {"vouch-file", "account-id", "box-uuid", "not-ready"},
    ("losos-registrar", "vouch", "list"): {"vouch-file"},
    ("losos-registrar", "vouch", "remove"): {"vouch-file"},
    ("losos-uplink",): {"uplink-file", "live-file", "uplink-rathole-config", "hub-routes-file",
                        "hub-noise-file", "registrar-status-file", "status-file", "timeout"},
    ("losos-announce",): {"path-env", "registrar-url", "appliance-id", "hostname", "token-file",
                          "heartbeat-interval", "relay-pass-file", "run-dir", "idle", "once"},
    ("lososd-pathd", "serve"): {
        "registrar-url", "edge-rathole-endpoint", "listen", "appliance-id", "token-file",
        "bootstrap-token-file", "noise-public-key-file", "pins-dir", "run-dir", "root-key-file",
        "probe-interval", "public-names-file", "no-drive"},
    ("lososd-pathd", "gate"): {"run-dir"},
    ("lososd-pathd", "client-config"): {
        "path-env", "registrar-url", "edge-rathole-endpoint", "appliance-id", "token-file",
        "bootstrap-token-file", "noise-public-key-file", "pins-dir", "output"},
    ("losos-edge", "status"): EDGE | {"box-run-dir", "public-names-file"},
    ("losos-edge", "boxes"): EDGE,
    ("losos-edge", "forget"): EDGE,
    ("losos-edge", "uplink", "set"): EDGE | UPLINK_SET,
    ("losos-edge", "uplink", "show"): EDGE,
    ("losos-edge", "uplink", "clear"): EDGE,
    ("losos-edge", "doctor"): EDGE | DOCTOR,
    ("losos-edge", "ssh", "on"): EDGE,
    ("losos-edge", "ssh", "off"): EDGE,
}

DEFAULTS = {
    ("losos-registrar", "serve"): {
        "listen": "127.0.0.1:8443", "registry": "/var/lib/losos-registrar/registry.json",
        "run-dir": "/run/losos-registrar", "traefik-dir": "/etc/traefik/dynamic",
        "rathole-bind-addr": "0.0.0.0", "rathole-bind-port": "2333", "port-range": "20000-29999",
        "port-rest": "120s", "reconcile-interval": "15s", "heartbeat-ttl": "120s",
        "cert-resolver": "le", "avahi-service-file": "/etc/avahi/services/losos-edge.service",
        "enrol-max": "256", "domain-check-waiting": "30s", "domain-check-live": "1h"},
    ("losos-uplink",): {
        "uplink-file": "/var/lib/losos-edge/uplink.json",
        "live-file": "/run/losos-registrar/live.json",
        "uplink-rathole-config": "/etc/rathole/uplink.toml",
        "hub-routes-file": "/var/lib/losos-registrar/hub-routes.json",
        "hub-noise-file": "/var/lib/losos-edge/hub-noise.pub",
        "status-file": "/run/losos-registrar/uplink-status.json", "timeout": "10s"},
    ("losos-announce",): {"token-file": "/var/secrets/losos-proxy-token",
                          "heartbeat-interval": "30s", "run-dir": "/run/losos", "idle": "auto"},
    ("lososd-pathd", "serve"): {
        "listen": "127.0.0.1:8082", "token-file": "/var/secrets/losos-proxy-token",
        "bootstrap-token-file": "/var/secrets/losos-rathole-bootstrap",
        "noise-public-key-file": "/var/secrets/losos-rathole-noise-pub",
        "pins-dir": "/var/secrets/losos-edge-pins", "run-dir": "/run/losos",
        "probe-interval": "2s",
        "public-names-file": "/var/lib/losos-public-names/domains.json"},
    ("lososd-pathd", "gate"): {"run-dir": "/run/losos"},
    ("lososd-pathd", "client-config"): {
        "path-env": "/run/losos/edge-path.env", "token-file": "/var/secrets/losos-proxy-token",
        "bootstrap-token-file": "/var/secrets/losos-rathole-bootstrap",
        "noise-public-key-file": "/var/secrets/losos-rathole-noise-pub",
        "pins-dir": "/var/secrets/losos-edge-pins", "output": "/run/losos-rathole/client.toml"},
    ("losos-edge", "status"): {
        "edge-dir": "/var/lib/losos-edge", "state-dir": "/var/lib/losos-registrar",
        "run-dir": "/run/losos-registrar", "uplink-rathole-config": "/etc/rathole/uplink.toml",
        "box-run-dir": "/run/losos",
        "public-names-file": "/var/lib/losos-public-names/domains.json"},
    ("losos-edge", "doctor"): {
        "box-run-dir": "/run/losos", "secrets-dir": "/var/secrets",
        "rathole-client-config": "/run/losos-rathole/client.toml",
        "rathole-config": "/etc/rathole/server.toml", "traefik-dir": "/etc/traefik/dynamic",
        "avahi-service-file": "/etc/avahi/services/losos-edge.service", "https-port": "443",
        "http-port": "80", "timeout": "5s"},
}
