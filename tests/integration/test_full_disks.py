"""A disk that is full, and one that can only be read, under each tool: file and cause are named, what
was there stays, nothing is left lying about, and with room again all is done."""

import contextlib
import subprocess

import pytest
from losos_tools import (NOISE_KEY, Gateway, box, leftovers, read_json, reply, run, snapshot, token,
                         until, write_text)
from losos_tools.announcing import Box

pytestmark = pytest.mark.root


class Disk:
    """A small file system of its own."""

    def __init__(self, folder):
        folder.mkdir(parents=True)
        self.folder = folder
        self._mount("-t", "tmpfs", "-o", "size=256k,nr_inodes=64", "losos-test", folder)

    @staticmethod
    def _mount(*words):
        subprocess.run(["mount", *words], check=True)

    def close(self):
        subprocess.run(["umount", "-l", self.folder], check=True)

    @contextlib.contextmanager
    def full(self):
        """Not a byte and not a file more goes in."""
        ballast = [self.folder / "ballast"]
        with open(ballast[0], "wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(b"x" * 4096)
        with contextlib.suppress(OSError):
            while True:
                ballast.append(self.folder / f"ballast{len(ballast)}")
                ballast[-1].touch()
        yield "No space left on device"
        for path in ballast:
            path.unlink(missing_ok=True)

    @contextlib.contextmanager
    def read_only(self):
        self._mount("-o", "remount,ro", self.folder)
        yield "Read-only file system"
        self._mount("-o", "remount,rw", self.folder)


@pytest.fixture
def disk(tmp_path):
    made = Disk(tmp_path / "disk")
    yield made
    made.close()


@pytest.fixture
def hub(stand_in):
    def accept(request):
        rows = [{"id": row["id"], "hostname": row["hostname"], "rathole_port": 21000}
                for row in request.json()["tenants"]]
        return reply(200, {"accepted": rows, "refused": [], "routes": []})

    return stand_in({"/health": reply(200, "ok"), "/register": reply(200, {"rathole_port": 20000}),
                     "/relay": accept, "/noise-public-key": reply(200, NOISE_KEY + "\n")})


HOW = pytest.mark.parametrize("how", ["full", "read_only"])


def check_failed(done, path, cause, code=1):
    assert done.code == code, done
    assert f"{path}: {cause}" in done.err, done


def test_a_registrar_on_a_full_disk(make_edge, disk):
    edge = make_edge(str(disk.folder / "edge"), tenants=["a", "b", "acme"], enrol=True,
                     reconcile_interval="100ms")
    assert edge.register("a").status == 200
    until(edge.routers, "the router")
    before = {path: path.read_bytes() for path in (edge.registry_file, edge.server_toml,
                                                   edge.live_file, edge.losos_yml)}
    with disk.full() as cause:
        assert edge.register("b").status == 503
        assert edge.register("stranger").status == 503
        assert edge.deregister("a").status == 503
        assert edge.register("a").status == 200
        assert edge.heartbeat("a").status == 204
        assert {path: path.read_bytes() for path in before} == before
        assert leftovers(edge.state, edge.rathole, edge.traefik) == []
    # The log stands on the same disk, so it is the status that tells.
    assert edge.register("b").status == 200
    assert edge.register("stranger").status == 200
    until(lambda: len(edge.routers()) == 3, "three routers")
    until(lambda: edge.faults(disk.folder) == [] and cause, "no fault")
    edge.daemon.kill()
    edge.start()
    assert set(edge.rows()) == {"a", "b", "stranger"}


def test_a_registrar_names_the_file_for_which_its_disk_has_no_room(make_edge, tmp_path):
    disk = Disk(tmp_path / "edge" / "state")
    try:
        edge = make_edge(tenants=["a"], enrol=True, reconcile_interval="100ms")
        with disk.full() as cause:
            assert edge.register("a").status == 503
            edge.daemon.wait_line(f"1 call answered 503: .*{edge.registry_file}: {cause}")
            edge.wait_fault(f"{edge.registry_file}: {cause}; who asks for a change is answered 503")
            assert edge.register("stranger").status == 503
            edge.daemon.wait_line(f"{edge.enrol_dir}/[^ ]+: {cause}")
            edge.wait_fault("nobody enrols or is renamed: ", str(edge.enrol_dir), cause)
            reconciled = edge.status()["reconciled_monotonic_ms"]
            until(lambda: edge.status()["reconciled_monotonic_ms"] > reconciled, "another reconcile")
            assert len(edge.faults(cause)) == 2
        assert edge.register("a").status == 200
        until(lambda: edge.faults(edge.registry_file) == [], "that fault gone")
        assert edge.register("stranger").status == 200
        until(lambda: edge.faults("nobody enrols") == [], "that fault gone as well")
    finally:
        disk.close()


def test_a_registrar_that_starts_on_a_disk_that_can_only_be_read(make_edge, tmp_path):
    disk = Disk(tmp_path / "edge" / "state")
    try:
        edge = make_edge(tenants=["a", "b"], enrol=True)
        assert edge.register("a").status == 200
        edge.daemon.kill()
        with disk.read_only() as cause:
            edge.start()
            assert edge.heartbeat("a").status == 204
            assert edge.register("a").status == 200
            assert edge.register("b").status == 503
            assert edge.register("stranger").status == 503
            edge.daemon.wait_line(f"{edge.registry_file}: {cause}")
        assert edge.register("b").status == 200
        assert edge.register("stranger").status == 200
        edge.daemon.kill()
        edge.start()
        assert set(edge.rows()) == {"a", "b", "stranger"}
    finally:
        disk.close()


@HOW
def test_an_uplink(disk, hub, how):
    gateway = Gateway(disk.folder / "gateway")
    gateway.set_uplink(hub.url)
    gateway.write_live([box("a")])
    assert gateway.run_pass().code == 0
    gateway.write_live([box("a"), box("b", 20001)])
    tunnels = gateway.uplink_toml.read_bytes()
    with getattr(disk, how)() as cause:
        done = gateway.run_pass()
        check_failed(done, gateway.uplink_toml, cause)
        assert f"{gateway.pass_file}: {cause}" in done.err
        assert gateway.uplink_toml.read_bytes() == tunnels
    assert leftovers(gateway.folder) == []
    assert gateway.run_pass().code == 0
    assert set(gateway.services()) == {"acme.a", "acme.b"}


@HOW
def test_an_uplink_that_is_to_be_set(disk, hub, how):
    gateway = Gateway(disk.folder / "gateway")
    gateway.set_uplink(hub.url)
    named = write_text(gateway.folder / "new.token", token("renewed"))
    words = ["uplink", "set", "--id", "acme", "--token-file", named, "--registrar", hub.url,
             "--rathole", "127.0.0.1:2333"]
    before = snapshot(gateway.edge_dir)
    with getattr(disk, how)() as cause:
        check_failed(gateway.edge(*words), gateway.uplink_token, cause)
        assert snapshot(gateway.edge_dir) == before
    assert gateway.edge(*words).code == 0
    assert gateway.uplink_token.read_text().strip() == token("renewed")


def test_an_uplink_that_is_to_be_cleared_from_a_disk_that_can_only_be_read(disk, hub):
    gateway = Gateway(disk.folder / "gateway")
    gateway.set_uplink(hub.url)
    before = snapshot(gateway.edge_dir)
    with disk.read_only() as cause:
        check_failed(gateway.edge("uplink", "clear"), gateway.uplink_json, cause)
        assert snapshot(gateway.edge_dir) == before
    assert gateway.edge("uplink", "clear").code == 0
    assert not gateway.uplink_json.exists()


@HOW
def test_a_box_that_is_to_be_forgotten(make_edge, disk, how):
    edge = make_edge(str(disk.folder / "edge"), enrol=True)
    for name in ("a", "b"):
        assert edge.register(name).status == 200
    edge.daemon.kill()
    forget = ["forget", "a", "--state-dir", edge.state]
    with getattr(disk, how)() as cause:
        check_failed(run("losos-edge", *forget), edge.enrol_dir / "tenants.json", cause)
    assert set(read_json(edge.enrol_dir / "tenants.json")) == {"a", "b"}
    assert run("losos-edge", *forget).code == 0
    edge.start()
    assert set(edge.rows()) == {"b"}


@HOW
def test_a_box_that_registers(disk, hub, how):
    box = Box(disk.folder / "box")
    with getattr(disk, how)() as cause:
        done = box.once("--registrar-url", hub.url)
        check_failed(done, box.announced, cause, code=0)
    assert not box.announced.exists() and leftovers(box.folder) == []
    assert box.once("--registrar-url", hub.url).code == 0
    assert read_json(box.announced)["url"] == hub.url


@HOW
def test_a_boxs_tunnel(disk, hub, how):
    secret = write_text(disk.folder / "token", token("box"))
    output = disk.folder / "client.toml"
    words = ["client-config", "--appliance-id", "box", "--path-env", disk.folder / "env",
             "--token-file", secret, "--bootstrap-token-file", secret, "--pins-dir",
             disk.folder / "pins", "--noise-public-key-file", disk.folder / "pin", "--output", output,
             "--registrar-url", hub.url, "--edge-rathole-endpoint", "edge.test:2333"]
    with getattr(disk, how)() as cause:
        check_failed(run("lososd-pathd", *words), disk.folder / "pin", cause)
    assert leftovers(disk.folder) == [] and not (disk.folder / "pin").exists()
    assert run("lososd-pathd", *words).code == 0
    with getattr(disk, how)() as cause:
        before = output.read_bytes()
        done = run("lososd-pathd", *words[:-1], "other.test:2333")
        check_failed(done, output, cause)
        assert output.read_bytes() == before
