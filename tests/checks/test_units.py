"""The units start tools that exist with flags that they have, and systemd understands each line."""

import os
import re
import subprocess

import page_rules as rules
import pytest


@pytest.fixture(scope="session")
def helps(root, bin_dir):
    return {tool: rules.Help(bin_dir / tool) for tool in rules.tools(root)}


class NoHelp:
    """A tool with one subcommand, for the rules to be tried on."""

    commands = {(): set(), ("serve",): {"listen"}}
    of = rules.Help.of
    flags = rules.Help.flags


def test_every_exec_line_names_a_tool_and_flags_it_has(root, helps):
    assert rules.units(root)
    assert rules.wrong_exec_lines(root, helps) == []


def test_a_wrong_exec_line_is_found(tree):
    bad = tree({
        "units/a.service": "[Service]\nExecStart=/usr/bin/losos-x serve \\\n  --listen a --lisen b\n",
        "units/b.service": "[Service]\nExecStartPre=-/usr/bin/losos-y\nExecStart=@bindir@/losos-x sing\n",
        "units/c.service": "[Service]\nExecStart=/usr/bin/rathole --server /etc/x\n",
    })
    assert rules.wrong_exec_lines(bad, {"losos-x": NoHelp()}) == [
        "a.service gives losos-x --lisen, which it does not have",
        "b.service runs losos-y, which no tool is called",
        "b.service runs losos-x with no subcommand that it has",
    ]


def test_every_key_of_a_shipped_configuration_is_a_flag(root, helps):
    assert rules.unknown_keys(root, helps) == []


def test_a_key_that_is_no_flag_is_found(tree):
    bad = tree({"units/etc/losos-x.hub.toml": '# A word = "in prose"\n#listen = "a"\nlisten-on = "b"\n'})
    assert rules.unknown_keys(bad, {"losos-x": NoHelp()}) == [
        "losos-x.hub.toml sets listen-on, which losos-x does not have"
    ]


def complaints(root, folder):
    """What systemd-analyze says of the units, copied to `folder` with programs that exist there."""
    folder.mkdir()
    names = []
    for unit in rules.units(root):
        text = unit.read_text(encoding="utf-8")
        # Only the programs are replaced: where a package puts them is not this check's concern.
        # What meson fills in comes first: its @ is no prefix of a program.
        text = re.sub(r"@\w+@", "/usr", text)
        text = re.sub(r"^(Exec\w+=[-@:+!|]*)\S+", r"\1/bin/true", text, flags=re.MULTILINE)
        name = unit.name.removesuffix(".in")
        (folder / name).write_text(text, encoding="utf-8")
        names.append(name)
    said = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *names],
        cwd=folder, capture_output=True, text=True,
        env=os.environ | {"SYSTEMD_UNIT_PATH": f"{folder}:", "SYSTEMD_LOG_COLOR": "0"},
    )
    lines = [line for line in said.stderr.splitlines() if line.startswith(tuple(names)) or str(folder) in line]
    if said.returncode != 0 and not lines:
        lines = said.stderr.splitlines()
    return lines


def test_systemd_has_nothing_to_say_of_the_units(root, tmp_path):
    assert complaints(root, tmp_path / "units") == []


def test_a_unit_that_systemd_does_not_like_is_found(tree, tmp_path):
    bad = tree({"units/losos-a.service": "[Service]\nExecStart=/usr/bin/x\nRestrat=always\n"})
    assert len(complaints(bad, tmp_path / "copy")) == 1
