"""The pages of docs/ hold what they say: links, commands, flags, files, units, versions."""

import functools
import re
import shlex
import subprocess

import losos_site
import page_rules as rules
import pytest
import test_readme
from conftest import ROOT

DOCS = sorted((ROOT / "docs").glob("*.md"))
WALKS = {"hub.md", "gateway.md", "box.md"}
PROMPT = re.compile(r"^ *(?:hub|gateway|box|new|prom)# ((?:[^\n\\]|\\.|\\\n)*)$", re.MULTILINE)
ENTRY = re.compile(r"^## (.*)$", re.MULTILINE)
OURS = re.compile(r"\b(lososd?-(?:registrar|uplink|edge|announce|pathd))\b ")


def text_of(path):
    return path.read_text(encoding="utf-8")


def typed(text):
    """The command lines at a prompt, each on one line."""
    return [re.sub(r"\\\n\s*", "", command) for command in PROMPT.findall(text)]


def calls_of_ours(command):
    """The calls of our programs in a command line, as lists of words."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    call = []
    for word in [*lexer, ";"]:
        if re.fullmatch(r"[|&;<>{}()]+|\d*>.*", word):
            if call and OURS.match(call[0] + " "):
                yield call
            call = []
        else:
            call.append(word)


def section(text, heading):
    """What stands under a heading, up to the next one of its rank."""
    return re.split(r"^## ", text.partition(f"\n## {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    made = tmp_path_factory.mktemp("site")
    losos_site.render(ROOT, made)
    return made


@pytest.fixture(scope="session")
def help_of(bin_dir):
    """The help of a program by its name, asked for once."""
    return functools.cache(lambda tool: rules.Help(bin_dir / tool))


# --- links ----------------------------------------------------------------------------------------


def test_every_link_of_the_site_leads_somewhere(site):
    assert losos_site.dangling(site) == []


def test_the_site_has_every_page(root, site):
    made = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    assert made == {"man/index.html", "changelog.html", "index.html"} | {
        f"man/{page.name}.html" for page in rules.pages(root)} | {
        f"{path.stem}.html" for path in DOCS if path.name != "README.md"}


def test_a_link_that_leads_nowhere_is_found(tree):
    site = tree({"index.html": '<h1 id="a"><a href="#a"></a><a href="#b"></a><a href="man/c.html"></a>',
                 "man/d.html": '<a href="../index.html#a"></a><a href="../index.html#e"></a>'
                               '<a href="http://x/"></a><a href="https://x/"></a>'})
    assert losos_site.dangling(site) == [
        "index.html: #b", "index.html: man/c.html", "man/d.html: ../index.html#e", "man/d.html: http://x/"]


def test_every_man_page_that_docs_name_is_there(root):
    there = {page.name for page in rules.pages(root)}
    named = {(path.name, f"{name}.{number}") for path in DOCS
             for name, number in losos_site.references(text_of(path)) if rules.is_ours(name)}
    assert named and [each for each in named if each[1] not in there] == []


def test_the_first_page_leads_to_every_other(root):
    links = re.findall(r"\]\(([\w-]+\.md)", text_of(root / "docs/README.md"))
    assert {path.name for path in DOCS} - {"README.md"} == set(links)


def test_a_page_of_man_becomes_a_link_and_code_stays_code():
    text = "See a(8), `a(8)` and b(7).\n\n```\na(8)\n```\n"
    assert losos_site.with_links(text, {"a.8"}) == (
        "See [a(8)](man/a.8.html), `a(8)` and b(7).\n\n```\na(8)\n```\n")


# --- commands -------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", DOCS, ids=lambda path: path.name)
def test_commands_of_ours_have_the_flags_they_are_given(help_of, page):
    wrong = [(call, test_readme.wrong_flags(call, help_of)) for command in typed(text_of(page))
             for call in calls_of_ours(command)]
    assert [each for each in wrong if each[1]] == []


def test_calls_are_found_in_a_pipe_and_behind_others():
    text = "hub# losos-edge status | grep x && losos-registrar check > /dev/null\nbox# ls losos-edge\n"
    assert [call for command in typed(text) for call in calls_of_ours(command)] == [
        ["losos-edge", "status"], ["losos-registrar", "check"]]


@pytest.mark.parametrize("page", DOCS, ids=lambda path: path.name)
def test_units_and_examples_that_docs_name_are_installed(root, page):
    text = text_of(page)
    named = set(test_readme.UNIT.findall(text)) | set(test_readme.EXAMPLE.findall(text))
    assert named - set(test_readme.installed(root)) == set()


@pytest.mark.parametrize("name", sorted(WALKS))
def test_a_walk_sets_up_by_the_lines_of_the_readme(root, name):
    """Those are typed by the system ring, word for word."""
    tested = {re.sub(r"\\\n\s*", "", line) for line in PROMPT.findall(text_of(root / "README.md"))}
    lines = typed(section(text_of(root / "docs" / name), "Set it up"))
    assert len(lines) >= 3
    assert [line for line in lines if line not in tested] == []


def test_every_symptom_ends_with_a_command(root):
    entries = ENTRY.split(text_of(root / "docs/troubleshooting.md"))[1:]
    for title, body in zip(entries[::2], entries[1::2], strict=True):
        last = re.search(r"\n```\n([^`]*)```\n*$", body)
        assert last and typed(last.group(1)), title


def test_every_shell_command_parses(root):
    for page in DOCS:
        for command in typed(text_of(page)):
            said = subprocess.run(["sh", "-n", "-c", command], capture_output=True, text=True)
            assert said.returncode == 0, (page.name, command, said.stderr)


# --- numbers and names that stand elsewhere as well ------------------------------------------------


def test_the_versions_of_other_programs_are_those_that_are_built(root):
    known = dict(re.findall(r"(\w+)\) echo (\S+) ;;", text_of(root / "tests/support/parts/common.sh")))
    page = text_of(root / "docs/versions.md")
    assert f"| rathole | {known['rathole']} |" in page
    assert f"tested with {known['traefik']} |" in page


def test_every_alert_rule_is_explained_and_no_other(root):
    rules_there = set(re.findall(r"alert: (\w+)", text_of(root / "units/prometheus/losos.rules.yml")))
    assert set(re.findall(r"^\| (Losos\w+) \|", text_of(root / "docs/monitoring.md"), re.M)) == rules_there


def test_the_firewall_page_has_the_numbers_of_the_shipped_limit(root):
    limit = text_of(root / "units/nftables/losos-edge.nft")
    page = text_of(root / "docs/firewall.md")
    assert "limit rate over 2/minute burst 4 packets" in limit
    assert "may open four connections, and then two a minute" in page
    assert "ct count over 4096" in limit and "4,096" in page
