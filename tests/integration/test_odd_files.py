"""A directory, a pipe, a socket or a link to nowhere where a file should be, and files that somebody
else owns: each tool names the file and the cause, hangs nowhere, and takes nothing for nothing."""

import os
import socket

import pytest
from losos_tools import (NOISE_KEY, Gateway, box, reply, run, token, until, write_text)
from losos_tools.announcing import Box


def make_socket(path):
    with socket.socket(socket.AF_UNIX) as listening:
        # Bound by its name alone: a whole path may be too long for a socket.
        there = os.open(path.parent, os.O_RDONLY)
        listening.bind(f"/proc/self/fd/{there}/{path.name}")
        os.close(there)


ODD = {"directory": (lambda path: path.mkdir(), "is a directory"),
       "pipe": (os.mkfifo, "is not a regular file"),
       "socket": (make_socket, "cannot read|is not a regular file"),
       "link": (lambda path: path.symlink_to("nowhere"), "is a link to nowhere")}
KINDS = pytest.mark.parametrize("kind", ODD)


def spoil(path, kind):
    path.unlink(missing_ok=True)
    ODD[kind][0](path)
    return what(path)


def what(path):
    """What stays the same until somebody touches it; the time of the last look does not."""
    status = path.lstat()
    return status.st_mode, status.st_ino, status.st_ctime_ns


def check_named(done, path, kind, code):
    assert done.code == code, done
    assert str(path) in done.err and any(each in done.err for each in ODD[kind][1].split("|")), done


@pytest.fixture
def hub(stand_in):
    return stand_in({"/health": reply(200, "ok"), "/register": reply(200, {"rathole_port": 20000}),
                     "/relay": reply(200, {"accepted": [], "refused": [], "routes": []}),
                     "/noise-public-key": reply(200, NOISE_KEY + "\n")})


@KINDS
@pytest.mark.parametrize("which", ["registry", "tenants", "enrolled", "bootstrap", "key"])
def test_what_the_registrar_needs_stops_its_start(make_edge, which, kind):
    edge = make_edge(start=False, tenants=["a"], enrol=True, noise=True)
    edge.enrol_dir.mkdir(0o700)
    path = {"registry": edge.registry_file, "tenants": edge.tenants_file, "key": edge.noise_key,
            "enrolled": edge.enrol_dir / "tenants.json", "bootstrap": edge.bootstrap}[which]
    before = spoil(path, kind)
    check_named(edge.start_and_fail(), path, kind, 6)
    assert what(path) == before


@KINDS
def test_what_the_registrar_only_renders_is_a_fault_or_made_anew(make_edge, kind):
    edge = make_edge(start=False, tenants=["a"], lan=True, reconcile_interval="100ms")
    rendered = [edge.server_toml, edge.losos_yml, edge.live_file, edge.advert]
    for path in rendered:
        spoil(path, kind)
    edge.start()
    if kind != "directory":
        # A name is taken over whatever else it stood for.
        assert edge.register("a").status == 200
        until(lambda: all(path.is_file() and not path.is_symlink() for path in rendered), "the files")
        return
    assert edge.register("a").status == 503
    for path in rendered[:1] + rendered[2:]:
        edge.wait_fault(str(path), "directory")
    for path in rendered:
        path.rmdir()
    until(lambda: edge.register("a").status == 200, "the box registered")
    until(lambda: all(path.is_file() for path in rendered), "the files")


@KINDS
def test_a_status_that_cannot_be_written_is_said(make_edge, kind):
    edge = make_edge(start=False, tenants=["a"], reconcile_interval="100ms")
    spoil(edge.status_file, kind)
    edge.start(wait=False)
    if kind == "directory":
        edge.daemon.wait_line(f"{edge.status_file}: .*directory")
        edge.status_file.rmdir()
    until(lambda: edge.status_file.is_file() and edge.status()["counts"]["listed"] == 1, "the status")


@KINDS
@pytest.mark.parametrize("which", ["uplink_json", "uplink_token", "pin", "pin_for", "live_file"])
def test_what_a_pass_needs_stops_it(tmp_path, hub, which, kind):
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    gateway.write_live([box("a")])
    assert gateway.run_pass().code == 0
    asked = len(hub.asked("/relay"))
    tunnels = gateway.uplink_toml.read_bytes()
    path = getattr(gateway, which)
    before = spoil(path, kind)
    check_named(gateway.run_pass(), path, kind, 6)
    assert what(path) == before
    assert gateway.uplink_toml.read_bytes() == tunnels
    assert len(hub.asked("/relay")) == asked


