"""The man pages say what the tools do: each flag of --help has its place, and nothing else has."""

import page_rules as rules
import pytest
from conftest import ROOT

TOOLS = rules.tools(ROOT)

STAND_IN = """#!/bin/sh
case "$*" in
    --help) printf 'usage: x\\n\\nSubcommands:\\n  serve        runs\\n  noise keygen makes a key\\n' ;;
    'serve --help') printf 'usage\\n  --listen ADDR   (default: --dash)\\n' ;;
    *) printf '  --old-key\\n' ;;
esac
"""


@pytest.fixture
def stand_in(tmp_path):
    program = tmp_path / "x"
    program.write_text(STAND_IN.replace("keygen makes", "keygen  makes"))
    program.chmod(0o755)
    return rules.Help(program)


def test_there_are_tools_and_pages(root):
    assert TOOLS and rules.pages(root)


@pytest.mark.parametrize("tool", TOOLS)
def test_every_flag_of_help_is_in_the_page(root, bin_dir, tool):
    assert rules.undocumented(rules.Help(bin_dir / tool), rules.page_of(root, tool)) == []


@pytest.mark.parametrize("tool", TOOLS)
def test_every_flag_of_the_page_is_in_help(root, bin_dir, tool):
    assert rules.invented(rules.Help(bin_dir / tool), rules.page_of(root, tool)) == []


def test_subcommands_are_found_in_help(stand_in):
    assert set(stand_in.commands) == {(), ("serve",), ("noise", "keygen")}
    assert stand_in.of(["serve", "--listen"]) == (("serve",), {"listen", "dash"})


def test_a_flag_without_a_page_is_found(stand_in):
    page = ".It Fl -listen Ar address\n.It Cm serve\n.It Fl -dash\n"
    assert rules.undocumented(stand_in, page) == ["--old-key", "noise keygen"]


def test_a_flag_without_a_tool_is_found(stand_in):
    page = ".Op Fl -listen Ar address\n.Fl -new-key\n"
    assert rules.invented(stand_in, page) == ["--new-key"]


def test_mandoc_has_nothing_to_say_of_the_pages(root):
    assert rules.unclean_pages(root) == []


def test_a_page_that_mandoc_does_not_like_is_found(tree):
    bad = tree({"man/losos-x.8": ".Dd January 1, 2026\n.Dt LOSOS-X 8\n.Os\n.Sh NAME\n.Nx\n.Foo\n"})
    assert rules.unclean_pages(bad) != []


def test_every_reference_to_a_page_of_ours_leads_to_one(root):
    assert rules.dangling_references(root) == []


def test_a_reference_to_nothing_is_found(tree):
    bad = tree({
        "man/losos-edge.8": ".Xr losos-edge 8 ,\n.Xr losos-gone 8 ,\n.Xr gone.json 5 ,\n.Xr rathole 1\n",
        "units/losos-a.service": "Documentation=man:losos-edge(8) man:losos-unit(8)\n",
    })
    assert rules.dangling_references(bad) == [
        "losos-edge.8 refers to losos-gone(8)",
        "losos-edge.8 refers to gone.json(5)",
        "losos-a.service refers to losos-unit(8)",
    ]
