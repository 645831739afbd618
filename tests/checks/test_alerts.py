"""The shipped alert rules: promtool runs them over made-up times, and each name in them is written."""

import re
import shutil
import subprocess

import pytest

RULES = "units/prometheus/losos.rules.yml"
CASES = "tests/checks/alerts/losos.rules.test.yml"
METRIC = re.compile(r"\blosos_\w+")


def written(root):
    """The names that our programs write, by the golden files."""
    golden = (root / "tests/golden/metrics").glob("*.prom")
    return {name for path in golden for name in METRIC.findall(path.read_text(encoding="utf-8"))}


def alerts(text):
    return re.findall(r"^\s*- alert: (\w+)$", text, re.MULTILINE)


def promtool(folder, *words):
    return subprocess.run(["promtool", *words], cwd=folder, capture_output=True, text=True, timeout=300)


@pytest.fixture
def beside(root, tmp_path):
    """A folder with the rules and their cases side by side, as promtool wants them."""
    for name in (RULES, CASES):
        shutil.copy(root / name, tmp_path)
    return tmp_path


def test_prometheus_takes_the_rules(root):
    said = promtool(root, "check", "rules", RULES)
    assert said.returncode == 0, said.stdout + said.stderr


def test_each_rule_fires_on_its_case_and_on_nothing_beside_it(beside):
    said = promtool(beside, "test", "rules", "losos.rules.test.yml")
    assert said.returncode == 0, said.stdout + said.stderr


def test_a_rule_that_fires_too_early_is_found(beside):
    rules = beside / "losos.rules.yml"
    text = rules.read_text(encoding="utf-8")
    assert "> 90\n" in text
    rules.write_text(text.replace("> 90\n", "> -1\n"), encoding="utf-8")
    assert promtool(beside, "test", "rules", "losos.rules.test.yml").returncode != 0


def test_every_rule_has_a_case(root):
    rules = (root / RULES).read_text(encoding="utf-8")
    cases = (root / CASES).read_text(encoding="utf-8")
    fired = set(re.findall(r"alertname: (\w+)\n\s+eval_time: \w+\n\s+exp_alerts:\n", cases))
    assert alerts(rules) and set(alerts(rules)) - fired == set()


def test_every_number_in_a_rule_is_one_that_is_written(root):
    asked = set(METRIC.findall((root / RULES).read_text(encoding="utf-8")))
    assert asked and asked - written(root) == set()


def test_every_rule_says_how_bad_it_is_and_what_to_type(root):
    text = (root / RULES).read_text(encoding="utf-8")
    for rule in text.split("- alert: ")[1:]:
        assert re.search(r"severity: (page|ticket)\}", rule), rule
        assert re.search(r"^          action: \"\S", rule, re.MULTILINE), rule
