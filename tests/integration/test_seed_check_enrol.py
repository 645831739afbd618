"""losos-registrar's smaller commands: seed, check, enrol list and enrol forget."""

import pytest
from losos_tools import mode_of, read_json, run, snapshot, token, until, write_json, write_text
from losos_tools.files import identity


def seed(edge, *more):
    return run("losos-registrar", "seed", "--rathole-config", edge.server_toml,
               "--bootstrap-token-file", edge.bootstrap, *more)


# --- seed ---


def test_seed_writes_a_head_and_an_empty_table_of_services(make_edge):
    edge = make_edge(start=False)
    done = seed(edge, "--rathole-bind-addr", "127.0.0.1", "--rathole-bind-port", 4444)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert edge.server_toml.read_text() == (
        f'[server]\nbind_addr = "127.0.0.1:4444"\ndefault_token = "{token("bootstrap")}"\n'
        "\n[server.services]\n")
    assert mode_of(edge.server_toml) == 0o600


def test_seed_leaves_an_existing_file_alone(make_edge):
    edge = make_edge(start=False)
    write_text(edge.server_toml, "mine", 0o640)
    before = identity(edge.server_toml)
    assert seed(edge).code == 0
    assert identity(edge.server_toml) == before


def test_a_registrar_that_follows_seed_does_not_touch_the_file(make_edge):
    edge = make_edge(start=False, noise=True)
    assert seed(edge, "--noise-private-key-file", edge.noise_key).code == 0
    before = identity(edge.server_toml)
    edge.start()
    assert identity(edge.server_toml) == before


def test_seed_without_a_file_to_write_is_wrong_usage():
    done = run("losos-registrar", "seed")
    assert done.code == 2
    assert "--rathole-config" in done.err


@pytest.mark.parametrize("flag", ["--bootstrap-token-file", "--noise-private-key-file"])
def test_seed_with_a_secret_that_is_not_there_is_6_and_writes_nothing(tmp_path, flag):
    done = run("losos-registrar", "seed", "--rathole-config", tmp_path / "server.toml",
               flag, tmp_path / "missing")
    assert done.code == 6
    assert str(tmp_path / "missing") in done.err
    assert list(tmp_path.iterdir()) == []


def test_seed_into_a_directory_that_is_not_there_names_the_file(tmp_path):
    done = run("losos-registrar", "seed", "--rathole-config", tmp_path / "no" / "server.toml")
    assert done.code == 6
    assert str(tmp_path / "no" / "server.toml") in done.err
    assert f"there is no directory {tmp_path / 'no'}; make it" in done.err


# --- check ---


def check(edge, **changes):
    return run("losos-registrar", "check", *edge.arguments(**changes))


def everything(edge):
    return snapshot(edge.etc, edge.state, edge.run_dir, edge.traefik, edge.rathole, edge.avahi)


def test_check_shows_what_serve_would_render_with_every_secret_masked(make_edge):
    edge = make_edge(noise=True, tenants={"acme": {"relay_zone": "acme.test"}, "box": {}})
    edge.register("box")
    edge.relay("acme", [("a", "a.acme.test")])
    until(lambda: len(edge.routers()) == 2, "both routers")
    edge.stop()
    rendered = edge.server_toml.read_text()
    for secret in (token("bootstrap"), token("box"), token("acme"),
                   edge.noise_key.read_text().strip()):
        assert secret in rendered
        rendered = rendered.replace(secret, "<secret>")
    done = check(edge)
    assert done.code == 0, done
    assert rendered in done.out
    assert edge.losos_yml.read_text() in done.out
    assert done.out.count("<secret>") == 4
    for secret in (token("bootstrap"), token("box"), edge.noise_key.read_text().strip()):
        assert secret not in done.out + done.err


def test_check_changes_nothing(make_edge):
    edge = make_edge(enrol=True, noise=True, tenants=["box", "gone"])
    for box in ("box", "gone", "stranger"):
        edge.register(box)
    edge.stop()
    edge.list_tenants(["box"])
    (edge.state / ".registry.json.1-0123456789ab.tmp").write_text("left over")
    write_text(edge.enrol_dir / "orphan.token", token("orphan"))
    before = everything(edge)
    done = check(edge)
    assert done.code == 0, done
    assert everything(edge) == before
    assert "losos_gone" not in done.out and "losos_stranger" in done.out


def test_check_of_an_edge_that_never_ran_makes_no_file(make_edge):
    edge = make_edge(enrol=True, start=False)
    before = everything(edge)
    done = check(edge)
    assert done.code == 0, done
    assert everything(edge) == before
    assert "absent: no tenant is live" in done.out


def test_check_does_not_disturb_a_registrar_that_runs(make_edge):
    edge = make_edge(tenants=["box"])
    edge.register("box")
    assert check(edge).code == 0
    assert edge.heartbeat("box").status == 204


def test_check_names_what_is_wrong_with_the_files_and_goes_on(make_edge):
    edge = make_edge(start=False, tenants=["good", "bad"])
    write_text(edge.token_file("bad"), "short")
    write_json(edge.registry_file, {"tenants": {"good": {"hostname": "good.losos.test",
                                                         "port": 1}}})
    done = check(edge)
    assert done.code == 0, done
    assert str(edge.token_file("bad")) in done.err
    assert "outside the range" in done.err


