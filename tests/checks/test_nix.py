"""The flake parses, is tidy, and has the outputs and options that its users ask for.

Nothing here builds a package or boots a system. The library part of nixpkgs lies beside the checkout.
"""

import re

import nix_rules
import nixos_modules

# What has no default: nobody else can know it.
REQUIRED = {
    "losos.edge.tenants.<name>.hostname", "losos.edge.tenants.<name>.tokenFile",
    "losos.proxy.hostname", "losos.proxy.applianceId",
}
# The names that users know; further ones may stand beside them.
KNOWN = {
    "losos.edge": "enable publicDomain acmeEmail tenants registrarApiBind registrarApiPort ratholeBindAddr"
                  " ratholeBindPort ratholePortRange heartbeatTtl reconcileInterval bootstrapTokenFile"
                  " noisePrivateKeyFile gateway.enable",
    "losos.edge.tenants.<name>": "hostname tokenFile relayZone cluster market",
    "losos.edge.lan": "advertise openEnrolment",
    "losos.edge.uplink": "enable registrarUrl ratholeEndpoint id tokenFile bootstrapTokenFile"
                         " noisePublicKeyFile configFile interval",
    "losos.edge.dns": "enable zone nameservers hostmaster ipv4 ipv6 checkUrl relayRoutes.enable",
    "losos.edge.identity": "keyFile certFile",
    "losos.edge.cluster": "enable agentTokenFile serverAddr kubeApi kubeTokenFile kubeCaFile"
                          " computeWindowsFile",
    "losos.proxy": "enable registrarUrl edgeRatholeEndpoint hostname applianceId tokenFile"
                   " bootstrapTokenFile noisePublicKeyFile heartbeatInterval",
}


# --- the sources ---


def test_every_file_parses(root):
    files = nix_rules.nix_files(root)
    assert len(files) > 15
    assert nix_rules.parse_faults(files) == []


def test_a_file_that_does_not_parse_is_found(tree):
    bad = tree({"a.nix": "{ a = 1; }\n", "b.nix": "{ a = ; }\n"})
    assert nix_rules.parse_faults([bad / "a.nix", bad / "b.nix"]) != []


def test_every_file_is_tidy(root):
    found = [line for path in nix_rules.nix_files(root) for rule in (nix_rules.untidy, nix_rules.crooked)
             for line in rule(path.name, path.read_text(encoding="utf-8"))]
    assert found == []


def test_an_untidy_file_is_found():
    text = "{\n\ta = 1; \n\n\n" + "x" * 121 + "\n}"
    assert [line.split(" ", 1)[0] for line in nix_rules.untidy("a", text)] == [
        "a", "a:2", "a:2", "a:4", "a:5"]


def test_a_crooked_file_is_found():
    text = "{\n  a = [\n    # ]\n    ''\n      } ${b { }}\n    ''\n  ];\n  c = {\n    };\n}\n"
    assert nix_rules.crooked("a", text) == ["a:9 closes } deeper or less deep than line 8 opens it"]


# --- the flake ---


def test_the_flake_has_the_outputs_that_users_ask_for(evaluated):
    flake = evaluated["flake"]
    assert set(flake["outputs"]) >= {"packages", "apps", "nixosModules", "nixosConfigurations", "checks"}
    assert set(flake["packages"]["x86_64-linux"]) == {"default", "losos-disk-edge-qcow2"}
    assert flake["packages"]["aarch64-linux"] == ["default"]
    assert flake["apps"]["x86_64-linux"] == ["losos-disk-edge-qcow2-run"]
    assert flake["modules"] == ["box", "edge", "edge-gateway"]
    assert set(flake["checks"]["x86_64-linux"]) == {"package", "edge-federation", "edge-lan", "edge-dns"}


def test_the_package_is_of_this_version_and_of_every_library_that_meson_asks_for(root, evaluated):
    package = evaluated["package"]
    meson = (root / "meson.build").read_text(encoding="utf-8")
    assert f"version: '{package['version']}'" in meson
    asked = set(re.findall(r"dependency\('([\w-]+)'", meson))
    asked |= set(re.findall(r"dependency\('([\w-]+)'", (root / "tests" / "meson.build").read_text()))
    named = {"CLI11": "cli11", "libsystemd": "systemd", "catch2": "catch2_3"}
    unpackaged = {"threads", "cpp-httplib"}
    assert {named.get(name, name) for name in asked - unpackaged} <= set(package["inputs"])
    assert "cpp-httplib.pc" in package["configure"]


