"""A secret of each kind is planted, every tool and route is driven, rightly and wrongly, and then
everything that others can see is searched for all of them."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import threading

import pytest
from losos_tools import (Gateway, Registrar, box, call, relay_pass, reply, run, token,
                         until, write_text)
from losos_tools.announcing import Box
from losos_tools.process import command
from losos_tools.sweep import found_in, names_and_contents, process_text

ZONE = "acme.losos.test"
PASS = relay_pass(480000, "7")


class World:
    """A hub, a gateway and a box, and all that any of their programs said."""

    def __init__(self, folder, make_edge):
        self.folder = folder
        self.said = []
        # The second log: this file counts as the first, and is the one that is opened.
        (folder / "hub").mkdir()
        journal = write_text(folder / "hub" / "losos-registrar-1.log", "")
        self.hub = make_edge("hub", tenants={"listed": {}, "acme": {"relay_zone": ZONE}},
                             noise=True, start=False)
        self.root_key, self.root_file = folder / "root.key", folder / "root.key.pub"
        self.identity_key = self.hub.state / "identity.key"
        self.identity_cert = self.hub.state / "identity.cert.json"
        self.certify_hub()
        status = os.stat(journal)
        self.hub.start(env={"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"})
        self.edge = make_edge("gateway", enrol=True, noise=True)
        self.gateway = Gateway(folder / "gateway", self.edge)
        self.box = Box(folder / "box")
        self.box_bootstrap = write_text(folder / "box" / "bootstrap", token("boxbootstrap") + "\n")
        self.uplink_bootstrap = write_text(folder / "gateway" / "uplinkbootstrap",
                                           token("uplinkbootstrap") + "\n")
        write_text(self.hub.bootstrap, token("hubbootstrap") + "\n")
        self.secrets = {
            "tenant token": token("listed"), "uplink token": token("acme"),
            "enrolled token": token("stranger"), "box token": token("box"),
            "bootstrap token": token("bootstrap"), "hub's bootstrap token": token("hubbootstrap"),
            "uplink bootstrap token": token("uplinkbootstrap"),
            "box's bootstrap token": token("boxbootstrap"), "wrong token": token("wrong"),
            "relay pass": PASS.rsplit(".", 1)[1],
            "hub's Noise key": self.hub.noise_key.read_text().strip(),
            "gateway's Noise key": self.edge.noise_key.read_text().strip(),
            "root's key": self.root_key.read_text().strip(),
            "hub's identity key": self.identity_key.read_text().strip(),
        }

    def certify_hub(self):
        """Makes the hub official, as an operator does."""
        self.identity("keygen", "--root", "--identity-key-file", self.root_key)
        public = self.identity("keygen", "--identity-key-file", self.identity_key).out.strip()
        certificate = self.identity(
            "sign", "--root-private-key-file", self.root_key, "--name", "LosOS", "--url",
            self.hub.url, "--public-key", public, "--days", "90").out
        self.identity("install", "--identity-key-file", self.identity_key, "--identity-cert-file",
                      self.identity_cert, given=certificate)
        self.hub.flags["identity_key_file"] = self.identity_key
        self.hub.flags["identity_cert_file"] = self.identity_cert

    def identity(self, *words, codes=(0,), **options):
        return self.ran(run("losos-registrar", "identity", *words, **options), *codes)

    def ran(self, done, *codes):
        if codes:
            assert done.code in codes, done
        self.said += [done.out, done.err, " ".join(done.argv)]
        return done

    def tell(self, edge, path, body, *statuses):
        answer = edge.post(path, body)
        if statuses:
            assert answer.status in statuses, answer
        self.said += [answer.text, str(answer.headers)]
        return answer

    def client_config(self, *more, output="client.toml"):
        return self.ran(run(
            "lososd-pathd", "client-config", "--appliance-id", "box", "--path-env",
            self.box.path_env, "--token-file", self.box.token_file, "--bootstrap-token-file",
            self.box_bootstrap, "--noise-public-key-file", self.box.folder / "configured.pub",
            "--pins-dir", self.box.folder / "pins", "--output", self.box.folder / "out" / output,
            *more))

    def assert_clean(self, *daemons):
        for daemon in daemons:
            self.said.append(daemon.log())
            assert found_in(process_text(daemon.pid), self.secrets) == []
        for text in self.said:
            assert found_in(text, self.secrets) == [], text
        for path, content in names_and_contents(self.folder):
            assert found_in(content, self.secrets) == [], path


@pytest.fixture
def world(tmp_path, make_edge):
    return World(tmp_path, make_edge)


def wrong_bodies(name, secret):
    """Bodies a caller may get wrong, with its secret in every place it does not belong in."""
    sound = {"appliance_id": name, "token": secret, "hostname": f"{name}.losos.test"}
    for field in ("appliance_id", "hostname", "relay_pass", "idle", "tenants", "domain",
                  "node_name", secret):
        yield {**sound, field: secret}
        yield {**sound, field: [secret]}
        yield {**sound, field: {secret: secret}}
    yield {**sound, "token": token("wrong")}
    yield {**sound, "token": secret + "x"}
    yield {**sound, "token": [secret]}
    yield {**sound, "token": secret[:31]}
    yield {**sound, "token": secret + "\0"}
    yield {**sound, "tenants": [{"id": secret, "hostname": 5}]}
    yield {**sound, "tenants": [{secret: secret, "id": "a", "hostname": None}]}
    raw = secret.encode()
    yield b'{"token": "%b"' % raw
    yield b'{"token": "%b\xff"}' % raw
    yield b'{"token": "%b", "token": "%b"}' % (raw, raw)
    yield b'{"%b": 1, "%b": 2}' % (raw, raw)
    yield b'{"token": %b}' % raw
    yield b'"%b"' % raw
    yield raw


PATHS = ["/register", "/heartbeat", "/relay", "/deregister", "/unregister", "/domains/list",
         "/domains/add", "/domains/remove", "/cluster/join", "/nothing", "/health"]


def test_no_route_says_a_secret_again_in_whatever_way_it_is_called(world):
    for edge, name in ((world.hub, "listed"), (world.edge, "stranger")):
        sound = {"appliance_id": name, "token": token(name), "relay_pass": PASS}
        world.tell(edge, "/register", {**sound, "hostname": f"{name}.losos.test"}, 200)
        world.tell(edge, "/heartbeat", sound, 204)
        for path in PATHS:
            for body in wrong_bodies(name, token(name)):
                if path == "/relay" or edge is world.hub or "register" not in path:
                    world.tell(edge, path, body)
        for path in (f"/{token(name)}", f"/health?{token(name)}", f"/identity?nonce={token(name)}"):
            for method in ("GET", "POST", "DELETE"):
                answer = call(edge.port, method, path)
                world.said += [answer.text, str(answer.headers)]
    world.tell(world.hub, "/relay", {"appliance_id": "acme", "token": token("acme"), "tenants": [
        {"id": "a", "hostname": f"a.{ZONE}", "pass": PASS}, {"id": "b", "hostname": PASS}]}, 200)
    write_text(world.hub.token_file("listed"), token("listed")[:20])
    world.hub.wait_fault('"listed"')
    write_text(world.hub.bootstrap, token("hubbootstrap")[:25])
    world.hub.wait_fault(str(world.hub.bootstrap))
    nonce = "00112233445566778899aabbccddeeff"
    for path, status in ((f"/identity?nonce={nonce}", 200), ("/identity/public-key", 200),
                         (f"/identity?nonce={nonce}x", 400)):
        answer = world.hub.get(path)
        assert answer.status == status
        world.said += [answer.text, str(answer.headers)]
    for file in (world.identity_cert, world.identity_key):
        write_text(file, 2 * world.secrets["hub's identity key"])
        world.hub.wait_fault(f"cannot use {file}")
    world.assert_clean(world.hub.daemon, world.edge.daemon)
    assert found_in(world.edge.server_toml.read_bytes(), world.secrets) != [], "nothing was planted"
    assert "<3>" in world.hub.log(), "the hub did not write as to a journal"


def ask_of_identities(world):
    """Every identity command once, and once with a private key where none belongs."""
    key = ("--identity-key-file", world.identity_key)
    world.identity("show", *key, "--identity-cert-file", world.identity_cert)
    world.identity("verify", "--root-key-file", world.root_file, world.hub.url)
    world.identity("keygen", *key)
    world.identity("show", *key, "--identity-cert-file", world.identity_key, codes=(6,))
    world.identity("verify", "--root-key-file", world.root_key, world.hub.url, codes=(1, 6))
    world.identity("install", *key, "--identity-cert-file", world.identity_cert, codes=(1,),
                   given=world.identity_key.read_text())


def test_no_command_of_an_edge_shows_a_secret(world, stand_in):
    hub, edge, gateway = world.hub, world.edge, world.gateway
    world.tell(edge, "/register", {"appliance_id": "stranger", "token": token("stranger"),
                                   "hostname": f"stranger.{ZONE}", "relay_pass": PASS}, 200)
    edge.wait_live("stranger")
    world.ran(gateway.set_uplink(hub.url, "--bootstrap-token-file", world.uplink_bootstrap), 0)
    world.ran(gateway.run_pass(), 0)
    assert gateway.services() is not None
    for words in (("status",), ("boxes",), ("uplink", "show"), ("forget", "nobody")):
        for more in ((), ("--json",)):
            world.ran(gateway.edge(*words, *more))
    for each in (hub, edge):
        world.ran(run("losos-registrar", "check", *each.arguments()), 0)
    world.ran(run("losos-registrar", "enrol", "list", "--dir", edge.enrol_dir), 0)
    world.ran(run("losos-registrar", "noise", "keygen", "--noise-private-key-file",
                  edge.noise_key), 0)
    world.ran(run("losos-registrar", "seed", "--rathole-config", edge.folder / "etc" / "seeded",
                  "--bootstrap-token-file", edge.bootstrap, "--noise-private-key-file",
                  edge.noise_key), 0)
    ask_of_identities(world)
    config = write_text(edge.folder / "flags.toml", f'nonsense = "{token("stranger")}"\n')
    for tool, words in (("losos-registrar", ["serve"]), ("losos-edge", ["status"]),
                        ("losos-uplink", []), ("losos-announce", []),
                        ("lososd-pathd", ["client-config"])):
        world.ran(run(tool, *words, "--config", config, config=False), 2)
    hub.stop()
    world.ran(gateway.run_pass(), 4)
    world.ran(gateway.edge("uplink", "clear"), 0)
    world.ran(gateway.edge("forget", "stranger"), 0)
    world.said.append(hub.log())
    world.assert_clean(edge.daemon)


def answers_that_repeat(status):
    """Of a stand-in that says everything it heard, in each part of an answer."""
    def answer(request):
        said = request.json()
        body = {"accepted": [], "rathole_port": said["token"],
                "routes": [{"id": "stranger", "domain": f"{said['token']}.test"}],
                "refused": [{"id": "stranger", "reason": f"{said['token']} {said}"},
                            {"id": said["token"], "reason": "it is not here"}]}
        return reply(status, body, X_Said=said["token"], Location=f"http://{said['token']}/")

    def raw(request):
        return b"HTTP/1.1 %d %b\r\nContent-Length: 0\r\n\r\n" % (status, request.body)
    return [answer, lambda request: reply(status, request.body), raw,
            lambda request: reply(status, b"x" * 190 + request.body)]


@pytest.mark.parametrize("status", [200, 204, 302, 400, 401, 403, 404, 409, 500, 503])
def test_no_answer_of_another_machine_gets_a_secret_shown(tmp_path, stand_in, status):
    """What stands on the other side knows the token, and may say it again in every way."""
    secrets = {"uplink token": token("acme"), "box token": token("box"),
               "uplink bootstrap token": token("uplinkbootstrap"),
               "relay pass": PASS.rsplit(".", 1)[1]}
    said = []
    for number, answer in enumerate(answers_that_repeat(status)):
        other = stand_in({"/health": reply(200, "ok"), "/relay": answer, "/register": answer,
                          "/heartbeat": answer, "/deregister": answer})
        gateway = Gateway(tmp_path / f"gateway{number}")
        bootstrap = write_text(gateway.folder / "bootstrap", token("uplinkbootstrap") + "\n")
        gateway.set_uplink(other.url, "--bootstrap-token-file", bootstrap)
        gateway.write_live([box("stranger", **{"pass": PASS})])
        announcing = Box(tmp_path / f"box{number}")
        write_text(announcing.pass_file, PASS + "\n")
        for done in (gateway.run_pass(), gateway.edge("status"), gateway.edge("status", "--json"),
                     gateway.edge("uplink", "show"), gateway.edge("uplink", "clear"),
                     announcing.once("--registrar-url", other.url, "--relay-pass-file",
                                     announcing.pass_file)):
            said += [done.out, done.err, " ".join(done.argv)]
    for text in said:
        assert found_in(text, secrets) == [], text
    for path, content in names_and_contents(tmp_path):
        assert found_in(content, secrets) == [], path


def test_a_box_shows_no_secret(world, stand_in):
    write_text(world.box.pass_file, PASS + "\n")
    announcing = world.box.start("--relay-pass-file", world.box.pass_file, url=world.edge.url)
    try:
        announcing.wait_line("registered with")
        until(lambda: world.edge.live_pass("box") == PASS, "the pass at the gateway")
        endpoint = ("--edge-rathole-endpoint", "edge.test:2333")
        world.client_config("--registrar-url", world.edge.url, *endpoint)
        world.client_config("--registrar-url", "http://127.0.0.1:9", *endpoint)
        write_text(world.box.folder / "configured.pub", token("box"))
        world.client_config("--registrar-url", world.edge.url, *endpoint)
        write_text(world.box_bootstrap, token("boxbootstrap")[:25])
        world.client_config("--registrar-url", world.edge.url, *endpoint)
        write_text(world.box.path_env, f"LOSOS_EDGE_PATH_URL={token('box')}\n")
        world.client_config(*endpoint)
        world.assert_clean(world.edge.daemon, announcing)
        os.remove(world.box.path_env)
        write_text(world.box.token_file, token("box")[:25])
        world.ran(world.box.once("--registrar-url", world.edge.url))
        world.said.append(announcing.log())
    finally:
        world.box.close()
    for text in world.said:
        assert found_in(text, world.secrets) == [], text


@pytest.mark.parametrize("pasted", [2 * token("pasted"), "a+/" + token("pasted") + "="],
                         ids=["hex", "base64"])
def test_a_token_in_place_of_its_file_s_name_is_never_said_again(tmp_path, make_edge, pasted):
    edge = make_edge(tenants={"good": {}, "pasted": {"token_file": pasted}})
    edge.wait_fault('"pasted" is refused', "looks like a token")
    gateway = Gateway(tmp_path / "gateway")
    announcing = Box(tmp_path / "box")
    announcing.token_file = pasted
    ran = [gateway.edge("uplink", "set", "--registrar", edge.url, "--rathole", "127.0.0.1:2333",
                        "--id", "good", "--token-file", pasted),
           announcing.once("--registrar-url", edge.url),
           run("lososd-pathd", "serve", "--token-file", pasted),
           run("losos-registrar", "seed", "--rathole-config", tmp_path / "seeded",
               "--bootstrap-token-file", pasted)]
    for done in ran:
        assert done.code in (1, 6), done
        assert "looks like a token" in done.err, done
        assert found_in(done.err + done.out, {"token": pasted}) == [], done
    for path, content in names_and_contents(tmp_path):
        if path != edge.tenants_file:
            assert found_in(content, {"token": pasted}) == [], path


NOBODY = 65534
AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


@pytest.fixture
def open_folder():
    """A folder that every account may enter, as pytest's own are not."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield pathlib.Path(folder)


