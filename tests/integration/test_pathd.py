"""lososd-pathd serve with a configured edge: the path it writes, and what it takes for an edge."""

import re
import signal
import socket
import threading

import pytest
from losos_tools import HangUp, mode_of, read_json, reply, run, until, write_text
from losos_tools.files import identity
from losos_tools.process import JUDGES_COST

OK = {"/health": reply(200, "ok")}


class Server:
    """Does to each connection what it is told, and lets it go when that has ended."""

    def __init__(self, act):
        self._act = act
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self.stopping = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._meet, args=(connection,), daemon=True).start()

    def _meet(self, connection):
        with connection:
            try:
                connection.recv(65536)
                self._act(self, connection)
            except OSError:
                pass

    def close(self):
        self.stopping.set()
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()


@pytest.fixture
def server():
    made = []

    def make(act):
        made.append(Server(act))
        return made[-1]

    yield make
    for each in made:
        each.close()


# --- the path ---


def test_a_configured_edge_that_answers_is_the_path(box, make_edge):
    edge = make_edge()
    found = box(edge.url, rathole="tunnel.test:2333")
    found.wait_url(edge.url)
    assert found.env_file.read_text() == (
        f"LOSOS_EDGE_PATH_URL={edge.url}\nLOSOS_EDGE_PATH_RATHOLE=tunnel.test:2333\n"
        f"LOSOS_EDGE_PATH_SOURCE=configured\nLOSOS_EDGE_PATH_NOISE_PUB={found.pin}\n")
    assert mode_of(found.env_file) == mode_of(found.edge_json) == 0o644
    assert not found.none_file.exists()
    until(lambda: found.document()["reachable"], "edge.json to say so")
    document = found.document()
    assert document["path"] == {"name": "127.0.0.1", "url": edge.url, "source": "configured",
                                "rathole": "tunnel.test:2333"}
    assert document["configuredUrl"] == edge.url and document["reason"]
    assert found.candidate(edge.url)["probe"]["result"] == "ok"


def test_without_an_edge_the_marker_is_there_before_it_is_ready(box):
    lone = box()
    assert lone.none_file.read_bytes() == b"" and mode_of(lone.none_file) == 0o644
    assert lone.env() is None
    document = lone.document()
    assert (document["reachable"], document["path"], document["configuredUrl"]) == (False,) + (None,) * 2


def test_until_a_configured_edge_has_answered_or_not_nothing_is_decided(box, server):
    waits = threading.Event()
    slow = server(lambda self, connection: waits.wait(20) and connection.sendall(OK["/health"]))
    patient = box(slow.url)
    assert not patient.none_file.exists() and patient.env() is None
    waits.set()
    patient.wait_url(slow.url)
    assert "there is no path" not in patient.daemon.log()


def test_an_edge_that_dies_is_left_and_one_that_is_back_is_taken_again(box, make_edge):
    edge = make_edge()
    loyal = box(edge.url)
    loyal.wait_url(edge.url)
    edge.daemon.kill()
    loyal.wait_none()
    assert loyal.gate("sharing").code == 3
    until(lambda: not loyal.document()["reachable"], "edge.json to say so")
    edge.start()
    loyal.wait_url(edge.url)
    assert not loyal.none_file.exists()
    assert loyal.gate("sharing").code == 0
    loyal.daemon.wait_line("no edge answers")


def test_a_restart_keeps_the_path(box, make_edge):
    edge = make_edge()
    loyal = box(edge.url)
    loyal.wait_url(edge.url)
    before = identity(loyal.env_file)
    loyal.restart()
    until(lambda: (loyal.candidate(edge.url) or {}).get("probe"), "the edge to be asked again")
    assert identity(loyal.env_file) == before
    assert not loyal.none_file.exists()
    assert " path" not in loyal.daemon.log()


def test_a_path_to_an_edge_that_died_meanwhile_is_left(box, make_edge):
    edge = make_edge()
    loyal = box(edge.url)
    loyal.wait_url(edge.url)
    assert loyal.daemon.stop() == 0
    assert loyal.url() == edge.url, "the path outlives the program"
    edge.daemon.kill()
    loyal.start()
    loyal.wait_none()


