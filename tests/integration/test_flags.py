"""Command lines and flag files of all five tools: what is taken, what is wrong usage."""

import re
import subprocess

import pytest
from losos_tools import mode_of, run, write_text
from losos_tools.command_lines import COMMANDS, DEFAULTS
from losos_tools.process import command, environment

TOOLS = sorted({words[0] for words in COMMANDS})
COMMON = {"config", "help", "version"}
EACH_COMMAND = pytest.mark.parametrize("words", COMMANDS, ids=" ".join)


def help_of(words):
    done = run(*words, "--help", config=False)
    assert (done.code, done.err) == (0, "")
    return done.out


@EACH_COMMAND
def test_help_names_exactly_the_flags_there_are(words):
    text = help_of(words)
    assert set(re.findall(r"^  --([a-z0-9-]+)", text, re.MULTILINE)) == COMMANDS[words] | COMMON
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("words", DEFAULTS, ids=" ".join)
def test_help_shows_the_default_of_each_flag_that_has_one(words):
    text = " ".join(help_of(words).split())
    for flag, default in DEFAULTS[words].items():
        assert re.search(rf"--{flag} [^-].*?\(default: ?{re.escape(default)}\)", text), flag


@pytest.mark.parametrize("tool", TOOLS)
def test_help_of_a_tool_names_its_commands(tool):
    text = help_of((tool,))
    for words in COMMANDS:
        if words[0] == tool and len(words) > 1:
            assert " ".join(words[1:]) in text


@EACH_COMMAND
def test_version_is_the_tools_name_and_a_number_also_where_flags_are_missing(words):
    done = run(*words, "--version", config=False)
    assert (done.code, done.err) == (0, "")
    assert re.fullmatch(rf"{words[0]} \d+\.\d+\.\d+\n", done.out)


@EACH_COMMAND
@pytest.mark.parametrize("wrong, said", [
    (["--no-such-flag"], "--no-such-flag"), (["--config"], "--config"), (["-x"], "-x"),
    (["--config=", "--config="], "--config"), (["--help=yes"], "--help"),
], ids=str)
def test_a_wrong_flag_is_exit_2_and_one_sentence(words, wrong, said):
    done = run(*words, *wrong, config=False)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert done.err.startswith(f"{words[0]}: ") and done.err.count("\n") == 1


@pytest.mark.parametrize("tool", TOOLS)
def test_nothing_at_all_or_a_word_too_many_is_exit_2(tool, tmp_path):
    assert run(tool, "no-such-word").code == 2
    if tool != "losos-uplink":
        done = run(tool)
        assert done.code == 2
        assert done.err.count("\n") == 1


# --- values ---


def check(*flags, config=True):
    """A check without any file of this machine."""
    return run("losos-registrar", "check", "--registry", "/nonexistent/registry.json", "--run-dir",
               "/nonexistent", *flags, config=config)


@pytest.mark.parametrize("duration", ["1ms", "250ms", "15s", "2m", "1h", "15", "08s"])
def test_a_duration_is_a_number_and_a_unit_or_seconds(duration):
    assert check("--heartbeat-ttl", duration).code == 0


@pytest.mark.parametrize("duration", [
    "", "0", "0ms", "0s", "-1s", "+1s", "1.5s", "1 s", " 1s", "1s ", "s", "1d", "1S", "1sec", "1s5",
    "0x10", "ten", "99999999999999999999", "9223372036854775807h", "9223372036854775807",
    "18446744073709551617s"])
@pytest.mark.parametrize("flag", ["--heartbeat-ttl", "--reconcile-interval", "--port-rest"])
def test_what_is_no_duration_above_zero_is_wrong_usage(flag, duration):
    done = check(flag, duration)
    assert done.code == 2
    assert flag in done.err


