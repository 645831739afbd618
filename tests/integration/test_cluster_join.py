"""POST /cluster/join: who may join, what is deleted and written down first, and what is remembered."""

import re
import subprocess
import time

import pytest
from losos_lab.authority import Authority
from losos_tools import mode_of, read_json, reply, run, token, until, write_text
from losos_tools.api_server import StandInApiServer, paths_of
from losos_tools.files import identity
from losos_tools.mesh import AGENT_TOKEN, KUBE_TOKEN, SERVER_ADDR, WINDOW, MeshEdge
from losos_tools.process import ROOT, environment

STORED = {"share_compute": True, "window_start": "22:00", "window_end": "06:00",
          "tz": "Europe/Berlin"}
NOTHING = {"share_compute": False, "window_start": "", "window_end": "", "tz": "UTC"}


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("mesh") / "authority")


@pytest.fixture(scope="module")
def certificate(authority):
    return authority.issue(["localhost"], ["127.0.0.1"])


@pytest.fixture
def server(certificate):
    server = StandInApiServer(certificate)
    yield server
    server.close()


@pytest.fixture
def make_mesh(make_edge, server, authority):
    def make(**options):
        return make_edge("hub", kind=MeshEdge, **{
            "kube_api": server.url, "kube_ca": authority.root_file, **options})
    return make


# --- a join ---


def test_what_the_node_left_is_deleted_before_the_token_is_handed_out(make_mesh, server):
    hub = make_mesh()
    answer = hub.join(**WINDOW)
    assert answer.status == 200
    assert answer.json() == {"server_addr": SERVER_ADDR, "token": AGENT_TOKEN,
                             "node_name": "mattbox"}
    assert [(each.method, each.path) for each in server.requests] == [
        ("DELETE", path) for path in paths_of("mattbox")]
    assert {each.headers["authorization"] for each in server.requests} == {f"Bearer {KUBE_TOKEN}"}
    assert {each.body for each in server.requests} == {b""}


def test_a_box_joins_by_the_command_of_the_page(make_mesh, tmp_path):
    hub = make_mesh()
    text = (ROOT / "man/losos-mesh.7").read_text(encoding="utf-8")
    shown = re.search(r"^\.Ss Joining\n.*?^\.Bd [^\n]*\n(.*?)^\.Ed$", text, re.M | re.S)[1]
    secret = write_text(tmp_path / "token", token("mattbox") + "\n")
    for written, meant in (("box# ", ""), ("\\e\n", "\\\n"), ("https://edge.losos.example", hub.url),
                           ("/var/secrets/losos-proxy-token", str(secret))):
        assert written in shown
        shown = shown.replace(written, meant)
    done = subprocess.run(["sh", "-euc", shown], cwd=tmp_path, capture_output=True, check=False,
                          env=environment({"PATH": "/usr/bin:/bin"}))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert read_json(tmp_path / "join.json")["token"] == AGENT_TOKEN
    assert mode_of(tmp_path / "join.json") == 0o600


def test_the_window_is_on_disk_before_the_answer(make_mesh):
    hub = make_mesh()
    assert hub.join(**WINDOW).status == 200
    assert hub.windows() == {"mattbox": STORED}
    until(lambda: hub.nodes() == {"mattbox": {"node_name": "mattbox", **STORED, "idle": False}},
          "compute-windows.json to hold it")
    assert mode_of(hub.windows_file) == 0o600


def test_who_says_nothing_of_its_processors_lends_none(make_mesh):
    hub = make_mesh()
    assert hub.join().status == 200
    assert hub.windows() == {"mattbox": NOTHING}
    assert hub.join(**WINDOW).status == 200
    assert hub.windows() == {"mattbox": STORED}
    assert hub.join(window_start="", window_end=None, window_tz="").status == 200
    assert hub.windows() == {"mattbox": NOTHING}


def test_a_node_that_is_not_there_is_as_good_as_deleted(make_mesh, server):
    server.answer_all(reply(404, {"kind": "Status", "status": "Failure", "code": 404}))
    hub = make_mesh()
    assert hub.join().status == 200
    assert server.deleted() == paths_of("mattbox")


