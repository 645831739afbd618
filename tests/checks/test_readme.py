"""What the README and the set-up of losos-federation(7) name is there: files, units, commands, flags.
The system ring types the README's commands; this holds where no machine can be booted."""

import re
import shlex

import page_rules as rules
import pytest
from conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
FEDERATION = (ROOT / "man" / "losos-federation.7").read_text(encoding="utf-8")
EXAMPLE = re.compile(r"/usr/share/losos/([\w.-]+)")
UNIT = re.compile(r"\b(lososd?-[\w-]+\.(?:service|path|timer|target))\b")
TYPED = re.compile(r"^(?:\w+# )?(losos[\w-]+ .*)$", re.MULTILINE)


def installed(root):
    """The names of all that the units' meson file installs."""
    return re.findall(r"'(?:[\w.-]+/)*([\w.-]+)'", (root / "units/meson.build").read_text())


def commands(text):
    """The command lines of our programs in a text, as lists of words."""
    return [shlex.split(line) for line in TYPED.findall(text.replace("\\\n", " "))]


def wrong_flags(line, help_of):
    """The words of a command line that its program does not have."""
    words, flags = help_of(line[0]).of(line[1:])
    if not words and len(help_of(line[0]).commands) > 1 and not line[1].startswith("-"):
        return [line[1]]
    return [word for word in line[1:] if word.startswith("--") and word[2:] not in flags]


@pytest.mark.parametrize("name", sorted(set(EXAMPLE.findall(README))))
def test_a_file_that_the_readme_copies_is_installed(root, name):
    assert name in installed(root)


@pytest.mark.parametrize("name", sorted(set(UNIT.findall(README + FEDERATION))))
def test_a_unit_that_the_pages_name_is_installed(root, name):
    assert name in installed(root)


@pytest.mark.parametrize("line", commands(README), ids=" ".join)
def test_a_command_of_the_readme_exists_with_its_flags(bin_dir, line):
    assert wrong_flags(line, lambda tool: rules.Help(bin_dir / tool)) == []


def test_a_command_or_flag_that_is_not_there_is_found(bin_dir):
    def help_of(tool):
        return rules.Help(bin_dir / tool)
    found = commands("box# losos-edge stat\ngw# losos-edge uplink set --id a \\\n    --port 7\nls\n")
    assert [wrong_flags(line, help_of) for line in found] == [["stat"], ["--port"]]
