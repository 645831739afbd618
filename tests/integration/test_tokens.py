"""Token files of the tenants file: rotated without a restart, refused one by one when faulty."""

import os

import pytest
from losos_tools import read_json, token, until, write_json, write_text

SHARED_EDGE = {"tenants": ["sound", *(f"faulty{n}" for n in range(8))]}

FAULTS = {
    "missing": None,
    "empty": "",
    "blank": " \n\t\n",
    "short": "x" * 31 + "\n",
    "control": "x" * 20 + "\x07" + "x" * 20,
    "two-lines": "x" * 40 + "\n" + "y" * 40,
    "not-text": b"\xff\xfe" * 40,
    "huge": "x" * 1025,
}


@pytest.mark.parametrize("number, kind", enumerate(FAULTS), ids=list(FAULTS))
def test_a_tenant_with_a_faulty_token_file_is_refused_and_the_others_go_on(
        shared_edge, number, kind):
    name = f"faulty{number}"
    path = shared_edge.token_file(name)
    content = FAULTS[kind]
    if content is None:
        path.unlink()
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        write_text(path, content)
    fault = shared_edge.wait_fault(f'tenant "{name}"', str(path))
    assert "x" * 20 not in fault
    shared_edge.daemon.wait_line(rf'tenant "{name}".*{name}\.token')
    for offered in (token(name), "", content if isinstance(content, str) else token(name)):
        assert shared_edge.register(name, token=offered).status == 401
    assert shared_edge.register("sound").status == 200


def test_a_token_file_in_the_way_of_a_directory_costs_that_tenant_alone(make_edge):
    edge = make_edge(tenants=["a", "b"], start=False)
    edge.token_file("a").unlink()
    edge.token_file("a").mkdir()
    edge.start()
    assert edge.register("a").status == 401
    assert edge.register("b").status == 200
    assert any("is a directory" in fault for fault in edge.faults())


def test_a_pipe_in_the_place_of_a_token_file_does_not_hang_the_start(make_edge):
    edge = make_edge(tenants=["a", "b"], start=False)
    edge.token_file("a").unlink()
    os.mkfifo(edge.token_file("a"))
    edge.start()
    assert edge.register("a").status == 401
    assert edge.register("b").status == 200


def test_a_rotated_token_counts_at_once_and_is_in_rathole_file(make_edge):
    edge = make_edge(tenants=["box"])
    port = edge.register("box").json()["rathole_port"]
    write_text(edge.token_file("box"), token("rotated") + "\n")
    until(lambda: edge.heartbeat("box", token=token("rotated")).status == 204, "the new token", 2)
    assert edge.heartbeat("box").status == 401
    assert edge.register("box", token=token("rotated")).json() == {"rathole_port": port}
    assert f'token = "{token("rotated")}"' in edge.server_toml.read_text()
    assert token("box") not in edge.server_toml.read_text()


def test_a_faulty_token_takes_the_service_away_and_a_mended_one_brings_it_back(make_edge):
    edge = make_edge(tenants=["box", "other"])
    port = edge.register("box").json()["rathole_port"]
    edge.register("other")
    write_text(edge.token_file("box"), "short")
    until(lambda: set(edge.services()) == {"other"}, "server.toml without the box")
    assert set(edge.routers()) == {"losos_other"}
    assert edge.live_ids() == ["other"]
    assert edge.heartbeat("box").status == 401
    write_text(edge.token_file("box"), token("box"))
    until(lambda: edge.services().get("box") == port, "the box with its port")
    until(lambda: edge.heartbeat("box").status == 204, "the box taken again")


def test_a_token_file_is_trimmed(make_edge):
    edge = make_edge(tenants=["box"], start=False)
    write_text(edge.token_file("box"), f"\r\n  {token('box')} \t\r\n")
    edge.start()
    assert edge.register("box").status == 200
    assert f'token = "{token("box")}"' in edge.server_toml.read_text()


def test_a_token_with_quotes_and_backslashes_reaches_rathole_file_escaped(make_edge):
    edge = make_edge(tenants=["box"], start=False)
    odd = 'quote" and \\backslash '.ljust(40, "x")
    write_text(edge.token_file("box"), odd)
    edge.start()
    assert edge.register("box", token=odd).status == 200
    assert 'token = "quote\\" and \\\\backslash ' in edge.server_toml.read_text()


def test_a_token_file_may_stand_anywhere_and_is_watched_there(make_edge, tmp_path):
    elsewhere = tmp_path / "secrets"
    elsewhere.mkdir()
    write_text(elsewhere / "box", token("box"))
    edge = make_edge(tenants={"box": {"token_file": str(elsewhere / "box")}})
    assert edge.register("box").status == 200
    write_text(elsewhere / "box", token("rotated"))
    until(lambda: edge.heartbeat("box", token=token("rotated")).status == 204, "the new token", 2)


def test_a_link_on_the_way_to_a_token_file_is_watched_too(make_edge, tmp_path):
    for generation, secret in (("1", token("box")), ("2", token("rotated"))):
        (tmp_path / "generations" / generation).mkdir(parents=True)
        write_text(tmp_path / "generations" / generation / "box", secret)
    link = tmp_path / "secrets"
    link.symlink_to("generations/1")
    edge = make_edge(tenants={"box": {"token_file": str(link / "box")}}, reconcile_interval="1h")
    assert edge.register("box").status == 200
    (tmp_path / "next").symlink_to("generations/2")
    (tmp_path / "next").rename(link)
    until(lambda: edge.heartbeat("box", token=token("rotated")).status == 204, "the new token", 2)
    write_text(tmp_path / "generations" / "2" / "box", token("box"))
    until(lambda: edge.heartbeat("box").status == 204, "a change where the link leads now", 2)


def test_a_rotated_bootstrap_token_is_in_the_head_without_a_restart(make_edge):
    edge = make_edge(tenants=["box"])
    edge.register("box")
    write_text(edge.bootstrap, token("new-bootstrap"))
    until(lambda: f'default_token = "{token("new-bootstrap")}"' in edge.server_toml.read_text(),
          "the new head")
    assert "box" in edge.services()


def test_a_faulty_bootstrap_token_stops_the_start_but_not_a_running_edge(make_edge):
    edge = make_edge(tenants=["box"])
    head = edge.server_toml.read_text()
    write_text(edge.bootstrap, "short")
    edge.wait_fault(str(edge.bootstrap))
    assert edge.server_toml.read_text() == head
    assert edge.register("box").status == 200
    edge.stop()
    done = edge.start_and_fail()
    assert done.code == 6
    assert str(edge.bootstrap) in done.err


def test_two_tenants_may_share_one_token_file_and_each_keeps_to_its_id(make_edge):
    edge = make_edge(tenants=["a"], start=False)
    rows = read_json(edge.tenants_file)
    rows["b"] = {"hostname": "b.losos.test", "token_file": rows["a"]["token_file"]}
    write_json(edge.tenants_file, rows)
    edge.start()
    assert edge.register("a").status == 200
    assert edge.register("b", token=token("a")).status == 200
    assert edge.register("b").status == 401