def test_a_join_that_cannot_be_written_down_is_answered_503_and_undone(make_mesh):
    hub = make_mesh()
    assert hub.join(**WINDOW).status == 200
    kept = hub.registry_file.read_bytes()
    hub.registry_file.unlink()
    hub.registry_file.mkdir()
    answer = hub.join()
    assert answer.status == 503 and AGENT_TOKEN not in answer.text
    hub.registry_file.rmdir()
    hub.registry_file.write_bytes(kept)
    until(lambda: hub.registry_file.is_file() and hub.windows() == {"mattbox": STORED},
          "the window of before")
    assert hub.nodes()["mattbox"]["window_start"] == "22:00"
    assert hub.join().status == 200
    assert hub.windows() == {"mattbox": NOTHING}


def test_a_member_need_not_be_registered_and_a_window_outlives_restart_and_goodbye(make_mesh):
    hub = make_mesh()
    assert hub.join(**WINDOW).status == 200 and hub.rows() == {}
    assert hub.register("mattbox").status == 200
    assert hub.deregister("mattbox").status == 204
    hub.restart()
    assert hub.windows() == {"mattbox": STORED}
    assert hub.nodes()["mattbox"]["tz"] == "Europe/Berlin"


# --- who may ---


def test_only_a_member_joins_and_only_as_itself(make_mesh, server):
    hub = make_mesh(tenants={"plain": {}})
    assert hub.post("/cluster/join", {"appliance_id": "nobody", "token": token("nobody"),
                                      "node_name": "nobody"}).status == 401
    assert hub.join(token=token("zoe")).status == 401
    assert hub.join("plain").status == 403
    for other in ("plain", "MATTBOX", "mattbox/../plain", ""):
        answer = hub.join(node_name=other)
        assert answer.status == 403 and "node_name" in answer.text, answer
    assert server.requests == [] and hub.nodes() == {}


@pytest.mark.parametrize("fields, word", [
    ({"window_start": "22:00"}, "window_end"), ({"window_start": "24:00", "window_end": "06:00"},
                                                "window_start"),
    ({"window_start": "22:00", "window_end": "6:00"}, "window_end"),
    ({"share_compute": 1}, "share_compute"), ({"window_tz": "Atlantis/Capital"}, "window_tz"),
    ({"window_tz": "../../../etc/hostname"}, "window_tz"), ({"window_tz": "Europe"}, "window_tz"),
    ({"window_tz": "posixrules"}, "window_tz"), ({"window_tz": "right/UTC"}, "window_tz"),
    ({"window_tz": "X"}, "window_tz"), ({"window_tz": "LMT"}, "window_tz"),
    ({"node_name": None}, "node_name"), ({"node_name": 7}, "node_name"),
])
def test_a_window_that_makes_no_sense_is_refused_by_name(shared_mesh, fields, word):
    hub, server = shared_mesh
    answer = hub.join(**fields)
    assert answer.status == 400 and word in answer.text, answer
    assert "Atlantis" not in answer.text
    assert server.requests == [] and hub.nodes() == {}


@pytest.fixture(scope="module")
def shared_mesh(tmp_path_factory, authority, certificate):
    """A hub and its API server for tests that change nothing of either."""
    server = StandInApiServer(certificate)
    folder = tmp_path_factory.mktemp("shared-mesh")
    zones = folder / "zones"
    for zone in ("UTC", "Europe/Berlin", "posixrules", "right/UTC"):
        (zones / zone).parent.mkdir(parents=True, exist_ok=True)
        write_text(zones / zone, "TZif2")
    write_text(zones / "tzdata.zi", "# version 2026a\nR s 1 9 - O 1 1 0 X\n"
               "Z America/New_York -4:56:2 - LMT 1883\nL America/New_York US/Eastern\n")
    hub = MeshEdge(folder / "hub", server.url, authority.root_file)
    hub.start(env={"TZDIR": str(zones)})
    yield hub, server
    hub.close()
    server.close()


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/New_York", "US/Eastern"])
def test_a_zone_is_known_by_its_file_or_by_the_hosts_list_of_all(shared_mesh, zone):
    hub, server = shared_mesh
    # Past the zone the call fails for another reason.
    assert hub.join(window_tz=zone, node_name="other").status == 403
    assert server.requests == []


def test_a_host_without_zone_files_takes_every_zone_that_looks_like_one(make_mesh, tmp_path):
    hub = make_mesh(start=False)
    hub.start(env={"TZDIR": str(tmp_path / "nowhere")})
    assert hub.join(window_tz="Atlantis/Capital").status == 200
    assert hub.join(window_tz="../Atlantis").status == 400


