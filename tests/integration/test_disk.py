"""A disk that takes nothing: the caller is told, nothing is half done, and it heals by itself."""

import contextlib
import ctypes
import os
import subprocess
import time

import pytest
from losos_tools import (Gateway, box, read_json, run, token, until, write_text)

AT_FDCWD = -100
RENAME_EXCHANGE = 2


def exchange(one, other):
    """Swaps two names at one stroke, so that nobody finds either of them free in between."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.renameat2(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), RENAME_EXCHANGE):
        raise OSError(ctypes.get_errno(), f"{one} and {other} cannot be swapped")


class Blocked:
    """A name that cannot be written because a directory stands there; works for root as well."""

    def __init__(self, path):
        self.path = path
        self._aside = path.with_name(path.name + ".aside")

    def __enter__(self):
        if self.path.exists():
            self._aside.mkdir()
            exchange(self.path, self._aside)
        else:
            self.path.mkdir()
        return self

    def __exit__(self, *_):
        if self._aside.exists():
            exchange(self.path, self._aside)
            self._aside.rmdir()
        else:
            self.path.rmdir()


TENANTS = {"old": {}, "new": {}, "acme": {"relay_zone": "acme.test"}}


@pytest.fixture
def edge(make_edge):
    edge = make_edge(tenants=TENANTS, enrol=True, port_range="21000-21010")
    assert edge.register("old").status == 200
    assert edge.relay("acme", [("kept", "kept.acme.test")]).status == 200
    until(lambda: len(edge.routers()) == 2, "both routers")
    return edge


def test_a_registration_that_cannot_be_written_is_503_and_undone(edge):
    with Blocked(edge.registry_file):
        answer = edge.register("new")
        assert answer.status == 503
        assert "retry later" in answer.text
        assert edge.heartbeat("new").status == 404
        assert "new" not in edge.live_ids() and "losos_new" not in edge.routers()
        edge.daemon.wait_line("registry.json")
        assert edge.get("/health").status == 200
    assert edge.register("new").json() == {"rathole_port": 21002}
    assert edge.rows()["new"]["port"] == 21002


def test_every_route_that_changes_something_is_503_and_undone(edge):
    before = edge.registry_file.read_bytes()
    with Blocked(edge.registry_file):
        assert edge.deregister("old").status == 503
        assert edge.deregister("old", "/unregister").status == 503
        assert edge.relay("acme", [("other", "other.acme.test")]).status == 503
        assert edge.relay("acme", []).status == 503
        assert edge.register("stranger").status == 503
        assert edge.heartbeat("old").status == 204
    assert edge.heartbeat("old").status == 204
    assert edge.registry_file.read_bytes() == before
    assert set(edge.routers()) == {"losos_old", "losos_acme.kept"}
    edge.restart()
    assert set(edge.rows()) == {"old", "acme.kept"}


def test_who_changes_nothing_is_answered_although_the_disk_is_broken(edge):
    with Blocked(edge.registry_file):
        assert edge.register("new").status == 503
        assert edge.register("old", token=token("thief")).status == 401
        assert edge.heartbeat("old").status == 204


def test_a_departure_is_confirmed_only_once_the_disk_has_it_also_when_the_box_was_pruned(make_edge):
    edge = make_edge(tenants=["box"], heartbeat_ttl="300ms", reconcile_interval="50ms")
    assert edge.register("box").status == 200
    with Blocked(edge.registry_file):
        edge.daemon.wait_line("box is pruned")
        assert edge.deregister("box").status == 503
        assert edge.heartbeat("box").status == 404
    assert edge.deregister("box").status == 204
    assert edge.rows() == {}


def test_a_tunnel_file_that_cannot_be_written_counts_as_not_persisted(edge):
    with Blocked(edge.server_toml):
        assert edge.register("new").status == 503
        assert "losos_new" not in edge.routers()
        edge.wait_fault(str(edge.server_toml))
    answer = edge.register("new")
    assert answer.status == 200
    assert edge.services()["new"] == answer.json()["rathole_port"]
    until(lambda: "losos_new" in edge.routers(), "the router")
    until(lambda: not edge.faults(edge.server_toml), "the fault gone")


def test_a_changed_token_counts_only_once_the_tunnel_file_has_it(edge):
    with Blocked(edge.server_toml):
        write_text(edge.token_file("old"), token("changed") + "\n")
        until(lambda: edge.heartbeat("old", token=token("changed")).status == 204, "the new token")
        assert edge.register("old", token=token("changed")).status == 503
        assert edge.relay("acme", [("kept", "kept.acme.test")]).status == 200
        assert edge.deregister("new").status == 204
    assert edge.register("old", token=token("changed")).status == 200
    assert token("changed") in edge.server_toml.read_text()


def test_a_traefik_file_that_cannot_be_written_is_a_fault_and_is_made_up_for(make_edge):
    edge = make_edge(tenants=TENANTS, reconcile_interval="100ms")
    edge.losos_yml.mkdir()
    assert edge.register("new").status == 200
    edge.wait_fault(str(edge.losos_yml))
    assert edge.rows()["new"]
    edge.losos_yml.rmdir()
    until(lambda: "losos_new" in edge.routers(), "the router")


@pytest.mark.parametrize("others", [["new"], []], ids=["one-of-two", "the-last"])
def test_a_tunnel_stays_while_its_router_cannot_be_taken_away(make_edge, others):
    edge = make_edge(tenants=[*TENANTS, "third"], reconcile_interval="100ms", port_rest="100ms",
                     port_range=f"21000-2100{len(others)}")
    for name in ["old", *others]:
        assert edge.register(name).status == 200
    until(lambda: len(edge.routers()) == 1 + len(others), "the routers")
    with Blocked(edge.losos_yml):
        assert edge.deregister("old").status == 204
        edge.wait_fault(str(edge.losos_yml))
        # A service goes a second after its router, and the port rests from then on.
        since = time.monotonic()
        until(lambda: time.monotonic() - since > 1.5, "both to be over, were the router gone", 5)
        assert "old" in edge.services()
        assert edge.register("third").status == 503
    until(lambda: "losos_old" not in edge.routers(), "the router gone")
    until(lambda: "old" not in edge.services(), "its service gone")
    until(lambda: edge.register("third").status == 200, "its port free")


def test_a_live_file_that_cannot_be_written_is_a_fault_and_stops_nobody(make_edge):
    edge = make_edge(tenants=TENANTS, reconcile_interval="100ms")
    with Blocked(edge.live_file):
        assert edge.register("new").status == 200
        edge.wait_fault(str(edge.live_file))
        until(lambda: "losos_new" in edge.routers(), "the router")
    until(lambda: edge.live_file.exists() and edge.live_ids() == ["new"], "live.json")


def test_an_enrolment_that_cannot_be_written_enrols_nobody(edge):
    with Blocked(edge.enrol_dir / "tenants.json"):
        assert edge.register("stranger").status == 503
        assert not (edge.enrol_dir / "stranger.token").exists()
        assert edge.heartbeat("stranger").status == 404
    assert edge.register("stranger").status == 200
    assert "stranger" in read_json(edge.enrol_dir / "tenants.json")


def test_failed_commits_are_counted(edge):
    with Blocked(edge.registry_file):
        edge.register("new")
    until(lambda: edge.metric("commit_failures_total") == 1, "the failure in the metrics")


def test_a_pass_that_cannot_write_its_tunnels_fails_and_says_so(make_edge, tmp_path):
    hub = make_edge("hub", tenants=TENANTS)
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    gateway.write_live([box("a")])
    with Blocked(gateway.uplink_toml):
        done = gateway.run_pass()
        assert done.code == 1
        assert str(gateway.uplink_toml) in done.err
    assert gateway.run_pass().code == 0
    assert gateway.services() == {"acme.a": 20000}


def test_a_state_directory_that_is_not_there_stops_the_start_and_is_named(make_edge):
    edge = make_edge(start=False)
    done = edge.start_and_fail(registry=edge.folder / "missing" / "registry.json")
    assert done.code in (1, 6)
    assert str(edge.folder / "missing") in done.err


# --- a disk of its own ---


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 256 KiB in the place of the registrar's state."""
    folder = tmp_path / "edge" / "state"
    folder.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k,nr_inodes=64", "losos-test", folder],
                   check=True)
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def fill(folder):
    """Writes until nothing more goes in."""
    path = folder / "ballast"
    with open(path, "wb", buffering=0) as file:
        for size in (65536, 4096, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    return path


@pytest.mark.root
def test_a_full_disk_is_503_and_healed_once_there_is_room(small_disk, make_edge):
    edge = make_edge(enrol=True)
    assert edge.state == small_disk
    assert edge.register("first").status == 200
    ballast = fill(small_disk)
    before = edge.registry_file.read_bytes()
    for name in ("second", "third"):
        assert edge.register(name).status == 503
    assert edge.heartbeat("first").status == 204
    assert edge.registry_file.read_bytes() == before
    left = {path.name for path in small_disk.rglob("*.tmp")}
    assert left == set()
    ballast.unlink()
    assert edge.register("second").status == 200
    assert set(edge.rows()) == {"first", "second"}
    edge.restart()
    assert set(edge.rows()) == {"first", "second"}


@pytest.mark.root
def test_a_disk_without_room_for_another_file_is_503_and_healed_once_there_is(small_disk, make_edge):
    edge = make_edge(tenants=["first", "second"])
    assert edge.register("first").status == 200
    ballast = []
    with contextlib.suppress(OSError):
        while True:
            ballast.append(small_disk / f"ballast{len(ballast)}")
            ballast[-1].touch()
    assert edge.register("second").status == 503
    assert edge.deregister("first").status == 503
    assert edge.heartbeat("first").status == 204
    for path in ballast:
        path.unlink(missing_ok=True)
    assert edge.register("second").status == 200
    assert set(edge.rows()) == {"first", "second"}


def test_a_directory_the_registrar_may_not_write_to_is_503_and_healed(make_edge):
    edge = make_edge(tenants=["first", "second"], start=False)
    # Permissions bind root only without this capability.
    edge.start(prefix=["setpriv", "--bounding-set=-dac_override"] if os.geteuid() == 0 else [])
    assert edge.register("first").status == 200
    edge.state.chmod(0o500)
    try:
        answers = [edge.register("second").status, edge.deregister("first").status]
    finally:
        edge.state.chmod(0o700)
    assert answers == [503, 503]
    assert edge.heartbeat("first").status == 204
    assert edge.register("second").status == 200
    assert set(edge.rows()) == {"first", "second"}


# --- run as root ---


@pytest.mark.root
def test_what_root_writes_belongs_to_the_owner_of_its_directory(make_edge, tmp_path):
    edge = make_edge(enrol=True, tenants=["box"], start=False)
    gateway = Gateway(tmp_path / "gateway")
    for folder in (edge.state, edge.run_dir, edge.traefik, edge.rathole, edge.avahi,
                   gateway.edge_dir):
        folder.mkdir(exist_ok=True)
        os.chown(folder, 12345, 23456)
    edge.start()
    for name in ("box", "stranger"):
        assert edge.register(name).status == 200
    until(lambda: len(edge.routers()) == 2, "both routers")
    named = write_text(tmp_path / "named", token("acme"))
    done = run("losos-edge", "uplink", "set", "--id", "acme", "--token-file", named, "--registrar",
               "https://hub.test", "--rathole", "hub.test:1", "--edge-dir", gateway.edge_dir)
    assert done.code == 0, done
    for folder in (edge.state, edge.run_dir, edge.traefik, edge.rathole, edge.avahi,
                   gateway.edge_dir):
        found = list(folder.rglob("*"))
        assert found
        for path in found:
            assert (path.stat().st_uid, path.stat().st_gid) == (12345, 23456), path
