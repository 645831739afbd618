"""The sources keep the rules of the house; each rule is tried on a tree that breaks it."""

import shutil
import subprocess

import source_rules as rules
from tree_files import tree_files


def test_no_library_includes_one_above_or_beside_it(root):
    assert rules.upward_includes(root) == []


def test_an_upward_include_is_found(tree):
    bad = tree({
        "lib/core/a.cc": '#include "core/a.h"\n#include "files/b.h"\n#include "base/c.h"\n',
        "lib/io/b.cc": '#include "base/a.h"\n#include "core/a.h"\n',
        "lib/base/c.cc": '#  include "io/c.h"\n',
        "lib/files/d.cc": '#include "core/a.h"\n#include "io/d.h"\n',
        "tools/losos-edge/main.cc": '#include "io/e.h"\n#include "losos-uplink/pass.h"\n',
    })
    assert sorted(rules.upward_includes(bad)) == [
        "lib/base/c.cc includes io/c.h",
        "lib/core/a.cc includes files/b.h",
        "lib/files/d.cc includes io/d.h",
        "lib/io/b.cc includes core/a.h",
        "tools/losos-edge/main.cc includes losos-uplink/pass.h",
    ]


def test_each_third_party_header_is_included_by_its_one_adapter(root):
    assert rules.foreign_includes(root) == []


def test_a_third_party_header_elsewhere_is_found(tree):
    bad = tree({
        "lib/io/http_client.cc": "#include <httplib.h>\n",
        "lib/base/format.h": "#include <fmt/format.h>\n",
        "lib/core/a.cc": "#include <fmt/format.h>\n#include <simdjson.h>\n",
        "tools/losos-edge/main.cc": "#include <systemd/sd-daemon.h>\n#include <CLI/CLI.hpp>\n",
        "tests/unit/core/a_test.cc": "#include <catch2/catch.hpp>\n",
    })
    assert rules.foreign_includes(bad) == [
        "lib/core/a.cc includes fmt/format.h",
        "lib/core/a.cc includes simdjson.h",
        "tools/losos-edge/main.cc includes systemd/sd-daemon.h",
        "tools/losos-edge/main.cc includes CLI/CLI.hpp",
        "tests/unit/core/a_test.cc includes catch2/catch.hpp",
    ]


def test_the_core_reads_no_clock_no_file_and_no_environment(root):
    assert rules.impurities(root) == []


def test_an_impure_core_is_found(tree):
    bad = tree({
        "lib/core/a.cc": "#include <chrono>\n#include <fstream>\n#include <unistd.h>\n"
                         "// getenv is only spoken of here\n"
                         "auto t = std::chrono::steady_clock::now();\n"
                         'auto e = getenv("HOME");\n',
    })
    assert rules.impurities(bad) == [
        "lib/core/a.cc includes fstream",
        "lib/core/a.cc includes unistd.h",
        "lib/core/a.cc calls ::now(",
        "lib/core/a.cc calls getenv",
    ]


def test_only_tools_log(root):
    assert rules.logging_libraries(root) == []


def test_a_logging_library_is_found(tree):
    bad = tree({"lib/files/a.cc": '#include "base/log.h"\n', "tools/t/main.cc": '#include "base/log.h"\n'})
    assert rules.logging_libraries(bad) == ["lib/files/a.cc includes base/log.h"]


def test_paths_are_spelled_in_one_header(root):
    assert rules.spelled_paths(root) == []


def test_a_path_spelled_elsewhere_is_found(tree):
    bad = tree({
        "lib/files/paths.h": 'constexpr auto k_registry = "/var/lib/losos-registrar/registry.json";\n',
        "lib/files/a.h": "// Lies in /run/losos, and /etc/losos is \"the other\".\n",
        "tools/losos-edge/main.cc": 'char q = \'"\';\nauto p = "/run/losos/edge.json";\n',
    })
    assert rules.spelled_paths(bad) == ['tools/losos-edge/main.cc:2 spells "/run/losos/edge.json"']


def test_no_file_is_longer_than_the_limit(root):
    assert rules.long_files(root) == []


def test_a_long_file_is_found(tree):
    bad = tree({"lib/base/a.cc": "\n" * 401, "lib/base/b.cc": "\n" * 400})
    assert rules.long_files(bad) == ["lib/base/a.cc has 401 lines"]


def test_every_header_has_a_title_and_a_guard(root):
    assert rules.bare_headers(root) == []


def test_a_bare_header_is_found(tree):
    bad = tree({"lib/base/a.h": "int f();\n", "lib/base/b.h": "// b\n#pragma once\n"})
    assert rules.bare_headers(bad) == [
        "lib/base/a.h has no title comment",
        "lib/base/a.h has no #pragma once",
    ]


def unformatted(root):
    """Sources that clang-format would change."""
    names = [name for name, _ in rules.sources(root, "lib", "tools", "tests")]
    ran = subprocess.run(
        ["clang-format", "--dry-run", "-Werror", *names], cwd=root, capture_output=True, text=True
    )
    return [line for line in ran.stderr.splitlines() if "error:" in line]


def test_every_source_is_formatted(root):
    assert unformatted(root) == []


def test_an_unformatted_source_is_found(root, tree):
    bad = tree({"lib/base/a.cc": "int  f( );\n"})
    shutil.copy(root / ".clang-format", bad)
    assert len(unformatted(bad)) > 0


def test_nothing_is_put_off_and_nothing_names_where_it_was_written(root):
    assert rules.unfinished(root, tree_files(root, untracked=False)) == []


def test_work_that_was_put_off_is_found(tree):
    bad = tree({"lib/base/a.cc": "int f();\n// TO" "DO: the rest\n", "README.md": "All done.\n"})
    assert rules.unfinished(bad, ["lib/base/a.cc", "README.md"]) == ["lib/base/a.cc:2 says TO" "DO"]
