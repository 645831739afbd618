"""What the registrar renders: byte for byte, in which order, and only when something changes."""

import time

from losos_tools import mode_of, read_json, relay_pass, run, token, until, write_json, write_text
from losos_tools.files import identity
from losos_tools.watch import Watch

HEAD = f"""\
[server]
bind_addr = "0.0.0.0:2333"
default_token = "{token('bootstrap')}"
"""

SERVER_TOML = f"""\
[server]
bind_addr = "127.0.0.1:7333"
default_token = "{token('bootstrap')}"

[server.transport]
type = "noise"

[server.transport.noise]
local_private_key = "PRIVATE KEY"

[server.services."acme.mattbox"]
token = "{token('acme')}"
bind_addr = "127.0.0.1:21001"

[server.services."box"]
token = "{token('box')}"
bind_addr = "127.0.0.1:21000"
"""

LOSOS_YML = """\
http:
  routers:
    losos_acme.mattbox:
      rule: "Host(`mattbox.acme.losos.test`)"
      entryPoints:
        - websecure
      service: losos_acme.mattbox
      tls:
        certResolver: "RELAYED"
        domains:
          - main: "MAIN"
    losos_box:
      rule: "Host(`box.losos.test`)"
      entryPoints:
        - websecure
      service: losos_box
      tls:
        certResolver: "DIRECT"
        domains:
          - main: "box.losos.test"
  services:
    losos_acme.mattbox:
      loadBalancer:
        servers:
          - url: "http://127.0.0.1:21001"
    losos_box:
      loadBalancer:
        servers:
          - url: "http://127.0.0.1:21000"
"""

TENANTS = {"acme": {"relay_zone": "acme.losos.test"}, "box": {}}
ROWS = {"tenants": {
    "box": {"hostname": "box.losos.test", "port": 21000},
    "acme.mattbox": {"hostname": "mattbox.acme.losos.test", "port": 21001, "via": "acme"}}}


def losos_yml(direct="le", relayed="le", main="mattbox.acme.losos.test"):
    return (LOSOS_YML.replace("DIRECT", direct).replace("RELAYED", relayed).replace("MAIN", main))


def filled_edge(make_edge, name="edge", rows=None, **options):
    edge = make_edge(name, start=False, tenants=TENANTS, port_range="21000-21010", **options)
    write_json(edge.registry_file, rows or ROWS)
    edge.start()
    return edge


def head_of(edge):
    return edge.server_toml.read_text().split("\n[server.services")[0]


# --- bytes ---


def test_server_toml_is_byte_for_byte_what_rathole_is_meant_to_read(make_edge):
    edge = filled_edge(make_edge, noise=True, rathole_bind_addr="127.0.0.1", rathole_bind_port=7333)
    key = edge.noise_key.read_text().strip()
    assert edge.server_toml.read_text() == SERVER_TOML.replace("PRIVATE KEY", key)


def test_losos_yml_is_byte_for_byte_what_traefik_is_meant_to_read(make_edge):
    edge = filled_edge(make_edge)
    assert edge.losos_yml.read_text() == losos_yml()


def test_the_certificate_resolver_may_have_another_name(make_edge):
    edge = filled_edge(make_edge, cert_resolver="my-ca")
    assert edge.losos_yml.read_text() == losos_yml("my-ca", "my-ca")


def test_a_wildcard_resolver_serves_relayed_boxes_with_one_certificate_a_zone(make_edge):
    edge = filled_edge(make_edge, wildcard_resolver="wild")
    assert edge.losos_yml.read_text() == losos_yml("le", "wild", "*.acme.losos.test")


def test_an_edge_of_a_lan_asks_no_acme_server_for_anything(make_edge):
    edge = filled_edge(make_edge, lan=True, wildcard_resolver="wild")
    text = edge.losos_yml.read_text()
    assert text.count("      tls: {}\n") == 2
    assert "certResolver" not in text and "domains" not in text


def test_an_ipv6_address_stands_in_brackets(make_edge):
    edge = make_edge(rathole_bind_addr="::", rathole_bind_port=4444)
    assert edge.server_toml.read_text().startswith('[server]\nbind_addr = "[::]:4444"\n')


def test_without_a_bootstrap_token_there_is_no_default_token(make_edge):
    edge = make_edge(bootstrap_token_file=None)
    assert edge.server_toml.read_text() == '[server]\nbind_addr = "0.0.0.0:2333"\n\n[server.services]\n'


def test_without_a_service_server_toml_is_what_seed_writes(make_edge):
    edge = make_edge(noise=True)
    seeded = edge.rathole / "seeded.toml"
    done = run("losos-registrar", "seed", "--rathole-config", seeded, "--bootstrap-token-file",
               edge.bootstrap, "--noise-private-key-file", edge.noise_key)
    assert done.code == 0, done
    assert edge.server_toml.read_bytes() == seeded.read_bytes()
    assert edge.server_toml.read_text().endswith("\n\n[server.services]\n")


