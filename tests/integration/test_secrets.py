"""No token is ever where somebody else can read it: messages, answers, processes, files."""

import pytest
from losos_tools import Gateway, box, reply, run, token, until, write_text
from losos_tools.sweep import process_text, readable_by_others

BOX, SPOKE = token("box"), token("acme")
TENANTS = {"box": {}, "acme": {"relay_zone": "acme.losos.test"}}


def holds_secret(path, secrets):
    with open(path, "rb") as file:
        content = file.read()
    return any(secret.encode() in content for secret in secrets)


def test_no_answer_of_the_api_repeats_a_token(make_edge):
    edge = make_edge(tenants=TENANTS)
    sound = {"appliance_id": "box", "token": BOX, "hostname": "box.losos.test"}
    bodies = [sound, {**sound, "hostname": BOX}, {**sound, "appliance_id": BOX},
              {**sound, "hostname": 5}, {**sound, "idle": BOX}, {**sound, "token": [BOX]},
              {**sound, "tenants": [{"id": BOX, "hostname": 5}]}, {**sound, "tenants": BOX},
              {**sound, "token": BOX + BOX}, {**sound, BOX: BOX}, {**sound, "relay_pass": BOX}]
    raw = [f'{{"token": "{BOX}"'.encode(), f'{{"token": "{BOX}", }}'.encode(),
           f'{{"{BOX}": 1, "{BOX[:-1]}": 2, "token": {BOX}}}'.encode()]
    for path in ("/register", "/heartbeat", "/relay", "/deregister", "/domains/list", "/nothing",
                 f"/{BOX}"):
        for body in bodies + raw:
            answer = edge.post(path, body)
            assert BOX not in answer.text and BOX not in str(answer.headers), answer
            assert answer.status < 400 or len(answer.text.strip().splitlines()) == 1
    assert BOX not in edge.log()


def test_a_running_edge_shows_no_secret_in_process_log_or_readable_file(make_edge):
    edge = make_edge(tenants=TENANTS, enrol=True, noise=True)
    stranger = token("stranger")
    secrets = [BOX, SPOKE, stranger, token("bootstrap"), edge.noise_key.read_text().strip()]
    for name in ("box", "stranger"):
        assert edge.register(name).status == 200
    edge.relay("acme", [("a", "a.acme.losos.test")])
    edge.post("/register", {"appliance_id": "box", "token": BOX + "x", "hostname": "x.test"})
    write_text(edge.token_file("box"), BOX[:20])
    edge.wait_fault('"box"')
    until(lambda: len(edge.routers()) == 2, "routers without the faulty box")
    seen = process_text(edge.daemon.pid).decode(errors="replace") + edge.log()
    for secret in secrets:
        assert secret not in seen
        assert secret[:20] not in edge.log()
    for path in readable_by_others(edge.folder):
        assert not holds_secret(path, secrets), path
    # None of this would mean anything if the secrets were in no file at all.
    assert holds_secret(edge.server_toml, [SPOKE]) and holds_secret(edge.server_toml, [stranger])


def test_a_gateway_shows_no_secret_in_messages_or_readable_files(make_edge, tmp_path):
    hub = make_edge("hub", tenants=TENANTS)
    gateway = Gateway(tmp_path / "gateway")
    outputs = [gateway.set_uplink(hub.url)]
    gateway.write_live([box("a", zone="acme.losos.test"), box("alien")])
    outputs += [gateway.run_pass(), gateway.edge("status"), gateway.edge("status", "--json"),
                gateway.edge("uplink", "show")]
    assert gateway.services() == {"acme.a": 20000}
    assert holds_secret(gateway.uplink_toml, [SPOKE])
    hub.stop()
    outputs += [gateway.run_pass()]
    for path in readable_by_others(gateway.folder):
        assert not holds_secret(path, [SPOKE]), path
    outputs += [gateway.edge("uplink", "clear")]
    for done in outputs:
        assert SPOKE not in done.out + done.err + " ".join(done.argv)


@pytest.mark.parametrize("status", [200, 401, 500])
def test_a_hub_that_sends_the_token_back_does_not_get_it_shown(stand_in, tmp_path, status):
    hub = stand_in({"/health": reply(200, "ok"),
                    "/relay": lambda request: reply(status, request.body)})
    gateway = Gateway(tmp_path / "gateway")
    gateway.set_uplink(hub.url)
    gateway.write_live([])
    done = gateway.run_pass()
    assert done.code != 0
    assert SPOKE not in done.err
    for path in readable_by_others(gateway.folder):
        assert not holds_secret(path, [SPOKE]), path
    assert SPOKE not in gateway.edge("status").out


@pytest.mark.parametrize("status", [200, 401, 500])
def test_an_edge_that_sends_the_token_back_does_not_get_it_shown(stand_in, tmp_path, status):
    edge = stand_in({"/register": lambda request: reply(status, request.body)})
    secret = write_text(tmp_path / "token", BOX)
    (tmp_path / "run").mkdir()
    done = run("losos-announce", "--appliance-id", "box", "--hostname", "box.test", "--token-file",
               secret, "--run-dir", tmp_path / "run", "--registrar-url", edge.url, "--once")
    assert done.code != 0
    assert BOX not in done.err
    for path in readable_by_others(tmp_path / "run"):
        assert not holds_secret(path, [BOX]), path


def test_a_box_that_announces_shows_no_secret_in_its_process(make_edge, daemon, tmp_path):
    edge = make_edge(tenants=TENANTS)
    (tmp_path / "run").mkdir()
    process = daemon("losos-announce", "--appliance-id", "box", "--hostname", "box.losos.test",
                     "--token-file", edge.token_file("box"), "--run-dir", tmp_path / "run",
                     "--registrar-url", edge.url)
    process.wait_line("registered with")
    assert BOX.encode() not in process_text(process.pid) and BOX not in process.log()
    for path in readable_by_others(tmp_path / "run"):
        assert not holds_secret(path, [BOX]), path


def test_a_token_file_with_a_fault_is_named_but_not_quoted(tmp_path):
    marked = "marker-of-a-short-token"
    secret = write_text(tmp_path / "token", marked)
    flags = ["--appliance-id", "a", "--token-file", secret]
    for done in (
            run("losos-announce", *flags, "--hostname", "a.test", "--run-dir", tmp_path, "--once",
                "--registrar-url", "http://127.0.0.1:9"),
            run("lososd-pathd", "client-config", *flags, "--path-env", tmp_path / "none",
                "--registrar-url", "http://127.0.0.1:9", "--edge-rathole-endpoint", "127.0.0.1:9",
                "--output", tmp_path / "out"),
            run("losos-edge", "uplink", "set", "--id", "a", "--token-file", secret, "--registrar",
                "https://a.test", "--rathole", "a.test:1", "--edge-dir", tmp_path / "edge"),
            run("losos-registrar", "seed", "--rathole-config", tmp_path / "server.toml",
                "--bootstrap-token-file", secret)):
        assert done.code != 0
        assert str(secret) in done.err and marked not in done.err


def test_a_noise_key_with_a_fault_is_named_but_not_quoted(tmp_path):
    marked = "bWFya2VyLW9mLWEtc2hvcnQta2V5"
    secret = write_text(tmp_path / "noise.key", marked)
    for words in (["seed", "--rathole-config", tmp_path / "server.toml"], ["noise", "keygen"]):
        done = run("losos-registrar", *words, "--noise-private-key-file", secret)
        assert done.code != 0
        assert str(secret) in done.err and marked not in done.err