WRONG_VALUES = {
    "listen": ["8443", "localhost:8443", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:65536", "::1:8443",
               "127.0.0.1:+1", "127.0.0.1:08443"],
    "port-range": ["", "20000", "20000-", "29999-20000", "0-10", "20000-65536", "a-b", "1-2-3"],
    "rathole-bind-port": ["0", "65536", "-1", "x", "2333 "],
    "rathole-bind-addr": ["", "localhost", "0.0.0.0:1", "[::]", "1.2.3"],
    "enrol-max": ["0", "-1", "many", "1.5", ""],
    "public-host": ["", "no name", "a..b", "http://a.test"],
    "reserved-host": ["", "no name"],
    "public-domain": ["", "no name"],
    "cert-resolver": ["", "two words", 'a"b', "a\nb"],
    "wildcard-resolver": ["", "two words"],
    "tenants-file": [""], "registry": [""], "run-dir": [""], "traefik-dir": [""],
    "rathole-config": [""], "enrol-dir": [""], "identity-key-file": [""],
    "identity-cert-file": [""], "mesh-agent-token-file": [""], "kube-token-file": [""],
    "kube-ca-file": [""], "compute-windows-file": [""], "mesh-server-addr": ["", "a b", "a\nb"],
    "kube-api": ["", "mesh.test:6443", "http://mesh.test:6443", "https://mesh.test/api"],
}


@pytest.mark.parametrize("flag, value", [(flag, value) for flag, values in WRONG_VALUES.items()
                                         for value in values], ids=ascii)
def test_a_value_of_the_wrong_shape_is_wrong_usage_and_named(flag, value):
    done = run("losos-registrar", "check", f"--{flag}", value)
    assert done.code == 2
    assert f"--{flag}" in done.err and done.err.count("\n") == 1


@pytest.mark.parametrize("words, flag, value", [
    (["losos-uplink"], "timeout", "0"), (["losos-uplink"], "timeout", "11m"),
    (["losos-announce", "--hostname", "a.test"], "appliance-id", "A"),
    (["losos-announce", "--appliance-id", "a"], "hostname", "no name"),
    (["losos-announce", "--appliance-id", "a", "--hostname", "a.test"], "idle", "maybe"),
    (["losos-announce", "--appliance-id", "a", "--hostname", "a.test"], "heartbeat-interval", "0s"),
    (["losos-announce", "--appliance-id", "a", "--hostname", "a.test"], "registrar-url", "a.test"),
    (["lososd-pathd", "client-config", "--appliance-id", "a"], "edge-rathole-endpoint", "a.test"),
    (["losos-edge", "doctor"], "machine", "fridge"), (["losos-edge", "doctor"], "https-port", "0"),
    (["losos-edge", "doctor"], "timeout", "11m"),
    (["lososd-pathd", "client-config", "--appliance-id", "a"], "registrar-url", "ftp://a"),
    *((["lososd-pathd", "serve"], flag, value) for flag, value in [
        ("listen", "0.0.0.0:8082"), ("listen", "192.168.1.2:8082"), ("listen", "[::]:8082"),
        ("listen", "localhost:8082"), ("probe-interval", "0"), ("probe-interval", "99ms"),
        ("probe-interval", "11m"), ("appliance-id", "A"), ("registrar-url", "http://a.test/x"),
        ("edge-rathole-endpoint", "a.test"), ("run-dir", ""), ("root-key-file", ""),
        ("pins-dir", "/a b"), ("pins-dir", "/a'b"), ("noise-public-key-file", "/a$b"),
        ("noise-public-key-file", "/a#b")]),
    (["lososd-pathd", "gate", "sharing"], "run-dir", ""),
], ids=str)
def test_the_other_tools_judge_their_values_as_well(words, flag, value):
    done = run(*words, f"--{flag}", value)
    assert done.code == 2
    assert f"--{flag}" in done.err


@pytest.mark.parametrize("words, missing", [
    (["losos-announce", "--hostname", "a.test"], "--appliance-id"),
    (["losos-announce", "--appliance-id", "a"], "--hostname"),
    (["lososd-pathd", "client-config"], "--appliance-id"),
    (["losos-registrar", "noise", "keygen"], "--noise-private-key-file"),
    (["losos-registrar", "enrol", "list"], "--dir"),
], ids=str)
def test_a_flag_that_must_be_given_is_missed_by_name(words, missing):
    done = run(*words)
    assert done.code == 2
    assert f"{missing} is missing" in done.err


