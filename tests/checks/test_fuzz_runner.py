"""The runner of the fuzz targets, tried on a program that stands in for them."""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree

# Lists three targets; one does its work, one finds something, one tries no input at all.
STAND_IN = r"""#!/bin/sh
case "$*" in
    --list) printf 'good\tgood texts\t100\t\nbad\tbad texts\t100\t\nidle\tidle texts\t100\tlive/*.json\n' ;;
    *=good*) echo '#2 INITED cov: 12 ft: 14'; echo 'stat::number_of_executed_units: 1234' ;;
    *=idle*) : ;;
    *=bad*)
        echo '#2 INITED cov: 3 ft: 4'
        echo 'broken: one == two (bad.cc:7)'
        echo "Test unit written to /tmp/bad-crash-1"
        echo 'stat::number_of_executed_units: 2'
        exit 77 ;;
esac
"""


def run(root, tmp_path, *targets):
    program = tmp_path / "build" / "tests" / "fuzz" / "losos-fuzz"
    program.parent.mkdir(parents=True)
    program.write_text(STAND_IN, encoding="utf-8")
    program.chmod(0o755)
    return subprocess.run(
        [sys.executable, "-B", root / "tests" / "fuzz" / "run", tmp_path / "build", "1",
         "--junit", tmp_path / "fuzz.xml", "--work", tmp_path / "work", *targets],
        capture_output=True, text=True,
    )


def cases(tmp_path):
    """{name: failure or None} of the report."""
    suite = ElementTree.parse(tmp_path / "fuzz.xml")
    return {case.get("name"): case.findtext("failure") for case in suite.iter("testcase")}


def test_a_target_that_finds_nothing_passes_and_says_what_it_did(root, tmp_path):
    ran = run(root, tmp_path, "good")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert cases(tmp_path) == {"good texts: 1 s, 1,234 inputs, 12 edges, nothing found": None}


def test_a_finding_and_a_target_without_inputs_fail_the_run(root, tmp_path):
    ran = run(root, tmp_path)
    assert ran.returncode == 1
    found = cases(tmp_path)
    assert len(found) == 3
    bad = found["bad texts: 1 s, 2 inputs, 3 edges, FAILED"]
    assert bad.splitlines()[:2] == ["input: /tmp/bad-crash-1", "broken: one == two (bad.cc:7)"]
    idle = found["idle texts: 1 s, 0 inputs, 0 edges, FAILED"]
    assert "not one input was tried" in idle


def test_golden_files_and_words_of_the_sources_are_what_it_starts_from(root, tmp_path):
    run(root, tmp_path, "idle")
    seeds = [path.read_bytes() for path in (tmp_path / "work" / "seeds" / "idle").iterdir()]
    golden = root / "tests" / "golden" / "live"
    assert sorted(seeds) == sorted(path.read_bytes() for path in golden.glob("*.json"))
    words = (tmp_path / "work" / "words.dict").read_text(encoding="utf-8").splitlines()
    assert {'"appliance_id"', '"relay_pass"', '"rathole_port"'} <= set(words)


def test_a_target_that_is_not_there_is_wrong_usage(root, tmp_path):
    ran = run(root, tmp_path, "nothing-of-ours")
    assert ran.returncode == 2
    assert "no target is called nothing-of-ours" in ran.stderr


def test_every_target_file_is_built_and_every_folder_of_seeds_has_its_target(root):
    fuzz = root / "tests" / "fuzz"
    built = (fuzz / "meson.build").read_text(encoding="utf-8")
    names = {path.stem for path in (fuzz / "targets").glob("*.cc")}
    assert names and [name for name in names if f"'{name}'" not in built] == []
    seeded = {path.name.replace("-", "_") for path in (fuzz / "seeds").iterdir() if path.is_dir()}
    assert seeded - names == set()