def test_a_path_of_another_configuration_makes_room_for_this_one(box, stand_in):
    old, new = stand_in(OK), stand_in(OK)
    moved = box(old.url)
    moved.wait_url(old.url)
    moved.daemon.stop()
    moved.flags["registrar_url"] = new.url
    moved.start()
    moved.wait_url(new.url)
    moved.daemon.stop()
    write_text(moved.env_file, "LOSOS_EDGE_PATH_URL=nonsense\n", 0o644)
    moved.start()
    moved.wait_url(new.url)
    moved.daemon.wait_line(re.escape(str(moved.env_file)))


def test_a_file_of_its_own_that_somebody_took_away_is_written_again(box, stand_in):
    edge = stand_in(OK)
    robbed = box(edge.url)
    robbed.wait_url(edge.url)
    for file in (robbed.env_file, robbed.edge_json):
        file.unlink()
        until(file.exists, f"{file} to be back")
    write_text(robbed.none_file, "")
    until(lambda: not robbed.none_file.exists(), "a marker of somebody else's to go")


def test_unchanged_files_are_not_written_again(box, stand_in):
    edge = stand_in(OK)
    calm = box(edge.url)
    calm.wait_url(edge.url)
    until(lambda: calm.document()["reachable"], "edge.json to say so")
    before = identity(calm.env_file), identity(calm.edge_json)
    edge.wait_asked("/health", len(edge.asked("/health")) + 3)
    assert (identity(calm.env_file), identity(calm.edge_json)) == before
    assert calm.edge()["checkedAt"] >= calm.document()["checkedAt"]


# --- what is no edge ---


ODD_ANSWERS = {
    "a-captive-portal": reply(200, "<html>Welcome to our hotel. ok</html>"),
    "another-ok": reply(200, "okay"), "an-empty-body": reply(200), "no-content": reply(204),
    "unhealthy": reply(503, "ok"), "no-http": b"SSH-2.0-OpenSSH_9.2\r\n",
    "a-status-from-nowhere": b"HTTP/1.1 2x0 OK\r\n\r\nok", "an-old-protocol": b"ok\n",
    "ten-megabytes": reply(200, "ok" * (5 << 20)),
    "a-head-without-end": b"HTTP/1.1 200 OK\r\n" + b"X-Filler: filler\r\n" * 100_000,
}


@pytest.mark.parametrize("answer", ODD_ANSWERS.values(), ids=ODD_ANSWERS)
def test_what_answers_otherwise_is_no_edge(box, stand_in, answer):
    other = stand_in({"/health": answer})
    careful = box(other.url)
    careful.wait_none()
    until(lambda: careful.candidate(other.url)["probe"], "a verdict")
    assert careful.candidate(other.url)["probe"]["result"] == "wrongAnswer"
    assert careful.private_kib() < 6 * 1024 or not JUDGES_COST
    assert careful.gate("sharing").code == 3


def test_a_redirect_is_not_followed(box, stand_in):
    edge = stand_in(OK)
    portal = stand_in({"/health": reply(302, "ok", Location=edge.url + "/health")})
    careful = box(portal.url)
    careful.wait_none()
    assert edge.requests == []


