"""The shell scripts are sound, and ./dev's help names the commands it has."""

import re
import subprocess

from tree_files import tree_files

SHEBANG = re.compile(rb"#!(?:/bin/|/usr/bin/env )(bash|sh)\b")
COMMANDS = re.compile(r"^ {8}([a-z |-]+)\) (?:\"\$command\"|[a-z_]+)(?: \"\$@\")? ;;$", re.MULTILINE)


def scripts(root):
    """(path, shell) of each script in the tree."""
    for name in tree_files(root):
        path = root / name
        if path.is_file():
            with open(path, "rb") as file:
                shell = SHEBANG.match(file.readline())
            if shell:
                yield path, shell.group(1).decode()


def faults(root, path, shell):
    """What the shell and shellcheck say of a script."""
    said = ""
    for check in ([shell, "-n", path], ["shellcheck", "-x", path]):
        ran = subprocess.run(check, cwd=root, capture_output=True, text=True)
        said += ran.stdout + ran.stderr
    return said.splitlines()


def test_every_shell_script_is_sound(root):
    found = list(scripts(root))
    assert {root / "dev", root / ".ci" / "run"} <= {path for path, _ in found}
    assert [line for path, shell in found for line in faults(root, path, shell)] == []


def test_an_unsound_script_is_found(tree):
    bad = tree({"a": "#!/bin/sh\nif true; then\n", "b": "#!/bin/bash\nrm -rf $1/\n"})
    assert faults(bad, bad / "a", "sh") != []
    assert faults(bad, bad / "b", "bash") != []


def test_the_help_of_dev_names_its_commands_and_no_others(root):
    text = (root / "dev").read_text(encoding="utf-8")
    dispatch = text[text.index("    case $command in"):]
    has = {word.strip() for group in COMMANDS.findall(dispatch) for word in group.split("|") if "-" not in word}
    shown = subprocess.run([root / "dev", "help"], capture_output=True, text=True, check=True).stdout
    named = set(re.findall(r"^  ([a-z]+)\b", shown, re.MULTILINE))
    assert has == named