def test_a_flag_given_twice_is_wrong_usage_unless_it_may_be_repeated():
    done = check("--heartbeat-ttl", "1s", "--heartbeat-ttl", "2s")
    assert done.code == 2
    assert "--heartbeat-ttl" in done.err
    assert check("--reserved-host", "a.test", "--reserved-host", "b.test").code == 0


def test_a_switch_takes_no_value():
    done = check("--lan-advertise=yes")
    assert done.code == 2
    assert "--lan-advertise" in done.err


# --- the file of flags ---


def server_head(path, *flags):
    """The bind address that check would render with a file of flags."""
    done = check("--config", path, *flags, config=False)
    assert done.code == 0, done
    return re.search(r'^bind_addr = "(.*)"$', done.out, re.MULTILINE)[1]


@pytest.fixture
def flag_file(tmp_path):
    return lambda text: write_text(tmp_path / "flags.toml", text)


def test_a_key_is_the_flags_name_and_the_command_line_wins(flag_file):
    path = flag_file('# of this edge\nrathole-config = "/nonexistent/server.toml"\n'
                     "rathole-bind-port = 4444 # a number\n'rathole-bind-addr' = '127.0.0.1'\n")
    assert server_head(path) == "127.0.0.1:4444"
    assert server_head(path, "--rathole-bind-port", "5555") == "127.0.0.1:5555"
    assert server_head(path, "--rathole-bind-addr", "::") == "[::]:4444"


def test_a_value_of_the_file_is_judged_like_one_of_the_command_line(flag_file):
    path = flag_file('\nheartbeat-ttl = "soon"\n')
    done = check("--config", path, config=False)
    assert done.code == 2
    assert f"{path}: heartbeat-ttl" in done.err
    assert check("--config", path, "--heartbeat-ttl", "1s", config=False).code == 0


def test_a_required_flag_may_come_from_the_file(flag_file, tmp_path):
    path = flag_file(f'noise-private-key-file = "{tmp_path}/key"\n')
    assert run("losos-registrar", "noise", "keygen", "--config", path, config=False).code == 0
    assert mode_of(tmp_path / "key") == 0o600


def test_a_switch_is_true_or_false_and_a_repeatable_flag_a_list(flag_file, tmp_path):
    path = flag_file(f'lan-advertise = true\nenrol-dir = "{tmp_path}/enrolled"\n'
                     'reserved-host = ["a.test", "b.test"] # two\n')
    done = check("--config", path, config=False)
    assert done.code == 2 and "--listen 127.0.0.1:8443" in done.err
    assert check("--config", path, "--listen", "0.0.0.0:8443", config=False).code == 0
    path = flag_file("lan-advertise = false\n")
    assert check("--config", path, config=False).code == 0
    for value in ('"yes"', "1", "[true, false]"):
        assert check("--config", flag_file(f"lan-advertise = {value}\n"), config=False).code == 2


def test_reserved_names_of_the_file_are_reserved(make_edge, flag_file):
    edge = make_edge(enrol=True, start=False)
    path = flag_file('reserved-host = ["a.test", "B.test"]\n')
    edge.flags["config"] = path
    edge.start(config=False)
    assert [edge.register("x", name).status for name in ("a.test", "b.test", "c.test")] \
        == [409, 409, 200]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_key_no_command_of_the_tool_has_is_wrong_usage_and_named(tool, flag_file):
    words = {"losos-registrar": ["check"], "losos-edge": ["status"],
             "lososd-pathd": ["client-config"]}.get(tool, [])
    path = flag_file('\n\nno-such-key = "x"\n')
    done = run(tool, *words, "--config", path, config=False)
    assert done.code == 2
    assert str(path) in done.err and '"no-such-key"' in done.err


def test_a_key_another_command_has_is_ignored(flag_file, tmp_path):
    path = flag_file('dir = 7\nheartbeat-ttl = "nonsense"\n')
    done = run("losos-registrar", "enrol", "list", "--dir", tmp_path, "--config", path,
               config=False)
    assert (done.code, done.out) == (0, "")
    path = flag_file('id = "NOT AN ID"\ninsecure = true\n')
    assert run("losos-edge", "boxes", "--state-dir", path.parent, "--config", path,
               config=False).code == 0


