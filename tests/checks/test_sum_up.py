"""What counts as passed and failed when a test run is summed up."""

import pytest
import sum_up

CASE = '<testcase classname="c" name="{}">{}</testcase>'


@pytest.fixture
def summed(tmp_path):
    """Sums up {ring: (cases, exit status)} and answers (passed, failed names, not run names)."""

    def run(rings, in_ci=False, asked=None, files=None):
        lines = []
        for ring, (cases, status) in rings.items():
            report = tmp_path / f"{ring}.xml"
            if cases is not None:
                report.write_text(cases)
            lines.append(f"{ring}\t{report}\t{status}\t1\n")
        (tmp_path / "runs").write_text("".join(lines))
        for name, text in (files or {}).items():
            (tmp_path / name).write_text(text)
        total, _ = sum_up.sum_up(str(tmp_path), asked or list(rings), in_ci)
        return total.passed, [name for name, _ in total.failed], [name for name, _ in total.not_run]

    return run


def report(*cases):
    return "<testsuites><testsuite>" + "".join(cases) + "</testsuite></testsuites>"


def test_cases_are_counted_and_not_the_attributes_of_their_suite(summed):
    cases = '<testsuite tests="9" failures="0">' + CASE.format("a", "") + CASE.format("b", "") + "</testsuite>"
    assert summed({"unit": (cases, 0)}) == (2, [], [])


def test_a_failure_and_an_error_fail(summed):
    cases = report(CASE.format("a", "<failure>no</failure>"), CASE.format("b", "<error>no</error>"))
    assert summed({"unit": (cases, 1)}) == (0, ["unit: a", "unit: b"], [])


def test_a_skipped_test_is_named_as_not_run(summed):
    cases = report(CASE.format("a", '<skipped message="needs root"/>'), CASE.format("b", ""))
    assert summed({"e2e": (cases, 0)}) == (1, [], ["e2e: a"])


def test_a_skipped_test_fails_in_ci(summed):
    cases = report(CASE.format("a", '<skipped message="needs root"/>'))
    assert summed({"e2e": (cases, 0)}, in_ci=True) == (0, ["e2e: a"], [])


def test_a_ring_that_ran_nothing_fails(summed):
    assert summed({"unit": (report(), 0)}) == (0, ["unit: ran no test"], [])


def test_a_ring_without_a_report_fails(summed):
    assert summed({"unit": (None, 127)}) == (0, ["unit: ran no test"], [])


def test_a_ring_that_was_asked_for_and_never_ran_fails(summed):
    assert summed({}, asked=["golden"]) == (0, ["golden: ran no test"], [])


def test_a_report_that_was_cut_short_fails(summed):
    cut = "<testsuite>" + CASE.format("a", "")
    assert summed({"unit": (cut, 134)}) == (0, ["unit: ended before its report was whole"], [])


def test_an_exit_status_that_no_case_explains_fails(summed):
    passed, failed, _ = summed({"unit": (report(CASE.format("a", "")), 99)})
    assert (passed, failed) == (1, ["unit: exit status 99 although no test of it failed"])


def test_what_a_sanitizer_wrote_fails(summed):
    cases = report(CASE.format("a", ""))
    passed, failed, _ = summed({"sanitize": (cases, 0)}, files={"sanitize.finding.123": "ERROR: leak\n"})
    assert (passed, failed) == (1, ["sanitize: sanitize.finding.123"])


def test_the_last_line_is_the_sum(summed, tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    summed({"unit": (report(CASE.format("a", "")), 0)})
    assert sum_up.main(str(tmp_path), ["unit"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 passed, 0 failed"