def test_the_package_takes_every_folder_that_meson_enters(root, evaluated):
    folders = re.findall(r"^subdir\('(\w+)'\)", (root / "meson.build").read_text(), re.MULTILINE)
    for path in ("LICENSE", "meson.build", "meson_options.txt", *(f"{name}/meson.build" for name in folders)):
        assert (root / path).is_file()
        assert any(re.fullmatch(one, path) for one in evaluated["package"]["sources"]), path


def test_the_image_is_a_gateway_that_asks_for_another_password_and_keeps_ssh_shut(evaluated):
    flake = evaluated["flake"]
    gateway = flake["gateway"]
    assert gateway["failed"] == []
    assert nixos_modules.settings(gateway["etc"]["losos/losos-registrar.toml"])["lan-advertise"] == "true"
    assert flake["image"]["format"] == "qcow2" and "/" in flake["image"]["roots"]
    assert flake["console"]["root"]["initialPassword"] == "losos"
    assert "chage -d 0 root" in gateway["services"]["losos-first-password"]["script"]
    assert flake["console"]["openssh"]["enable"] and gateway["services"]["sshd"]["wantedBy"] == []
    assert gateway["services"]["sshd"]["aliases"] == ["ssh.service"]


# --- the options ---


def test_the_options_have_the_names_that_users_know(evaluated):
    there = {option["name"] for option in evaluated["options"]}
    known = {f"{group}.{name}" for group, names in KNOWN.items() for name in names.split()}
    assert known - there == set()


def test_every_option_says_what_it_is_takes_and_does_by_default(evaluated):
    options = [option for option in evaluated["options"] if not option["name"].endswith("_module.args")]
    assert len(options) > 50
    for option in options:
        name = option["name"]
        assert option["type"] and option["example"] and len(option["description"]) > 20, name
        assert option["default"] != (name in REQUIRED), name


# --- configurations ---


def test_configurations_of_every_kind_evaluate_without_a_complaint(evaluated, accepted):
    assert len(accepted) >= 20
    assert sum(map(nixos_modules.is_edge, accepted.values())) >= 20
    assert sum(map(nixos_modules.is_box, accepted.values())) >= 3
    for name, system in evaluated["accepted"].items():
        assert system is not None, name
        assert system["failed"] == [], name


def test_modules_that_are_not_enabled_change_nothing(evaluated):
    system = evaluated["accepted"]["nothing"]
    assert system["etc"] == {} and system["services"] == {} and system["packages"] == []
    assert system["users"] == {} and system["tmpfiles"] == [] and system["tcp"] == []


def test_every_assertion_fires_alone_where_it_should(evaluated):
    for said, system in evaluated["asserted"].items():
        assert system is not None, said
        failed = [" ".join(message.split()) for message in system["failed"]]
        assert len(failed) == 1 and said in failed[0], (said, failed)


def test_there_is_a_configuration_for_each_assertion(root, evaluated):
    """So that an assertion which is new, or can never fire, is found."""
    modules = [path.read_text(encoding="utf-8") for path in nix_rules.nix_files(root)
               if "modules" in path.parts and "support" not in path.parts]
    written = sum(len(re.findall(r"^\s+assertion =", text, re.MULTILINE)) for text in modules)
    secrets = [message for message in evaluated["asserted"] if message.endswith("is in the Nix store")]
    assert len(evaluated["asserted"]) - len(secrets) == written
    listed = re.findall(r'"(losos\.(?:edge|proxy)\.[\w.]+)" = \w', "\n".join(modules))
    # That of the tenants is made for each.
    assert len(secrets) == len(listed) + 1


def test_what_is_of_the_wrong_type_is_refused(evaluated):
    assert len(evaluated["refused"]) >= 15
    assert [name for name, system in evaluated["refused"].items() if system is not None] == []


# --- the machines that NixOS would boot ---


def test_the_machines_of_the_vm_tests_evaluate_and_their_scripts_are_python(evaluated):
    tests = evaluated["tests"]
    assert set(tests) == {"edge-federation", "edge-lan", "edge-dns"}
    for name, test in tests.items():
        compile(test["testScript"], name, "exec")
        for node, system in test["nodes"].items():
            assert system is not None and system["failed"] == [], (name, node)