def test_check_names_each_directory_that_serve_needs_and_does_not_find(make_edge, tmp_path):
    edge = make_edge(start=False)
    assert "there is no directory" not in check(edge).err
    missing = {flag: tmp_path / f"no-{flag}" for flag in ("registry", "run-dir", "traefik-dir",
                                                          "rathole-config")}
    done = check(edge, registry=missing["registry"] / "registry.json", run_dir=missing["run-dir"],
                 traefik_dir=missing["traefik-dir"],
                 rathole_config=missing["rathole-config"] / "server.toml")
    assert done.code == 0, done
    for flag, path in missing.items():
        assert f"there is no directory {path}; --{flag} leads there" in done.err, done
        assert not path.exists()


def test_serve_without_its_state_directory_is_6_and_names_it(make_edge, tmp_path):
    edge = make_edge(start=False)
    done = edge.start_and_fail(registry=tmp_path / "no" / "registry.json")
    assert done.code == 6
    assert f"there is no directory {tmp_path / 'no'}; make it or name another file" in done.err


def test_check_reads_the_key_of_relay_passes_as_serve_would(make_edge, tmp_path):
    edge = make_edge(start=False)
    key = tmp_path / "relay-pass.key"
    flags = {"relay_pass_key_file": key, "relay_routes_file": tmp_path / "relay-routes.json"}
    assert str(key) not in check(edge, **flags).err
    assert not key.exists()
    write_text(key, "nonsense\n")
    done = check(edge, **flags)
    assert done.code == 0, done
    assert str(key) in done.err and "until then no pass is made or judged" in done.err


def test_two_tenants_of_one_hostname_are_a_fault(make_edge):
    same = {"hostname": "same.losos.test"}
    edge = make_edge(start=False, tenants={"a": same, "b": same, "own": {}},
                     public_host="own.losos.test")
    said = (f'"a" and "b" in {edge.tenants_file} have one hostname, same.losos.test',
            f'"own" in {edge.tenants_file} may not have own.losos.test, the --public-host')
    done = check(edge)
    assert done.code == 0 and all(words in done.err for words in said), done
    edge.start()
    for words in said:
        edge.wait_fault(words)
    edge.list_tenants(["a", "b"])
    until(lambda: edge.faults("hostname") == [], "no fault")


@pytest.mark.parametrize("spoil", ["tenants_file", "registry_file", "enrolled"])
def test_check_ends_with_6_where_serve_would(make_edge, spoil):
    edge = make_edge(start=False, enrol=True)
    edge.enrol_dir.mkdir(mode=0o700)
    path = edge.enrol_dir / "tenants.json" if spoil == "enrolled" else getattr(edge, spoil)
    write_text(path, "{")
    done = check(edge)
    assert done.code == 6
    assert str(path) in done.err and "byte 1" in done.err


# --- enrol ---


def enrolled(edge, *words):
    return run("losos-registrar", "enrol", *words, "--dir", edge.enrol_dir)


def test_enrol_list_prints_id_and_hostname_a_line(make_edge):
    edge = make_edge(enrol=True, tenants=["listed"])
    for box in ("listed", "zoe", "abe"):
        edge.register(box)
    done = enrolled(edge, "list")
    assert done.code == 0
    assert sorted(done.out.splitlines()) == ["abe abe.losos.test", "zoe zoe.losos.test"]


def test_enrol_list_of_nobody_is_empty(make_edge):
    edge = make_edge(start=False)
    edge.enrol_dir.mkdir()
    done = enrolled(edge, "list")
    assert (done.code, done.out) == (0, "")


@pytest.mark.parametrize("words", [["list"], ["forget", "box"]], ids=["list", "forget"])
def test_enrol_with_a_directory_that_is_not_there_is_6_and_says_which_one_is_meant(tmp_path, words):
    done = run("losos-registrar", "enrol", *words, "--dir", tmp_path / "no")
    assert (done.code, done.out) == (6, "")
    assert (f"there is no directory {tmp_path / 'no'}; --dir is the --enrol-dir of the registrar"
            in done.err)


def test_enrol_forget_takes_row_and_token_and_nothing_else(make_edge):
    edge = make_edge(enrol=True)
    for box in ("zoe", "abe"):
        edge.register(box)
    edge.stop()
    assert enrolled(edge, "forget", "zoe").code == 0
    assert set(read_json(edge.enrol_dir / "tenants.json")) == {"abe"}
    assert sorted(path.name for path in edge.enrol_dir.glob("*.token")) == ["abe.token"]
    edge.start()
    assert set(edge.rows()) == {"abe"}


def test_enrol_forget_of_somebody_unknown_is_1_and_says_where_to_look(make_edge):
    edge = make_edge(enrol=True)
    done = enrolled(edge, "forget", "nobody")
    assert done.code == 1
    assert "nobody" in done.err and "enrol list" in done.err


@pytest.mark.parametrize("words", [("forget",), ("forget", "NO_ID"), ("forget", "a", "b"), ("list", "a"),
                                   (), ("remove", "a")], ids=" ".join)
def test_enrol_with_the_wrong_words_is_wrong_usage(make_edge, words):
    assert enrolled(make_edge(start=False), *words).code == 2


def test_enrol_without_a_directory_is_wrong_usage():
    done = run("losos-registrar", "enrol", "list")
    assert done.code == 2
    assert "--dir" in done.err


def test_a_list_of_enrolled_boxes_that_does_not_parse_is_6_and_untouched(make_edge):
    edge = make_edge(start=False)
    edge.enrol_dir.mkdir()
    path = write_text(edge.enrol_dir / "tenants.json", "[")
    for words in (("list",), ("forget", "a")):
        done = enrolled(edge, *words)
        assert done.code == 6
        assert str(path) in done.err
    assert path.read_text() == "["
