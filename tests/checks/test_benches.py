"""The benchmarks, which no other ring runs: each can start, fails when it is out of bounds, and is
among those that ./dev runs."""

import os
import re
import subprocess
import sys

import pytest


def benches(root):
    """The names of those that can be run, as opposed to what they share."""
    return sorted(path.stem for path in (root / "tests" / "bench").glob("*.py")
                  if '__name__ == "__main__"' in path.read_text(encoding="utf-8"))


def python(root, code):
    support, folder = root / "tests" / "support", root / "tests" / "bench"
    return subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": f"{support}:{folder}"}, check=False)


def test_dev_runs_every_benchmark(root):
    listed = re.search(r"set -- (heartbeats .*)$", (root / "dev").read_text(encoding="utf-8"), re.M)
    assert sorted(listed[1].split()) == benches(root)


def test_every_benchmark_finds_what_it_is_made_of(root):
    for name in benches(root):
        done = python(root, f"import {name}; assert callable({name}.main)")
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("call, passes", [
    ("at_least('the ratio', 0.35, 0.35)", True), ("at_least('the ratio', 0.34, 0.35)", False),
    ("at_most('the ratio', 30, 30)", True), ("at_most('the ratio', 31, 30)", False)])
def test_a_benchmark_out_of_bounds_fails_and_says_by_how_much(root, call, passes):
    done = python(root, f"import figures; b = figures.Bounds('x'); b.{call}; b.check()")
    assert (done.returncode == 0) == passes, done
    assert passes or "the ratio is" in done.stderr and "wanted" in done.stderr, done


# What each benchmark has to hold; a bound that is moved is moved here as well.
BOUNDS = {"heartbeats": {"AT_LEAST": 0.35, "CONNECTIONS": 32},
          "registrations": {"COMMITS_AT_MOST": 30, "CONNECTIONS": 64, "REGISTERED": 10000,
                            "REGISTRATIONS": 1000},
          "reconcile": {"MS_AT_MOST": 50, "DOMAINS": 2000, "BOXES": 400}, "memory": {"REGISTRAR_MB_AT_MOST": 64, "TENANTS": 10000},
          "flapping": {"CORE_AT_MOST": 0.25, "BOXES": 1000, "SECONDS": 120}}


def test_the_bounds_are_the_ones_that_were_promised(root):
    for name, promised in BOUNDS.items():
        done = python(root, f"import {name}; print({{n: getattr({name}, n) for n in {list(promised)}}})")
        assert done.stdout.strip() == str(promised), done
