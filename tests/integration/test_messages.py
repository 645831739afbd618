"""How the tools speak: to a person, to the journal, and to the service manager."""

import os
import pty
import signal
import subprocess

import pytest
from losos_tools import RawConnection, run, token, until, write_text
from losos_tools.process import command, environment

FAILING = {
    "losos-registrar": ["serve", "--tenants-file", "/nonexistent/tenants.json", "--registry",
                        "{}/registry.json"],
    "losos-uplink": ["--uplink-file", "{}/uplink.json"],
    "losos-announce": ["--appliance-id", "a", "--hostname", "a.test", "--run-dir", "{}", "--once"],
    "lososd-pathd": ["client-config", "--appliance-id", "a", "--path-env", "{}/env", "--output",
                     "{}/out"],
    "losos-edge": ["uplink", "show", "--edge-dir", "{}"],
}


def failing(tool, tmp_path):
    write_text(tmp_path / "uplink.json", "{")
    return [word.format(tmp_path) for word in FAILING[tool]]


@pytest.mark.parametrize("tool", FAILING)
def test_a_message_is_one_line_with_the_tools_name_in_front(tool, tmp_path):
    done = run(tool, *failing(tool, tmp_path))
    assert done.code == 6, done
    assert done.out == ""
    for line in done.err.splitlines():
        assert line.startswith(f"{tool}: ")


@pytest.mark.parametrize("tool", FAILING)
def test_in_the_journal_a_message_has_a_priority_in_front_instead(tool, tmp_path):
    with open(tmp_path / "journal", "w+", encoding="utf-8") as journal:
        status = os.fstat(journal.fileno())
        env = environment({"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"})
        argv = command(tool, failing(tool, tmp_path))
        assert subprocess.run(argv, stderr=journal, env=env, check=False).returncode == 6
        journal.seek(0)
        lines = journal.read().splitlines()
    assert lines[-1].startswith("<3>")
    assert all(line[0] == "<" and line[1] in "34567" and line[2] == ">" for line in lines)
    assert not any(tool + ": " in line for line in lines)


def test_a_journal_that_is_not_standard_error_changes_nothing(tmp_path):
    done = run("losos-edge", *failing("losos-edge", tmp_path), env={"JOURNAL_STREAM": "1:1"})
    assert done.err.startswith("losos-edge: ")


def test_nothing_is_coloured_also_not_on_a_terminal(tmp_path):
    main, terminal = pty.openpty()
    argv = command("losos-edge", ["status", "--edge-dir", tmp_path, "--state-dir", tmp_path,
                                  "--run-dir", tmp_path])
    env = environment({"TERM": "xterm-256color"})
    subprocess.run(argv, stdout=terminal, stderr=terminal, env=env, check=True)
    os.close(terminal)
    assert b"\x1b" not in os.read(main, 65536)
    os.close(main)


def test_standard_output_that_takes_nothing_is_a_failure():
    with open("/dev/full", "w", encoding="ascii") as full:
        argv = command("losos-registrar", ["--help"], config=False)
        done = subprocess.run(argv, stdout=full, stderr=subprocess.PIPE, text=True,
                              env=environment(), check=False)
    assert done.returncode == 1
    assert "standard output" in done.stderr


def test_standard_streams_that_are_closed_never_end_up_in_a_file(tmp_path):
    argv = command("losos-registrar", ["noise", "keygen", "--noise-private-key-file",
                                       tmp_path / "key"])
    script = 'exec "$@" <&- >&- 2>&-'
    for _ in range(2):
        subprocess.run(["sh", "-c", script, "sh", *argv], env=environment(), check=True)
    assert len((tmp_path / "key").read_text()) == 45


# --- the service manager ---


def test_the_registrar_is_ready_once_it_answers_and_says_where(make_edge):
    edge = make_edge()
    assert edge.get("/health").status == 200
    assert f"STATUS=answering on port {edge.port}" in edge.daemon.notes
    assert edge.daemon.notes.index("READY=1") == 0


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT], ids=str)
def test_a_stop_is_announced_and_clean(make_edge, ending):
    edge = make_edge()
    edge.daemon.signal(ending)
    edge.daemon.wait_note("STOPPING=1")
    assert edge.daemon.wait() == 0


def test_a_stop_is_not_held_up_by_callers_that_say_nothing(make_edge):
    edge = make_edge()
    connections = [RawConnection(edge.port) for _ in range(20)]
    until(lambda: edge.get("/health").status == 200, "the edge to have seen them")
    assert edge.daemon.stop(3) == 0
    for connection in connections:
        connection.close()


@pytest.mark.parametrize("tool", ["losos-registrar", "losos-announce"])
def test_a_watchdog_is_fed(tool, make_edge, daemon, tmp_path):
    env = {"WATCHDOG_USEC": "400000"}
    if tool == "losos-registrar":
        edge = make_edge(start=False)
        process = edge.start(env=env)
    else:
        write_text(tmp_path / "token", token("box"))
        (tmp_path / "run").mkdir()
        process = daemon(tool, "--appliance-id", "box", "--hostname", "box.test", "--token-file",
                         tmp_path / "token", "--run-dir", tmp_path / "run", "--registrar-url",
                         "http://127.0.0.1:9", env=env)
        process.wait_ready()
    process.wait_note("WATCHDOG=1", 5)


def test_announce_tells_the_service_manager_how_it_is(make_edge, daemon, tmp_path):
    edge = make_edge(tenants=["box"])
    (tmp_path / "run").mkdir()
    process = daemon("losos-announce", "--appliance-id", "box", "--hostname", "box.losos.test",
                     "--token-file", edge.token_file("box"), "--run-dir", tmp_path / "run",
                     "--registrar-url", edge.url)
    process.wait_note("READY=1")
    process.wait_note(f"STATUS=registered with {edge.url} as box, box.losos.test")
    process.signal(signal.SIGTERM)
    process.wait_note("STOPPING=1")
    assert process.wait() == 0


@pytest.mark.parametrize("flags, words", [
    ({"port_range": "30000-65535"}, ("--port-range 30000-65535 overlaps", "ephemeral")),
    ({"port_range": "1024-65535"}, ("64512 ports", "1032192")),
], ids=["ephemeral", "descriptors"])
def test_a_port_range_that_can_hurt_starts_with_a_warning_that_says_the_number(
        make_edge, flags, words):
    edge = make_edge(**flags)
    for word in words:
        edge.wait_fault(word)
        edge.daemon.wait_line(word)


def test_a_stop_writes_out_the_departures_that_were_held_back_for_traefik(make_edge):
    boxes = [f"box{n}" for n in range(12)]
    edge = make_edge(tenants=boxes)
    for each in boxes:
        assert edge.register(each).status == 200
    for each in boxes[1:]:
        assert edge.deregister(each).status == 204
    assert edge.stop() == 0
    assert set(edge.routers()) == {"losos_box0"}