def test_an_edge_on_a_lan_or_without_the_flags_offers_no_mesh(make_mesh, make_edge, server):
    lan = make_mesh(lan=True)
    lan.wait_fault("--mesh-agent-token-file", "--lan-advertise")
    plain = make_edge("plain", tenants={"mattbox": {"cluster": True}})
    body = {"appliance_id": "mattbox", "token": token("mattbox"), "node_name": "mattbox"}
    for edge in (lan, plain):
        answer = edge.post("/cluster/join", body)
        assert answer.status == 503, answer
        assert "does not offer a mesh" in answer.text
        assert edge.post("/cluster/join", {**body, "token": token("other")}).status == 401
    assert server.requests == []


def test_a_mesh_needs_all_of_its_flags(make_mesh):
    hub = make_mesh(start=False)
    for flag in ("mesh_agent_token_file", "mesh_server_addr", "kube_api", "kube_token_file",
                 "kube_ca_file"):
        done = hub.start_and_fail(**{flag: None})
        assert done.code == 2 and "--" + flag.replace("_", "-") in done.err, done


# --- the operator's files ---


@pytest.mark.parametrize("name", ["agent_token_file", "kube_token_file"])
def test_a_token_that_was_renewed_counts_from_the_next_join_on(make_mesh, server, name):
    hub = make_mesh()
    assert hub.join().status == 200
    server.answer_all()
    renewed = "renewed-" + "r" * 40
    write_text(getattr(hub, name), renewed + "\n")
    answer = hub.join()
    shown = {each.headers["authorization"] for each in server.requests}
    if name == "agent_token_file":
        assert answer.json()["token"] == renewed
    else:
        assert shown == {f"Bearer {renewed}"}


@pytest.mark.parametrize("flag, content", [
    ("mesh_agent_token_file", "short"), ("mesh_agent_token_file", None),
    ("kube_token_file", "geheim\n" + "g" * 40), ("kube_token_file", None),
    ("kube_ca_file", "no certificate"), ("kube_ca_file", None),
])
def test_a_faulty_file_shuts_the_door_until_it_is_mended(make_mesh, server, tmp_path, authority,
                                                         flag, content):
    mine = write_text(tmp_path / "pinned.pem", authority.root_file.read_text(encoding="ascii"))
    hub = make_mesh(kube_ca=mine)
    path = hub.flags[flag]
    right = path.read_text(encoding="ascii")
    if content is None:
        path.unlink()
    else:
        write_text(path, content)
    fault = hub.wait_fault(str(path), "no box can join")
    answer = hub.join()
    assert answer.status == 503 and "file of this edge is faulty" in answer.text
    assert str(path) not in answer.text
    assert server.requests == [] and hub.windows() == {}
    assert "geheim" not in fault + hub.log()
    write_text(path, right)
    until(lambda: not hub.faults(path), "the fault to be gone")
    assert hub.join().status == 200


def test_no_token_shows_in_a_message_an_answer_or_a_file(make_mesh, server):
    hub = make_mesh()
    assert hub.join().status == 200
    server.answer_all(reply(403, f"who is {KUBE_TOKEN}"))
    refused = hub.join()
    hub.wait_fault("lacks the role")
    server.answer_all()
    with open(f"/proc/{hub.daemon.pid}/cmdline", "rb") as cmdline:
        shown = hub.log() + refused.text + cmdline.read().decode()
    own = {hub.agent_token_file, hub.kube_token_file}
    for path in hub.folder.rglob("*"):
        if path.is_file() and path not in own:
            shown += path.read_text(encoding="utf-8", errors="replace")
    assert KUBE_TOKEN[:20] not in shown and AGENT_TOKEN[:20] not in shown


# --- when a window goes ---


def test_a_window_goes_with_the_membership_and_with_the_tenant(make_mesh):
    hub = make_mesh(members=["mattbox", "zoe", "stays"])
    for member in ("mattbox", "zoe", "stays"):
        assert hub.join(member, **WINDOW).status == 200
    hub.list_tenants({"mattbox": {}, "stays": {"cluster": True}})
    until(lambda: "zoe" not in hub.nodes() and "mattbox" not in hub.nodes(), "both to be gone")
    until(lambda: hub.windows() == {"stays": STORED}, "the registry to forget them")
    hub.daemon.wait_line("mattbox is no member of the mesh any more")
    hub.daemon.wait_line("zoe is no member of the mesh any more")
    hub.list_tenants({"mattbox": {"cluster": True}, "stays": {"cluster": True}})
    until(lambda: hub.join().status == 200, "the member to be one again")
    assert hub.windows()["mattbox"] == NOTHING


