"""An example in a page that is a golden file is that file, byte for byte."""

import re

import pytest
from conftest import ROOT

EXAMPLE = re.compile(r'^\.\\" golden: (\S+)\n\.Bd -literal.*\n((?:.*\n)*?)\.Ed\n', re.MULTILINE)


def examples(root):
    """(page, golden file, text) of each example that says which file it shows."""
    for page in sorted((root / "man").glob("*.[1-9]")):
        for golden, text in EXAMPLE.findall(page.read_text(encoding="utf-8")):
            yield page.name, golden, text.replace("\\e", "\\")


def test_pages_show_golden_files():
    assert {page for page, _, _ in examples(ROOT)} >= {
        "edge.json.5", "registry.json.5", "tenants.json.5", "uplink.json.5"}


@pytest.mark.parametrize("page, golden, text", list(examples(ROOT)))
def test_the_example_is_the_golden_file(page, golden, text):
    assert text == (ROOT / "tests" / "golden" / golden).read_text(encoding="utf-8"), page


def test_an_example_is_found_in_a_page(tree):
    page = '.Sh EXAMPLES\n.\\" golden: a/b.json\n.Bd -literal -offset indent\n{ "a": "\\e" }\n.Ed\n'
    assert list(examples(tree({"man/x.5": page}))) == [("x.5", "a/b.json", '{ "a": "\\" }\n')]