def test_the_order_of_the_input_does_not_change_a_byte(make_edge):
    one = filled_edge(make_edge, "one")
    backwards = {"tenants": dict(reversed(ROWS["tenants"].items()))}
    two = filled_edge(make_edge, "two", rows=backwards)
    rows = read_json(two.tenants_file)
    write_json(two.tenants_file, dict(reversed(rows.items())))
    two.restart()
    for path in ("rathole/server.toml", "traefik/losos.yml", "run/live.json",
                 "state/registry.json"):
        assert (one.folder / path).read_bytes() == (two.folder / path).read_bytes()


def test_live_json_lists_direct_boxes_with_their_passes_and_nothing_else(make_edge):
    edge = filled_edge(make_edge)
    edge.heartbeat("box", relay_pass=relay_pass(480000))
    until(lambda: any("pass" in box for box in edge.live()), "the pass")
    assert read_json(edge.live_file) == {"boxes": [
        {"id": "box", "hostname": "box.losos.test", "port": 21000, "pass": relay_pass(480000)}]}


def test_an_edge_without_boxes_lists_none_and_has_no_traefik_file(make_edge):
    edge = make_edge(start=False)
    edge.losos_yml.write_text("left by an earlier run")
    edge.start()
    assert read_json(edge.live_file) == {"boxes": []}
    assert not edge.losos_yml.exists()


def test_every_rendered_file_has_the_mode_of_its_contract(make_edge):
    edge = filled_edge(make_edge, lan=True)
    for path, mode in ((edge.server_toml, 0o600), (edge.losos_yml, 0o644),
                       (edge.live_file, 0o600), (edge.status_file, 0o644),
                       (edge.metrics_file, 0o644), (edge.registry_file, 0o600),
                       (edge.advert, 0o644)):
        assert (path.name, oct(mode_of(path))) == (path.name, oct(mode))


def test_a_file_with_a_wrong_mode_is_put_right_at_the_start(make_edge):
    edge = filled_edge(make_edge)
    edge.stop()
    edge.server_toml.chmod(0o644)
    edge.registry_file.chmod(0o644)
    edge.start()
    assert mode_of(edge.server_toml) == 0o600
    assert mode_of(edge.registry_file) == 0o600


# --- a hub without tunnels ---


def test_without_a_rathole_file_the_edge_keeps_names_and_says_that_it_carries_nothing(make_edge):
    edge = make_edge(tenants=TENANTS, rathole_config=None)
    assert edge.register("box").status == 200
    assert edge.relay("acme", [("a", "a.acme.losos.test")]).status == 200
    assert set(edge.rows()) == {"box", "acme.a"}
    assert list(edge.rathole.iterdir()) == []
    assert edge.status()["tunnels"] == "none"
    edge.wait_fault("--rathole-config", "no traffic")


# --- order ---


def test_what_enters_is_in_the_registry_and_with_rathole_before_traefik_hears_of_it(make_edge):
    edge = make_edge(enrol=True)
    with Watch(edge.enrol_dir, edge.state, edge.rathole, edge.traefik) as watch:
        edge.register("box")
        watch.wait_for("losos.yml")
        assert watch.events() == ["box.token", "tenants.json", "registry.json", "server.toml",
                                  "losos.yml"]


def test_what_an_operator_lets_in_is_with_rathole_before_traefik_hears_of_it(make_edge):
    edge = make_edge(tenants=["box"])
    assert edge.register("box").status == 200
    write_text(edge.token_file("box"), "short")
    until(lambda: not edge.services(), "its tunnel to go")
    with Watch(edge.rathole, edge.traefik) as watch:
        write_text(edge.token_file("box"), token("box"))
        watch.wait_for("losos.yml")
        assert watch.events() == ["server.toml", "losos.yml"]


def test_what_leaves_goes_from_traefik_first_and_from_rathole_a_second_later(make_edge):
    edge = make_edge(tenants=["box", "stays"])
    edge.register("stays")
    edge.register("box")
    until(lambda: len(edge.routers()) == 2, "both routers")
    with Watch(edge.rathole, edge.traefik) as watch:
        assert edge.deregister("box").status == 204
        assert set(edge.services()) == {"box", "stays"}
        watch.wait_for("losos.yml")
        routed_at = time.monotonic()
        watch.wait_for("server.toml")
        assert 0.8 <= time.monotonic() - routed_at <= 2.5
        assert watch.events() == ["losos.yml", "server.toml"]
    assert set(edge.services()) == {"stays"}


def test_the_last_box_takes_traefiks_file_with_it(make_edge):
    edge = make_edge(tenants=["box"])
    edge.register("box")
    until(edge.routers, "the router")
    with Watch(edge.rathole, edge.traefik) as watch:
        edge.deregister("box")
        watch.wait_for("server.toml")
        assert watch.events() == ["-losos.yml", "server.toml"]
    assert not edge.losos_yml.exists()
    assert edge.server_toml.read_text() == HEAD + "\n[server.services]\n"


