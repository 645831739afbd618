"""The pages as a set: each file of ours has one, 'man -k losos' finds them all, losos(7) leads to all."""

import re
import shutil
import subprocess

import page_rules as rules
import pytest
from conftest import ROOT

PATH = re.compile(r'"(/[^"]+)"')
SHIPPED = re.compile(r'^\.\\" shipped: (\S+)\n\.Bd -literal.*\n((?:.*\n)*?)\.Ed\n', re.MULTILINE)
# Directories, and locks, which nobody opens.
NO_PAGE = {".lock", ".uplink.lock", "losos", "losos-registrar", "enrolled", "dynamic", "losos-edge",
           "secrets", "losos-edge-pins"}


def names(pages):
    return {page.name for page in pages}


def unexplained(root):
    """The files that a program of ours opens and no page on files speaks of."""
    explained = "".join(page.read_text(encoding="utf-8") for page in rules.pages(root)
                        if page.suffix in (".5", ".7"))
    paths = PATH.findall((root / "lib/files/paths.h").read_text(encoding="utf-8"))
    found = [path for path in paths if path.rsplit("/", 1)[-1] not in NO_PAGE]
    return [path for path in found if path not in explained
            and not re.search(rf"^\.(?:It )?Pa .*{re.escape(path.rsplit('/', 1)[-1])}\b", explained, re.M)]


def not_led_to(root):
    """The pages that losos(7) does not name."""
    named = rules.CROSS_REFERENCE.findall((root / "man/losos.7").read_text(encoding="utf-8"))
    return sorted(names(rules.pages(root)) - {f"{name}.{section}" for name, section in named}
                  - {"losos.7"})


def unnamed_by_programs(root):
    """The pages on files that no program's page refers to."""
    named = {f"{name}.{section}" for page in rules.pages(root) if page.suffix == ".8"
             for name, section in rules.CROSS_REFERENCE.findall(page.read_text(encoding="utf-8"))}
    return [page.name for page in rules.pages(root) if page.suffix == ".5" and page.name not in named]


@pytest.fixture(scope="module")
def manpath(tmp_path_factory):
    """The pages as they are installed, with mandoc's index."""
    base = tmp_path_factory.mktemp("man")
    for page in rules.pages(ROOT):
        folder = base / f"man{page.suffix[1:]}"
        folder.mkdir(exist_ok=True)
        shutil.copy(page, folder)
    made = subprocess.run(["/usr/sbin/makewhatis", base], capture_output=True, text=True)
    assert (made.returncode, made.stderr) == (0, ""), made
    return base


def test_the_build_installs_every_page_and_no_other(root):
    listed = re.findall(r"'([^']+)'", (root / "man/meson.build").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(names(rules.pages(root)))


def test_every_file_of_ours_has_a_page(root):
    assert unexplained(root) == []


def test_a_file_without_a_page_is_found(tree):
    bad = tree({"lib/files/paths.h": 'k_a = "/run/losos/a.json";\nk_b = "/run/losos/b.json";\n',
                "man/a.json.5": ".It Pa /run/losos/a.json\n"})
    assert unexplained(bad) == ["/run/losos/b.json"]


def test_one_page_leads_to_all_others(root):
    assert not_led_to(root) == []


def test_a_page_that_nothing_leads_to_is_found(tree):
    bad = tree({"man/losos.7": ".Xr losos-edge 8\n", "man/losos-edge.8": "", "man/a.json.5": ""})
    assert not_led_to(bad) == ["a.json.5"]


def test_every_file_is_one_of_some_program(root):
    assert unnamed_by_programs(root) == []


def test_a_file_of_no_program_is_found(tree):
    bad = tree({"man/losos-edge.8": ".Xr a.json 5\n", "man/a.json.5": "", "man/b.json.5": ".Xr b.json 5\n"})
    assert unnamed_by_programs(bad) == ["b.json.5"]


def test_a_search_for_losos_finds_every_page(root, manpath):
    found = subprocess.run(["mapropos", "-M", manpath, "losos"], capture_output=True, text=True,
                           check=True).stdout
    first = {re.match(r"([^(,]+)", line).group(1) for line in found.splitlines()}
    missing = [page.name for page in rules.pages(root) if page.stem not in first]
    assert missing == [], found


@pytest.mark.parametrize("word", ["server.toml", "losos-announce.toml", "losos.yml"])
def test_a_file_is_found_by_its_own_name(manpath, word):
    found = subprocess.run(["mwhatis", "-M", manpath, word], capture_output=True, text=True)
    assert found.stdout.count("\n") == 1, found


def test_the_index_of_man_db_takes_every_page(root):
    """lexgrog reads the NAME section as Debian's own index does."""
    said = subprocess.run(["lexgrog", *rules.pages(root)], capture_output=True, text=True)
    assert said.returncode == 0, said.stdout
    lines = [line.partition(': "')[2] for line in said.stdout.splitlines()]
    assert [line for line in lines if "losos" not in line.lower()] == []


def test_an_example_that_is_a_shipped_file_is_that_file(root):
    shown = [(page.name, *found) for page in rules.pages(root)
             for found in SHIPPED.findall(page.read_text(encoding="utf-8"))]
    assert shown
    assert [(page, path) for page, path, text in shown
            if text != (root / path).read_text(encoding="utf-8")] == []
