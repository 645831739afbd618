"""What lososd-pathd makes and keeps: tokens, and files that are whole whatever ends it."""

import itertools
import re
import signal

from losos_tools import ERRNO_OF, FaultInjector, leftovers, mode_of, reply, token, until, write_text
from losos_tools.faults import STRIDE, message_of
from losos_tools.files import identity

OK = {"/health": reply(200, "ok")}


# --- tokens ---


def test_missing_tokens_are_made_and_kept(box):
    fresh = box()
    tokens = [file.read_text() for file in (fresh.token_file, fresh.bootstrap)]
    assert all(re.fullmatch(r"[0-9a-f]{64}\n", text) for text in tokens)
    assert tokens[0] != tokens[1]
    assert mode_of(fresh.token_file) == mode_of(fresh.bootstrap) == 0o600
    assert mode_of(fresh.secrets) == mode_of(fresh.pins_dir) == 0o700
    before = identity(fresh.token_file), identity(fresh.bootstrap)
    fresh.restart()
    assert (identity(fresh.token_file), identity(fresh.bootstrap)) == before
    assert "made a token" not in fresh.daemon.log()


def test_a_token_that_is_there_stays_whatever_it_holds(box):
    own = box(start=False)
    own.secrets.mkdir()
    write_text(own.token_file, token("box") + "\n", 0o640)
    write_text(own.bootstrap, "short\n")
    own.start()
    assert own.token_file.read_text() == token("box") + "\n" and mode_of(own.token_file) == 0o640
    assert own.bootstrap.read_text() == "short\n"


def test_a_token_that_cannot_be_made_ends_the_start(box):
    hindered = box(start=False)
    file = write_text(hindered.folder / "file", "")
    done = hindered.start_and_fail(token_file=file / "token")
    assert done.code == 1 and str(file) in done.err and done.err.count("\n") == 1
    assert not hindered.env_file.exists() and not hindered.none_file.exists()


def test_no_secret_is_said_or_written_anywhere_else(box, stand_in):
    edge = stand_in(OK)
    discreet = box(edge.url)
    discreet.wait_url(edge.url)
    edge.close()
    discreet.wait_none()
    secrets = [discreet.token_file.read_text().strip(), discreet.bootstrap.read_text().strip()]
    said = [discreet.daemon.log(), discreet.get("/api/edge").text, discreet.get("/api/gates").text,
            "\n".join(discreet.daemon.all_notes()), *(repr(request) + str(request.headers)
                                                      for request in edge.requests)]
    said += [path.read_text() for path in discreet.run_dir.iterdir()]
    assert all(secret not in text for secret in secrets for text in said)


# --- killed and failing at every step ---


def rules_of(box, where):
    """What holds of a box's files at any moment."""
    assert box.env() is None or set(box.env()) == {"URL", "RATHOLE", "SOURCE", "NOISE_PUB"}, where
    for file in (box.token_file, box.bootstrap):
        if file.exists():
            assert re.fullmatch(r"[0-9a-f]{64}\n", file.read_text()), where
            assert mode_of(file) == 0o600, where
    if box.edge_json.exists():
        assert "reachable" in box.document(), where


def settled(box, edge):
    return box.url() == edge.url and not box.none_file.exists() and box.edge_json.exists() \
        and box.document()["reachable"]


def test_killed_anywhere_its_files_are_whole_and_the_next_start_goes_on(box, stand_in, memory_disk):
    edge = stand_in(OK)
    for number in itertools.count(1, STRIDE):
        one = box(edge.url, start=False, folder=memory_disk / f"round{number}")
        injector = FaultInjector(memory_disk, one.run_dir, one.secrets)
        injector.plan("kill-before", number)
        one.start(wait=False, **injector.daemon_options())
        until(lambda: not one.daemon.running() or settled(one, edge), "its end, or a path")
        where = f"killed before {injector.struck()}"
        rules_of(one, where)
        was_killed = injector.struck() is not None
        one.daemon.kill()
        one.start()
        one.wait_url(edge.url)
        until(lambda: settled(one, edge), "all to be well")
        until(lambda: leftovers(one.folder) == [], f"the leftovers of one {where} to go")
        one.close()
        if not was_killed:
            assert number > 10
            return


def test_a_change_that_fails_ends_the_start_or_is_said_and_made_up_for(box, stand_in, memory_disk):
    edge = stand_in(OK)
    whole = box(edge.url, start=False, folder=memory_disk / "whole")
    injector = FaultInjector(memory_disk, whole.run_dir, whole.secrets)
    whole.start(wait=False, **injector.daemon_options())
    until(lambda: settled(whole, edge), "a path")
    steps = list(enumerate(injector.steps(), 1))
    struck_rounds = 0
    whole.daemon.signal(signal.SIGTERM)
    whole.daemon.wait()
    for number, step in steps[::STRIDE]:
        one = box(edge.url, start=False, folder=memory_disk / f"round{number}")
        injector = FaultInjector(memory_disk, one.run_dir, one.secrets)
        injector.plan("fail", number, ERRNO_OF[step.call])
        one.start(wait=False, **injector.daemon_options())
        until(lambda: not one.daemon.running() or settled(one, edge), "its end, or a path")
        struck = injector.struck()
        if struck is None:
            # A path found before anything was written of its absence takes fewer steps.
            assert len(injector.steps()) < number
            one.close()
            continue
        struck_rounds += 1
        # A step is on record before the program knows what became of it.
        said = re.compile(message_of(struck, ERRNO_OF[step.call]))
        until(lambda: said.search(one.daemon.log()), lambda: f"{struck}: {one.daemon.log()}")
        if not one.daemon.running():
            assert one.daemon.wait() == 1, struck
        rules_of(one, struck)
        one.close()
    assert struck_rounds * STRIDE > 25


def test_the_units_find_a_path_or_the_marker_after_every_step(box, make_edge, tmp_path):
    edge = make_edge(start=False)
    one = box(edge.url, start=False)
    injector = FaultInjector(tmp_path, one.run_dir)
    one.start(**injector.daemon_options())
    one.wait_none()
    edge.start()
    one.wait_url(edge.url)
    until(lambda: not one.none_file.exists(), "the marker to go")
    edge.daemon.kill()
    one.wait_none()
    there, last = set(), None
    for step in injector.steps():
        name = step.target.name
        if name not in (one.env_file.name, one.none_file.name) or step.call not in ("rename", "unlink"):
            continue
        (there.add if step.call == "rename" else there.discard)(name)
        assert there, f"neither after {step}"
        last = step
    # The whole way was seen: none, a path, none.
    assert there == {one.none_file.name} and (last.call, last.target.name) == ("unlink", one.env_file.name)