def test_compute_windows_json_is_there_from_the_start_and_only_written_when_it_changes(make_mesh):
    hub = make_mesh(reconcile_interval="20ms")
    assert read_json(hub.windows_file) == {"nodes": []}
    before = identity(hub.windows_file)
    done = hub.metric("reconciles_total")
    until(lambda: hub.metric("reconciles_total") > done + 3, "some reconciles")
    assert identity(hub.windows_file) == before


# --- idleness ---


def test_an_unknown_is_never_idle(make_mesh):
    hub = make_mesh(reconcile_interval="20ms")
    assert hub.join().status == 200
    until(lambda: "mattbox" in hub.nodes(), "the node")
    assert not hub.is_idle()
    assert hub.heartbeat("mattbox", idle=True).status == 404
    assert hub.register("mattbox").status == 200
    for said, idle in (({"idle": True}, True), ({}, False), ({"idle": True}, True),
                       ({"idle": None}, False), ({"idle": True}, True), ({"idle": False}, False),
                       ({"idle": True}, True)):
        assert hub.heartbeat("mattbox", **said).status == 204
        until(lambda idle=idle: hub.is_idle() == idle, f"idle to be {idle} after {said}")
    assert hub.register("mattbox").status == 200
    done = hub.metric("reconciles_total")
    until(lambda: hub.metric("reconciles_total") > done + 2, "some reconciles")
    assert hub.is_idle(), "a registration says nothing of it"
    assert hub.deregister("mattbox").status == 204
    until(lambda: not hub.is_idle(), "who left to be an unknown")


def test_a_change_of_idleness_is_written_at_once(make_mesh):
    hub = make_mesh(reconcile_interval="1h")
    assert hub.join().status == 200
    assert hub.register("mattbox").status == 200
    for idle in (True, False, True):
        assert hub.heartbeat("mattbox", idle=idle).status == 204
        until(lambda idle=idle: hub.is_idle() == idle, f"idle to be {idle}")


def test_nobody_is_idle_for_longer_than_he_is_heard(make_mesh):
    hub = make_mesh(heartbeat_ttl="1s", reconcile_interval="1h")
    assert hub.join().status == 200

    def becomes_idle():
        # Anew each time: a slow machine may be late for the second in which it holds.
        return hub.register("mattbox").status == 200 and \
            hub.heartbeat("mattbox", idle=True).status in (204, 404) and hub.is_idle()

    until(becomes_idle, "idleness")
    until(lambda: not hub.is_idle(), "its end")


def test_who_is_still_heard_is_idle_no_longer_than_he_said_so(make_mesh):
    hub = make_mesh(heartbeat_ttl="5s", reconcile_interval="1h")
    assert hub.join().status == 200
    assert hub.register("mattbox").status == 200
    assert hub.heartbeat("mattbox", idle=True).status == 204
    until(hub.is_idle, "idleness")
    said = time.monotonic()
    until(lambda: time.monotonic() > said + 3, "most of its time")
    assert hub.register("mattbox").status == 200
    until(lambda: not hub.is_idle(), "its end")
    assert [box["id"] for box in hub.live()] == ["mattbox"], "it was pruned"


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_after_a_restart_nobody_is_idle_before_he_says_so(make_mesh, end):
    hub = make_mesh()
    assert hub.join().status == 200
    assert hub.register("mattbox").status == 200
    assert hub.heartbeat("mattbox", idle=True).status == 204
    until(hub.is_idle, "idleness")
    if end == "stop":
        assert hub.stop() == 0
        assert not hub.is_idle(), "nobody is heard any more"
    else:
        hub.daemon.kill()
    hub.start()
    assert not hub.is_idle()
    assert hub.heartbeat("mattbox", idle=True).status == 204
    until(hub.is_idle, "idleness again")


# --- check ---


def test_check_shows_the_windows_and_a_faulty_file_and_no_token(make_mesh):
    hub = make_mesh()
    assert hub.join(**WINDOW).status == 200
    hub.stop()
    before = identity(hub.windows_file)
    done = run("losos-registrar", "check", *hub.arguments())
    assert done.code == 0 and f"# {hub.windows_file}" in done.out and '"Europe/Berlin"' in done.out
    write_text(hub.agent_token_file, "short")
    done = run("losos-registrar", "check", *hub.arguments())
    assert done.code == 0 and str(hub.agent_token_file) in done.err
    assert KUBE_TOKEN[:20] not in done.out + done.err
    assert identity(hub.windows_file) == before