@KINDS
@pytest.mark.parametrize("which", ["announced", "refused", "pass_file"])
def test_what_a_box_noted_costs_only_itself(tmp_path, hub, which, kind):
    box = Box(tmp_path / "box")
    path = getattr(box, which)
    spoil(path, kind)
    check_named(box.once("--registrar-url", hub.url), path, kind, 0)
    assert len(hub.asked("/register")) == 1


@KINDS
@pytest.mark.parametrize("which", ["path_env", "token_file"])
def test_what_a_box_needs_stops_it(tmp_path, hub, which, kind):
    box = Box(tmp_path / "box")
    path = getattr(box, which)
    spoil(path, kind)
    check_named(box.once("--registrar-url", hub.url), path, kind, 6)


@KINDS
@pytest.mark.parametrize("which", ["env", "token", "bootstrap", "pin"])
def test_what_a_boxs_tunnel_needs_stops_it(tmp_path, hub, which, kind):
    write_text(tmp_path / "token", token("box"))
    path = tmp_path / which
    spoil(path, kind)
    done = run("lososd-pathd", "client-config", "--appliance-id", "box", "--path-env",
               tmp_path / "env", "--token-file", tmp_path / "token", "--bootstrap-token-file",
               tmp_path / "bootstrap", "--noise-public-key-file", tmp_path / "pin", "--pins-dir",
               tmp_path / "pins", "--output", tmp_path / "out" / "client.toml", "--registrar-url",
               hub.url, "--edge-rathole-endpoint", "edge.test:2333")
    check_named(done, path, kind, 6)
    assert not (tmp_path / "out" / "client.toml").exists()


@KINDS
def test_seed_takes_nothing_odd_for_a_tunnel_file(tmp_path, kind):
    secret = write_text(tmp_path / "bootstrap", token("bootstrap"))
    path = tmp_path / "server.toml"
    before = spoil(path, kind)
    done = run("losos-registrar", "seed", "--rathole-config", path, "--bootstrap-token-file", secret)
    check_named(done, path, kind, 6)
    assert what(path) == before


def test_seed_writes_over_an_empty_tunnel_file(tmp_path):
    secret = write_text(tmp_path / "bootstrap", token("bootstrap"))
    path = write_text(tmp_path / "server.toml", "", 0o644)
    done = run("losos-registrar", "seed", "--rathole-config", path, "--bootstrap-token-file", secret)
    assert done.code == 0, done
    assert token("bootstrap") in path.read_text() and path.stat().st_mode & 0o777 == 0o600

@KINDS
def test_a_status_that_vouches_for_nothing_sends_nothing(tmp_path, hub, kind):
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    gateway.write_live([box("a")])
    before = spoil(gateway.status_file, kind)
    check_named(gateway.run_pass(), gateway.status_file, kind, 0)
    shown = gateway.edge("status")
    assert shown.code == 0 and str(gateway.status_file) in shown.out + shown.err, shown
    assert what(gateway.status_file) == before
    assert hub.asked("/relay") == []


@KINDS
@pytest.mark.parametrize("which", ["uplink_toml", "hub_routes", "pass_file"])
def test_what_a_pass_writes_is_named_or_made_anew(tmp_path, hub, which, kind):
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    gateway.write_live([])
    path = getattr(gateway, which)
    spoil(path, kind)
    done = gateway.run_pass()
    if kind == "directory":
        # The record of a pass only reports.
        assert done.code == (0 if which == "pass_file" else 1), done
        assert str(path) in done.err and "directory" in done.err, done
        path.rmdir()
        done = gateway.run_pass()
    assert done.code == 0 and path.is_file() and not path.is_symlink(), done


