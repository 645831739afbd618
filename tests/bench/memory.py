"""Memory of each process of an edge and a box, idle and with 10,000 tenants: what is private to it and
its share of what it has in common with others (Pss)."""

import ctypes
import os
import re
import subprocess
import tempfile
from pathlib import Path

from figures import FIRST_PORT, Bounds, crowded_registrar, ids, say, wait_idle
from losos_lab import parts, space as spaces, wait
from losos_lab.by_hand import Pair
from losos_lab.process import Process
from losos_lab.traefik import Traefik
from losos_tools.announcing import Box
from losos_tools.gateway import Gateway, box
from losos_tools.process import command, environment
from losos_tools.stand_in import StandIn, reply

TENANTS = 10000
# Changes that each make the registrar write every file anew, and heartbeats in between.
CHANGES = 10
REGISTRAR_MB_AT_MOST = 64
# rathole keeps up to ten files and a megabyte for each.
CONNECTED = 60
PR_SET_CHILD_SUBREAPER = 36


def megabytes(pid):
    """(Pss, private) of a process."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    kilobytes = {name: int(size) for name, size in re.findall(r"^(\w+): +(\d+) kB$", text, re.M)}
    private = kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]
    return kilobytes["Pss"] / 1024, private / 1024


def show(what, size):
    pss, private = size
    say(f"memory, {what}: {pss:.1f} MB, of which {private:.1f} MB private")


def of_the_registrar(folder, tenants):
    """After it has been at work: the peak of a reconcile leaves its mark."""
    # On a LAN, so that the Traefik which reads its file has no certificates to order.
    registrar = crowded_registrar(folder, tenants + 1, tenants, lan=True)
    try:
        registrar.start()
        names = ids(tenants + 1)
        for _ in range(CHANGES):
            assert registrar.register(names[-1]).status == 200
            assert registrar.heartbeat(names[0]).status in (204, 404)
            assert registrar.deregister(names[-1]).status == 204
        files = registrar.losos_yml, registrar.server_toml
        return megabytes(registrar.daemon.pid), [f.read_text() if f.exists() else "" for f in files]
    finally:
        registrar.close()


def of_announce(folder):
    edge = StandIn({"/register": reply(200, {"rathole_port": 20000}), "/heartbeat": reply(204)})
    a_box = Box(folder)
    try:
        announce = a_box.start(url=edge.url)
        edge.wait_asked("/heartbeat", 3)
        return megabytes(announce.pid)
    finally:
        a_box.close()
        edge.close()


def peak_of(tool, *args):
    """Peak resident MB of a tool that runs once. A program starts with the peak of the one that it was
    forked from, so that is a shell, whose orphan is waited for here."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    assert prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0, os.strerror(ctypes.get_errno())
    started = subprocess.run(["sh", "-c", '"$@" > /dev/null & echo $!', "sh", *command(tool, args)],
                             check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             text=True, env=environment())
    _, status, usage = os.wait4(int(started.stdout), 0)
    assert status == 0, f"{tool} ended with {status}"
    return usage.ru_maxrss / 1024


def peak_of_edge(folder, boxes, *words):
    """Of losos-edge beside a registrar with so many boxes."""
    registrar = crowded_registrar(folder, boxes, boxes)
    try:
        registrar.start()
        return peak_of("losos-edge", *words, "--edge-dir", folder / "edge", "--state-dir",
                       registrar.state, "--run-dir", registrar.run_dir)
    finally:
        registrar.close()


def peak_of_client_config(folder):
    edge = StandIn({"/health": reply(200, "ok"), "/noise-public-key": reply(404)})
    a_box = Box(folder)
    try:
        return peak_of("lososd-pathd", "client-config", "--appliance-id", "box", "--path-env",
                       a_box.path_env, "--token-file", a_box.token_file, "--bootstrap-token-file",
                       a_box.token_file, "--noise-public-key-file", folder / "pin", "--pins-dir",
                       folder / "pins", "--output", folder / "client.toml", "--registrar-url",
                       edge.url, "--edge-rathole-endpoint", "edge.test:2333")
    finally:
        edge.close()


def peak_of_uplink(folder, boxes):
    """Peak resident MB of one pass, which is all an uplink lives."""
    answer = {"accepted": [{"id": f"box{n}", "hostname": f"box{n}.acme.test",
                            "rathole_port": 20000 + n} for n in range(min(boxes, 64))],
              "refused": [], "routes": []}
    hub = StandIn({"/relay": reply(200, answer), "/health": reply(200, "ok"),
                   "/noise-public-key": reply(404)})
    gateway = Gateway(folder)
    try:
        gateway.set_uplink(hub.url)
        gateway.write_live([box(f"box{n}", 10000 + n) for n in range(boxes)])
        return peak_of("losos-uplink", *gateway.pass_flags())
    finally:
        hub.close()


