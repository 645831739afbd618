"""Every parser of bytes from outside has a fuzz target: whoever writes a new one is reminded."""

import re

import pytest
from source_rules import sources, without_comments

# A free function, or the parse() of a class or of a file's namespace, that takes a text.
FREE = re.compile(r"\b(parse_[a-z0-9_]+)\(std::string_view")
OF_CLASS = re.compile(r"\bclass (\w+)\b(?:(?!\bclass \w).)*?static Result<\1> parse\(std::string_view", re.S)
OF_FILE = re.compile(r"^Result<[^\n]*> parse\(std::string_view", re.M)
NAMESPACE = re.compile(r"\bnamespace losos::(\w+)")
# Read from the operator's own command line alone.
OPERATORS = {"parse_path"}


def parsers_of(text):
    text = without_comments(text)
    names = set(FREE.findall(text)) | set(OF_CLASS.findall(text))
    if OF_FILE.search(text):
        names.add(f"{NAMESPACE.search(text)[1]}::parse")
    return names - OPERATORS


def parsers(root):
    return {name: parser for name, text in sources(root, "lib") if name.endswith(".h")
            for parser in [parsers_of(text)] if parser}


def test_every_parser_of_a_text_has_a_fuzz_target(root):
    fuzzed = "\n".join(text for _, text in sources(root, "tests/fuzz"))
    found = parsers(root)
    assert sum(len(names) for names in found.values()) > 20, found
    missing = {f"{header}: {name}" for header, names in found.items() for name in names
               if not re.search(rf"\b{name}\b", fuzzed)}
    assert missing == set()


def test_the_rule_finds_each_kind_of_parser():
    assert parsers_of("Result<int> parse_duration(std::string_view text);") == {"parse_duration"}
    assert parsers_of("class Port {\npublic:\n    static Result<Port> parse(std::string_view text);\n"
                      "};") == {"Port"}
    assert parsers_of("namespace losos::live_file {\nResult<Live> parse(std::string_view text,\n"
                      "    int range);") == {"live_file::parse"}
    assert parsers_of("// Result<int> parse_duration(std::string_view text);") == set()


TARGET = re.compile(r'Known k_known\(\{"([^"]+)",\s*"[^"]+",\s*\w+,\s*"([^"]*)",\s*run\}\)')


def targets(root):
    """(name, patterns of golden files) of each target, which stands in a file of its own."""
    for name, text in sources(root, "tests/fuzz/targets"):
        yield TARGET.search(text) or pytest.fail(f"{name} makes no target known")


def test_every_fuzz_target_has_something_to_start_from(root):
    missing = []
    for target in targets(root):
        name, golden = target.groups()
        starts = [list((root / "tests" / "golden").glob(pattern)) for pattern in golden.split()]
        starts += [list((root / "tests" / "fuzz" / "seeds" / name).glob("*"))] if not golden else []
        if not all(starts):
            missing.append(name)
    assert missing == []


def test_no_seeds_are_of_a_target_that_is_not_there(root):
    names = {target[1] for target in targets(root)}
    seeded = {path.name for path in (root / "tests" / "fuzz" / "seeds").iterdir() if path.is_dir()}
    assert seeded <= names