@pytest.mark.parametrize("text", [
    "[table]\n", "a.b = 1\n", "listen\n", "\nlisten = \n", "listen = 1.5\n", 'listen = "x\n',
    "listen = 'x\n", 'listen = "a" "b"\n', "= 1\n", 'port-rest = "1s"\nport-rest = "2s"\n',
    "traefik-dir = '/a\n", 'reserved-host = ["a.b", "c#d"]\n',
    'listen = "\\q"\n', "listen = \x01\n", "config = 'x'\n", "help = true\n",
], ids=ascii)
def test_a_file_that_is_not_flag_and_value_is_wrong_usage_and_named(flag_file, text):
    path = flag_file(text)
    done = check("--config", path, config=False)
    assert done.code == 2
    assert str(path) in done.err and done.err.count("\n") == 1


def test_a_line_without_an_equals_sign_is_never_taken_for_a_switch(flag_file, tmp_path):
    path = flag_file("# of this edge\nrathole-config\n")
    done = run("losos-registrar", "seed", "--config", path, config=False, cwd=tmp_path)
    assert done.code == 2
    assert f"{path}: line 2 is not flag = value" in done.err
    assert not (tmp_path / "true").exists()


def test_a_number_sign_in_a_text_is_refused_or_belongs_to_it(flag_file):
    # CLI11 takes it for a comment up to 2.3, and the pages say that a text holds none.
    path = flag_file('tenants-file = "/nonexistent/a#b"\n')
    done = check("--config", path, config=False)
    refused = done.code == 2 and str(path) in done.err
    assert refused or (done.code == 6 and "/nonexistent/a#b" in done.err), done


def test_a_named_file_that_is_not_there_is_wrong_usage_and_none_is_fine(tmp_path):
    done = check("--config", tmp_path / "missing.toml", config=False)
    assert done.code == 2
    assert str(tmp_path / "missing.toml") in done.err
    for none in (["--config", ""], ["--config="]):
        assert check(*none, config=False).code == 0


def test_every_tool_reads_its_flags_from_a_file(flag_file, tmp_path):
    path = flag_file(f'uplink-file = "{tmp_path}/uplink.json"\n'
                     f'uplink-rathole-config = "{tmp_path}/uplink.toml"\n'
                     f'hub-routes-file = "{tmp_path}/routes"\nstatus-file = "{tmp_path}/status"\n'
                     f'hub-noise-file = "{tmp_path}/pin"\n')
    assert run("losos-uplink", "--config", path, config=False).code == 0
    path = flag_file(f'appliance-id = "a"\nhostname = "a.test"\nrun-dir = "{tmp_path}/run"\n'
                     'once = true\n')
    done = run("losos-announce", "--config", path, config=False)
    assert done.code == 6 and f"{tmp_path}/run/edge-path.env" in done.err
    path = flag_file(f'appliance-id = "a"\npath-env = "{tmp_path}/env"\noutput = "{tmp_path}/out"\n')
    done = run("lososd-pathd", "client-config", "--config", path, config=False)
    assert done.code == 6 and f"{tmp_path}/env" in done.err
    path = flag_file(f'json = true\nstate-dir = "{tmp_path}"\n')
    assert run("losos-edge", "boxes", "--config", path, config=False).out.startswith("{")


@pytest.mark.root
def test_without_a_name_the_file_is_the_tools_own_in_etc_losos(tmp_path):
    path = write_text(tmp_path / "flags", "rathole-config = '/nonexistent/server.toml'\n"
                      "rathole-bind-port = 4444\nregistry = '/nonexistent/registry.json'\n")
    script = ('mount -t tmpfs none /etc && mkdir /etc/losos && '
              'cp "$1" /etc/losos/losos-registrar.toml && shift && "$@"')
    for config, port in ((False, "4444"), (True, None)):
        argv = command("losos-registrar", ["check"], config)
        done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", str(path), *argv],
                              capture_output=True, text=True, env=environment(), check=False)
        found = re.search(r'bind_addr = "0\.0\.0\.0:(\d+)"', done.stdout)
        assert (found[1] if found else None) == port, done


def test_a_secret_is_never_taken_as_a_value_on_the_command_line():
    for words in COMMANDS:
        for flag in COMMANDS[words]:
            assert not re.search(r"(token|(?<!public-)key|secret|password)$", flag), (words, flag)