def trickle(server, connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n")
    while not server.stopping.wait(0.05):
        connection.sendall(b"X: y\r\n")


@pytest.mark.parametrize("act", [lambda server, _: server.stopping.wait(60), trickle],
                         ids=["silent", "trickling"])
def test_one_that_never_comes_to_an_end_is_given_up(box, server, act):
    endless = server(act)
    patient = box(endless.url)
    patient.wait_none(timeout=30)
    assert patient.candidate(endless.url)["probe"]["result"] == "noAnswer"


@pytest.mark.parametrize("url", ["http://no-such-host.invalid", "http://127.0.0.1:1",
                                 "https://127.0.0.1:1"])
def test_one_that_cannot_be_reached_is_none(box, url):
    lost = box(url)
    lost.wait_none()
    assert lost.candidate(url)["probe"]["result"] == "noAnswer"


def test_an_edge_that_hangs_up_on_a_kept_connection_is_asked_on_a_new_one(box, make_edge):
    edge = make_edge()
    loyal = box(edge.url, probe_interval="500ms")
    loyal.wait_url(edge.url)
    edge.restart()
    first = loyal.candidate(edge.url)["probe"]["at"]
    until(lambda: loyal.edge()["candidates"][0]["probe"]["at"] > first + 1, "a later probe", 30)
    assert "there is no path" not in loyal.daemon.log()


# --- the service manager ---


def test_the_service_manager_hears_how_it_goes(box, make_edge):
    edge = make_edge()
    told = box(edge.url, start=False)
    told.start(env={"WATCHDOG_USEC": "300000"})
    told.daemon.wait_note(f"STATUS=on the path to {edge.url}")
    told.daemon.wait_note("WATCHDOG=1")
    told.daemon.signal(signal.SIGTERM)
    told.daemon.wait_note("STOPPING=1")
    assert told.daemon.stop() == 0


# --- gates ---


@pytest.mark.parametrize("name", ["sharing", "market"])
def test_without_a_document_no_gate_can_be_judged(box, name):
    idle = box(start=False)
    done = idle.gate(name)
    assert done.code == 6 and str(idle.edge_json) in done.err
    idle.run_dir.mkdir()
    for text in ("", "{", "[]", '{"reachable": "yes"}'):
        write_text(idle.edge_json, text)
        done = idle.gate(name)
        assert done.code == 6 and str(idle.edge_json) in done.err, done
        assert 'type "systemctl restart lososd-pathd"' in done.err


def test_a_gate_says_why_it_is_closed(box, stand_in):
    lone = box()
    until(lambda: lone.document()["reason"] == "no edge answers", "the first look around to be over")
    done = lone.gate("sharing")
    assert done.code == 3 and "no edge answers" in done.err and done.err.count("\n") == 1
    edge = stand_in(OK)
    here = box(edge.url, name="other")
    here.wait_url(edge.url)
    until(lambda: here.gate("sharing").code == 0, "the gate to open")
    done = here.gate("market")
    assert done.code == 3 and "official" in done.err


# --- without a tunnel ---


def test_a_box_whose_owner_runs_no_tunnel_gets_a_document_and_nothing_else(box, stand_in):
    edge = stand_in(OK)
    bare = box(edge.url, no_drive=True, start=False)
    bare.secrets.mkdir()
    bare.start()
    until(lambda: bare.document()["reachable"], "edge.json to say so")
    assert bare.edge()["path"]["url"] == edge.url
    assert [path.name for path in bare.run_dir.iterdir()] == ["edge.json"]
    assert not list(bare.secrets.iterdir()) and "pin" not in bare.daemon.log()
    assert bare.gate("sharing").code == 0


def test_what_a_driving_one_left_is_left_alone_without_a_tunnel(box, stand_in):
    edge = stand_in(OK)
    driven = box(edge.url)
    driven.wait_url(edge.url)
    driven.daemon.stop()
    before = identity(driven.env_file)
    edge.answers["/health"] = HangUp
    driven.flags["no_drive"] = True
    driven.start()
    until(lambda: read_json(driven.edge_json)["reachable"] is False, "edge.json to say so")
    assert identity(driven.env_file) == before and not driven.none_file.exists()


# --- files that cannot be written ---


def test_a_run_directory_that_cannot_be_made_ends_the_start(box):
    hindered = box(start=False)
    for where, code in ((write_text(hindered.folder / "file", ""), 1),
                        (hindered.folder / "no" / "such", 6)):
        done = hindered.start_and_fail(run_dir=where)
        assert done.code == code and str(where) in done.err and done.err.count("\n") == 1


def test_a_run_directory_that_goes_is_complained_of_once_and_written_when_it_is_back(box, make_edge):
    edge = make_edge()
    robbed = box(edge.url)
    robbed.wait_url(edge.url)
    moved = robbed.run_dir.rename(robbed.folder / "elsewhere")
    edge.daemon.kill()
    robbed.daemon.wait_line("trying again", timeout=30)
    edge.start()
    moved.rename(robbed.run_dir)
    robbed.wait_url(edge.url)
    assert robbed.daemon.log().count("trying again") <= 2


def test_flags_that_do_not_fit_together_are_wrong_usage(box):
    odd = box(start=False)
    for changes in ({"registrar_url": "http://a.test"}, {"edge_rathole_endpoint": "a.test:1"}):
        done = odd.start_and_fail(**changes)
        assert done.code == 2 and "both or neither" in done.err
    assert run("lososd-pathd", "gate", "neither").code == 2