@KINDS
def test_a_boxs_tunnel_file_is_named_or_made_anew(tmp_path, hub, kind):
    secret = write_text(tmp_path / "token", token("box"))
    output = tmp_path / "out" / "client.toml"
    output.parent.mkdir(0o700)
    spoil(output, kind)
    words = ["client-config", "--appliance-id", "box", "--path-env", tmp_path / "env", "--token-file",
             secret, "--bootstrap-token-file", secret, "--noise-public-key-file", tmp_path / "pin",
             "--pins-dir", tmp_path / "pins", "--output", output, "--registrar-url", hub.url,
             "--edge-rathole-endpoint", "edge.test:2333"]
    done = run("lososd-pathd", *words)
    if kind == "directory":
        assert done.code == 1 and f"{output}: Is a directory" in done.err, done
        output.rmdir()
        done = run("lososd-pathd", *words)
    assert done.code == 0 and output.is_file() and not output.is_symlink(), done


@KINDS
@pytest.mark.parametrize("which", ["state", "enrolled", "uplink"])
def test_an_odd_lock_is_named_and_nothing_is_done(make_edge, tmp_path, hub, which, kind):
    edge = make_edge(start=False, tenants=["a"], enrol=True)
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    gateway.write_live([box("a")])
    edge.enrol_dir.mkdir(0o700)
    path = {"state": edge.state / ".lock", "enrolled": edge.enrol_dir / ".lock",
            "uplink": gateway.edge_dir / ".uplink.lock"}[which]
    spoil(path, kind)
    done = gateway.run_pass() if which == "uplink" else edge.start_and_fail()
    assert done.code in (1, 6) and str(path) in done.err, done
    assert hub.asked("/relay") == [] and not gateway.uplink_toml.exists()
    assert not edge.registry_file.exists()


# --- somebody else's ---

# Permissions bind root only without these capabilities.
BOUND = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]


def give_away(path):
    os.chown(path, 12345, 12345)
    path.chmod(0o600)


@pytest.mark.root
@pytest.mark.parametrize("which", ["registry", "tenants", "enrolled", "bootstrap", "key", "lock"])
def test_a_file_of_another_owner_stops_the_registrar_and_is_named(make_edge, which):
    edge = make_edge(tenants=["a"], enrol=True, noise=True)
    assert edge.register("stranger").status == 200
    assert edge.stop() == 0
    path = {"registry": edge.registry_file, "tenants": edge.tenants_file, "key": edge.noise_key,
            "enrolled": edge.enrol_dir / "tenants.json", "bootstrap": edge.bootstrap,
            "lock": edge.state / ".lock"}[which]
    give_away(path)
    done = run("losos-registrar", "serve", *edge.arguments(), prefix=BOUND)
    assert done.code == (1 if which == "lock" else 6), done
    assert f"{path}: Permission denied" in done.err, done


@pytest.mark.root
def test_a_token_of_another_owner_costs_that_tenant_alone(make_edge):
    edge = make_edge(start=False, tenants=["a", "b"])
    give_away(edge.token_file("a"))
    edge.start(prefix=BOUND)
    edge.wait_fault('"a"', f"{edge.token_file('a')}: Permission denied")
    assert edge.register("a").status == 401
    assert edge.register("b").status == 200


@pytest.mark.root
@pytest.mark.parametrize("which", ["uplink_json", "uplink_token", "pin", "live_file"])
def test_a_file_of_another_owner_stops_a_pass_and_is_named(tmp_path, hub, which):
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    gateway.write_live([])
    assert gateway.run_pass().code == 0
    give_away(getattr(gateway, which))
    done = run("losos-uplink", *gateway.pass_flags(), prefix=BOUND)
    assert done.code == 6, done
    assert f"{getattr(gateway, which)}: Permission denied" in done.err, done


@pytest.mark.root
def test_a_file_of_another_owner_stops_a_box_and_is_named(tmp_path, hub):
    box = Box(tmp_path / "box")
    give_away(box.token_file)
    done = run("losos-announce", *box.arguments("--once", "--registrar-url", hub.url), prefix=BOUND)
    assert done.code == 6 and f"{box.token_file}: Permission denied" in done.err, done


def test_files_that_are_too_open_are_closed_at_the_next_start(make_edge):
    edge = make_edge(tenants=["a"], enrol=True)
    for name in ("a", "stranger"):
        assert edge.register(name).status == 200
    until(lambda: len(edge.routers()) == 2, "the routers")
    assert edge.stop() == 0
    closed = [edge.registry_file, edge.server_toml, edge.live_file]
    for path in [*closed, edge.losos_yml]:
        path.chmod(0o666)
    edge.start()
    assert [path.stat().st_mode & 0o777 for path in [*closed, edge.losos_yml]] == [0o600] * 3 + [0o644]
