"""What one tunnel (box to gateway) and two (box to gateway to hub) carry when our tools wrote their
files, beside the same rathole with files written by hand, and beside frp: requests a second over
connections that stay, new connections a second, and megabytes a second of one download.

Needs root: the machines are network namespaces, as in the e2e ring.
"""

import re
import statistics

from figures import Bounds, requests_a_second, say, wrk
from frp_chain import PORT as FRP_PORT
from frp_chain import FrpChain, ensure_built
from losos_lab import HUB_ADDRESS, LAN_ADDRESS, Lab, wait
from losos_lab.by_hand import FIRST_PORT as BY_HAND_PORT
from losos_lab.nginx import start_nginx
from losos_tools.files import read_json

ROUNDS = 3
SECONDS = 2
CONNECTIONS = 32
BLOB_MIB = 512
# By hand is 1.0: the same program reads files that say the same. What is below it is the noise of a
# machine that does other things, which the mean over all kinds has less of.
BY_HAND_AT_LEAST = 0.9

SITE = """    keepalive_requests 1000000000;
    sendfile on;
    server {{
        listen 80;
        root {folder};
        location = / {{ return 200 'the box\\n'; }}
    }}
"""

UNITS = {"B": 1e-6, "KB": 1e-3, "MB": 1.0, "GB": 1e3}


def megabytes_a_second(printed):
    value, unit = re.search(r"Transfer/sec:\s+([\d.]+)([KMG]?B)", printed).groups()
    return float(value) * UNITS[unit]


# What is measured: its name, wrk's connections, path and further words, and what is read of it.
KINDS = (
    ("requests/s, keep-alive", CONNECTIONS, "/", (), requests_a_second),
    ("new connections/s", CONNECTIONS, "/", ("-H", "Connection: close"), requests_a_second),
    ("MB/s of one download", 1, "/blob", (), megabytes_a_second),
)


def start_web(lab):
    """nginx on the box's port 80, with a page and a large file."""
    lab.web.stop()
    folder = lab.folder / "bench-web"
    folder.mkdir()
    # The file is all holes; its bytes are made when they are read, and cross the tunnels all the same.
    with open(folder / "blob", "wb") as blob:
        blob.truncate(BLOB_MIB << 20)
    web = start_nginx(lab.box_space, "bench-nginx", folder, lab.logs, SITE.format(folder=folder))
    wait.until(lambda: lab.box_space.listens(80), "the box's nginx")
    return web


def our_ports(lab):
    """A box comes, and the uplink hands it on; returns the ports of its two tunnels."""
    lab.start_edges()
    box = lab.box("bench")
    box.come()
    wait.until(lambda: "acme.bench" in read_json(lab.hub.state / "registry.json")["tenants"],
               "the hub to take the box", 30)
    ports = [read_json(edge.state / "registry.json")["tenants"][row]["port"]
             for edge, row in ((lab.gateway, "bench"), (lab.hub, "acme.bench"))]
    return dict(zip((1, 2), ports))


def place_of(lab, tunnels):
    return lab.gateway_space if tunnels == 1 else lab.hub_space


def measure(lab, port, tunnels, kind):
    _, connections, path, words, read = kind
    with place_of(lab, tunnels).inside():
        return read(wrk(f"http://127.0.0.1:{port}{path}", connections, SECONDS, *words))


def compare(lab, chains):
    """`chains` maps a name to {number of tunnels: port}; ours is the first. Returns the ratios of ours
    to by hand."""
    ratios = []
    for tunnels in (1, 2):
        for name, ports in chains.items():
            wait.until(lambda p=ports[tunnels]: place_of(lab, tunnels).listens(p),
                       f"{name}: tunnel {tunnels}", 30)
        for kind in KINDS:
            figures = {name: [] for name in chains}
            for _ in range(ROUNDS):
                for name, ports in chains.items():
                    figures[name].append(measure(lab, ports[tunnels], tunnels, kind))
            ratios.append(report(tunnels, kind[0], figures)["by hand"])
    return ratios


def report(tunnels, what, figures):
    """Prints the medians and returns {name: ratio of ours to it}."""
    ours, *others = figures
    ratios = {}
    pieces = [f"{ours} {statistics.median(figures[ours]):,.0f}"]
    for name in others:
        ratios[name] = statistics.median(a / b for a, b in zip(figures[ours], figures[name]))
        pieces.append(f"{name} {statistics.median(figures[name]):,.0f}, ratio {ratios[name]:.2f}")
    say(f"tunnels, {tunnels}: {what}: {'; '.join(pieces)}")
    return ratios


def main():
    bounds = Bounds("tunnels")
    ensure_built()
    with Lab(noise=True) as lab:
        web = start_web(lab)
        ours = our_ports(lab)
        machines = {"hub": lab.hub_space, "gateway": lab.gateway_space, "box": lab.box_space}
        addresses = {"hub": HUB_ADDRESS, "gateway": LAN_ADDRESS}
        with lab.by_hand() as chain, FrpChain(machines, addresses, lab.folder / "frp", lab.logs):
            chain.add("by-hand", lab.names.box("by-hand"))
            ratios = compare(lab, {"ours": ours,
                                   "by hand": {1: BY_HAND_PORT, 2: BY_HAND_PORT},
                                   "frp": {1: FRP_PORT, 2: FRP_PORT}})
        web.stop()
    mean = statistics.geometric_mean(ratios)
    say(f"tunnels, mean ratio of ours to by hand: {mean:.2f}")
    bounds.at_least("the mean ratio to by hand", mean, BY_HAND_AT_LEAST)
    bounds.check()


if __name__ == "__main__":
    main()