def of_rathole(space, folder, server_toml):
    """A server with so many services, none of them connected."""
    config = folder / "server.toml"
    config.write_text(server_toml)
    rathole = Process(space, f"rathole-{len(server_toml)}",
                      [parts.part("rathole"), "--server", config], folder, env={"RUST_LOG": "info"})
    try:
        rathole.wait_line("Start watching the config")
        return megabytes(rathole.pid)
    finally:
        rathole.stop()


def connected_rathole(space, folder):
    """Server and client with every service connected: {side: ((Pss, private), open files)}."""
    services = {f"box{n}": FIRST_PORT + n for n in range(CONNECTED)}
    server, client = by_hand_pair(services, Pair(space, parts.part("rathole")))
    sides = {}
    try:
        for side, text in (("server", server), ("client", client)):
            config = folder / f"connected-{side}.toml"
            config.write_text(text)
            sides[side] = Process(space, f"rathole-{side}",
                                  [parts.part("rathole"), f"--{side}", config], folder,
                                  env={"RUST_LOG": "error"})
        for port in services.values():
            wait.until(lambda p=port: space.listens(p), f"port {port}", 60)
        wait_idle(sides["server"].pid)
        return {side: (megabytes(process.pid), len(os.listdir(f"/proc/{process.pid}/fd")))
                for side, process in sides.items()}
    finally:
        for process in sides.values():
            process.stop()


def by_hand_pair(services, key):
    """The texts of a server and a client with these services and the Noise key, as we ship them."""
    transport = '[{0}.transport]\ntype = "noise"\n[{0}.transport.noise]\n{1} = "{2}"\n'
    head = '[{0}]\n{1} = "127.0.0.1:2333"\ndefault_token = "{2}"\n'
    row = '[{0}.services.{1}]\n{2} = "127.0.0.1:{3}"\n'
    word = "t" * 64
    server = [head.format("server", "bind_addr", word),
              transport.format("server", "local_private_key", key.private)]
    client = [head.format("client", "remote_addr", word),
              transport.format("client", "remote_public_key", key.public)]
    for name, port in services.items():
        server.append(row.format("server", name, "bind_addr", port))
        client.append(row.format("client", name, "local_addr", 80))
    return "".join(server), "".join(client)


def of_traefik(space, folder, routers):
    traefik = Traefik(space, f"traefik-{len(routers)}", folder / f"traefik-{len(routers)}", folder)
    traefik.prepare()
    if routers:
        (traefik.dynamic / "losos.yml").write_text(routers)
    traefik.start()
    try:
        wait_idle(traefik.pid)
        return megabytes(traefik.pid)
    finally:
        traefik.stop()


def main():
    bounds = Bounds("memory")
    tag = spaces.make_tag(1)
    with tempfile.TemporaryDirectory(prefix="losos-bench-") as name:
        folder = Path(name)
        idle, (_, no_services) = of_the_registrar(folder / "idle", 0)
        full, (routers, services) = of_the_registrar(folder / "full", TENANTS)
        show("registrar, idle", idle)
        show(f"registrar, {TENANTS:,} tenants", full)
        bounds.at_most(f"the registrar with {TENANTS:,} tenants, in MB", full[0],
                       REGISTRAR_MB_AT_MOST)
        show("announce", of_announce(folder / "announce"))
        for boxes in (1, 64, TENANTS):
            say(f"memory, uplink, a pass over {boxes:,} box(es): "
                f"{peak_of_uplink(folder / f'uplink{boxes}', boxes):.1f} MB at most")
        for boxes in (1, TENANTS):
            for words in ("status", "boxes"):
                peak = peak_of_edge(folder / f"{words}{boxes}", boxes, words)
                say(f"memory, losos-edge {words}, {boxes:,} box(es): {peak:.1f} MB at most")
        say("memory, a box's client-config: "
            f"{peak_of_client_config(folder / 'client-config'):.1f} MB at most")
        space = spaces.Space(tag, "memory")
        try:
            for what, text in (("idle", no_services), (f"{TENANTS:,} services", services)):
                show(f"rathole server, {what}", of_rathole(space, folder, text))
            for side, (size, files) in connected_rathole(space, folder).items():
                show(f"rathole {side}, {CONNECTED} services connected, "
                     f"{files / CONNECTED:.1f} open files each", size)
            for what, text in (("idle", ""), (f"{TENANTS:,} routers", routers)):
                show(f"Traefik, {what}", of_traefik(space, folder, text))
        finally:
            spaces.take_down(tag)
    bounds.check()


if __name__ == "__main__":
    main()