def program(tool, folder):
    """A copy of a tool where every account can run it."""
    return shutil.copy(command(tool, [])[0], folder)


def owner_of(process):
    return os.stat(f"/proc/{process.pid}/environ").st_uid


def held_up(tool, folder, url):
    """The arguments with which a tool asks `url` for something, and holds its secrets meanwhile."""
    gateway = Gateway(folder / "gateway")
    gateway.set_uplink(url)
    gateway.write_live([box("stranger", **{"pass": PASS})])
    announcing = Box(folder / "box")
    write_text(announcing.pass_file, PASS + "\n")
    return {
        "losos-uplink": gateway.pass_flags(),
        "losos-edge": ["uplink", "clear", *gateway.edge_flags()],
        "losos-announce": announcing.arguments("--once", "--registrar-url", url),
        "lososd-pathd": ["client-config", "--appliance-id", "box", "--path-env",
                         announcing.path_env, "--token-file", announcing.token_file,
                         "--bootstrap-token-file", announcing.token_file,
                         "--noise-public-key-file", folder / "pin", "--pins-dir", folder / "pins",
                         "--output", folder / "client.toml", "--registrar-url", url,
                         "--edge-rathole-endpoint", "edge.test:2333"],
    }[tool]


@pytest.mark.root
@pytest.mark.parametrize("tool", ["losos-uplink", "losos-edge", "losos-announce", "lososd-pathd"])
def test_a_tool_at_work_shows_its_secrets_to_nobody(open_folder, stand_in, tool):
    looked_at = threading.Event()

    def slow(_):
        looked_at.wait(20)
        return reply(500)

    other = stand_in({path: slow for path in ("/health", "/relay", "/register",
                                              "/noise-public-key")})
    argv = [program(tool, open_folder), *map(str, held_up(tool, open_folder, other.url)), "--config="]
    for path in (open_folder, *open_folder.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    secrets = {"uplink token": token("acme"), "box token": token("box"), "relay pass": PASS}
    # What the sanitizers are told names files that this account may not read.
    process = subprocess.Popen([*AS_NOBODY, *argv], stderr=subprocess.PIPE, env={
        "PATH": os.environ["PATH"], "ASAN_OPTIONS": "detect_leaks=0"})
    try:
        until(lambda: other.requests, "the tool to ask")
        assert owner_of(process) == 0
        assert found_in(process_text(process.pid), secrets) == []
    finally:
        looked_at.set()
        _, said = process.communicate(timeout=30)
    assert found_in(said, secrets) == []


@pytest.mark.root
def test_no_other_program_of_the_same_user_can_look_into_a_tool(tmp_path, open_folder):
    """Where a process may not be dumped, the kernel gives its folder in /proc to root."""
    edge = Registrar(tmp_path)
    home = open_folder / "edge"
    home.mkdir()
    tenants = shutil.copy(edge.tenants_file, home)
    for path in (home, tenants):
        os.chown(path, NOBODY, NOBODY)
    argv = [program("losos-registrar", open_folder), "serve", "--config=", "--listen",
            f"127.0.0.1:{edge.port}", "--tenants-file", tenants, "--registry",
            f"{home}/registry.json", "--run-dir", home, "--traefik-dir", home]
    control = subprocess.Popen([*AS_NOBODY, "sleep", "60"])
    process = subprocess.Popen([*AS_NOBODY, *argv], cwd=home, env={"PATH": os.environ["PATH"]})
    try:
        until(lambda: os.path.exists(f"{home}/status.json"), "the registrar's status")
        until(lambda: owner_of(control) == NOBODY, "a process that may be dumped")
        assert owner_of(process) == 0
    finally:
        for each in (control, process):
            each.kill()
            each.wait()
        edge.close()