def test_a_box_that_comes_back_within_its_last_second_never_loses_its_service(make_edge):
    edge = make_edge(tenants=["box", "stays"])
    edge.register("stays")
    edge.register("box")
    until(lambda: len(edge.routers()) == 2, "both routers")
    with Watch(edge.rathole) as watch:
        edge.deregister("box")
        until(lambda: len(edge.routers()) == 1, "the router gone")
        edge.register("box")
        until(lambda: len(edge.routers()) == 2, "both routers again")
        left_at = time.monotonic()
        until(lambda: time.monotonic() > left_at + 1.3, "a second and more")
        assert watch.events() == []
    assert set(edge.services()) == {"box", "stays"}


def test_many_new_boxes_at_once_cost_traefik_few_changes_and_all_get_in(make_edge):
    names = [f"box{n}" for n in range(60)]
    edge = make_edge(tenants=names)
    for name in names:
        assert edge.register(name).status == 200
    until(lambda: len(edge.routers()) == 60, "sixty routers")
    edge.wait_live(*names)
    assert edge.metric("traefik_writes_total") < 40


# --- the head ---


def test_comings_and_goings_never_touch_the_head(make_edge):
    edge = make_edge(tenants=["a", "b"], noise=True)
    head = head_of(edge)
    for act in (edge.register, edge.deregister):
        for box in "ab":
            act(box)
            assert head_of(edge) == head
    until(lambda: not edge.services(), "no service")
    assert head_of(edge) == head
    edge.list_tenants(["c"])
    until(lambda: edge.register("c").status == 200, "the new tenant")
    assert head_of(edge) == head
    edge.restart()
    assert head_of(edge) == head


# --- nothing without need ---


def test_reconciles_rewrite_nothing_but_status_and_metrics(make_edge):
    edge = filled_edge(make_edge, enrol=True, reconcile_interval="50ms")
    edge.register("stranger")
    until(lambda: len(edge.routers()) == 3, "three routers")
    folders = (edge.state, edge.enrol_dir, edge.rathole, edge.traefik, edge.run_dir, edge.avahi,
               edge.etc)
    before = edge.metric("reconciles_total")
    with Watch(*folders) as watch:
        until(lambda: edge.metric("reconciles_total") >= before + 10, "ten reconciles more")
        assert set(watch.events()) == {"status.json", "metrics.prom"}


def test_a_registration_that_changes_nothing_writes_nothing(make_edge):
    edge = make_edge(tenants=["box"])
    edge.register("box")
    until(edge.routers, "the router")
    files = (edge.registry_file, edge.server_toml, edge.losos_yml, edge.live_file)
    before = [identity(path) for path in files]
    for _ in range(20):
        edge.register("box")
    assert [identity(path) for path in files] == before


def test_a_restart_without_a_change_rewrites_nothing(make_edge):
    edge = filled_edge(make_edge)
    files = (edge.registry_file, edge.server_toml, edge.losos_yml, edge.live_file)
    before = [identity(path) for path in files]
    edge.restart()
    assert [identity(path) for path in files] == before


def test_a_rendered_file_somebody_else_changed_is_put_right_by_the_next_reconcile(make_edge):
    edge = filled_edge(make_edge, reconcile_interval="50ms")
    good = edge.server_toml.read_bytes(), edge.losos_yml.read_bytes()
    write_text(edge.server_toml, "spoilt")
    edge.losos_yml.unlink()
    until(lambda: edge.losos_yml.exists()
          and (edge.server_toml.read_bytes(), edge.losos_yml.read_bytes()) == good,
          "both files as they were")


# --- status and metrics ---


def test_status_says_when_it_was_of_which_boot_and_who_is_there(make_edge):
    edge = filled_edge(make_edge, heartbeat_ttl="90s", reconcile_interval="50ms")
    status = edge.status()
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        assert status["boot_id"] == file.read().strip()
    assert status["heartbeat_ttl_ms"] == 90000
    age = time.monotonic() * 1000 - status["reconciled_monotonic_ms"]
    assert 0 <= age <= 5000
    until(lambda: edge.status()["reconciled_monotonic_ms"] > status["reconciled_monotonic_ms"],
          "status.json renewed")
    assert status["counts"]["listed"] == 2
    assert (status["counts"]["live_direct"], status["counts"]["live_relayed"]) == (1, 1)
    assert [row["id"] for row in status["tenants"]] == ["acme.mattbox", "box"]


def test_metrics_are_in_prometheus_text_format(make_edge):
    edge = filled_edge(make_edge)
    names = set()
    for line in edge.metrics_file.read_text().splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert kind in ("gauge", "counter") and name not in names
            names.add(name)
        elif not line.startswith("# HELP "):
            name, value = line.rsplit(" ", 1)
            assert name.split("{")[0] in names
            float(value)
    assert edge.metric('tenants{kind="listed"}') == 2
    assert edge.metric('live{kind="direct"}') == edge.metric('live{kind="relayed"}') == 1


def test_the_domain_an_edge_serves_is_shown_in_its_status(make_edge):
    edge = make_edge(public_domain="losos.test", public_host="hub.losos.test")
    assert edge.status()["public_domain"] == "losos.test"
