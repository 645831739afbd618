"""Sums up a test run: RESULTS is the folder with its junit files, RINGS what was asked for.

RESULTS/runs names them, a line a run: ring, junit file, exit status and seconds, parted by tabs.
The last line printed is 'N passed, N failed'; the exit status is 0 only when nothing failed.
"""

import glob
import os
import sys
import xml.etree.ElementTree as ElementTree

LINES_OF_A_FAILURE = 15


class Sum:
    """What was counted, over all rings."""

    def __init__(self, in_ci):
        self.in_ci = in_ci
        self.passed = 0
        self.failed = []  # (name, what was seen)
        self.not_run = []  # (name, reason)

    def fail(self, name, seen=""):
        self.failed.append((name, seen))

    def skip(self, name, reason):
        if self.in_ci:
            self.fail(name, f"not run, which CI does not accept: {reason}")
        else:
            self.not_run.append((name, reason))


def add_case(total, ring, case):
    """Counts one junit testcase."""
    name = f"{ring}: {case.get('name')}"
    broken = [child for child in case if child.tag in ("failure", "error")]
    skipped = case.find("skipped")
    if broken:
        seen = (child.text or child.get("message") or "" for child in broken)
        total.fail(name, "\n".join(seen).strip())
    elif skipped is not None:
        reason = skipped.get("message") or skipped.text or "no reason given"
        total.skip(name, reason.strip())
    else:
        total.passed += 1


def add_run(total, ring, report, status):
    """Counts one junit file; answers how many testcases it holds."""
    try:
        cases = list(ElementTree.parse(report).iter("testcase"))
    except FileNotFoundError:
        return 0
    except ElementTree.ParseError as error:
        total.fail(f"{ring}: ended before its report was whole", str(error))
        return 1
    failed_before = len(total.failed)
    for case in cases:
        add_case(total, ring, case)
    # A crash after the last test, or an error while tests were collected, is in no testcase.
    if status != 0 and cases and len(total.failed) == failed_before:
        total.fail(f"{ring}: exit status {status} although no test of it failed")
    return len(cases)


def add_sanitizer_reports(total, results, ring):
    """Each file that a sanitizer wrote in a ring is a failure, whichever process wrote it."""
    for path in sorted(glob.glob(os.path.join(results, f"{ring}.finding.*"))):
        with open(path, encoding="utf-8", errors="replace") as report:
            total.fail(f"{ring}: {os.path.basename(path)}", report.read().strip())


def read_runs(results):
    with open(os.path.join(results, "runs"), encoding="utf-8") as runs:
        for line in runs:
            ring, report, status, seconds = line.rstrip("\n").split("\t")
            yield ring, report, int(status), int(seconds)


def sum_up(results, rings, in_ci):
    """Counts everything below `results`; answers the sum and one line a ring."""
    total = Sum(in_ci)
    runs = list(read_runs(results))
    lines = []
    for ring in rings:
        passed, failed, not_run = total.passed, len(total.failed), len(total.not_run)
        mine = [run for run in runs if run[0] == ring]
        for _, report, status, _ in mine:
            if add_run(total, ring, report, status) == 0:
                total.fail(f"{ring}: ran no test", f"{report}, exit status {status}")
        if not mine:
            total.fail(f"{ring}: ran no test")
        add_sanitizer_reports(total, results, ring)
        lines.append(
            f"{ring}: {total.passed - passed} passed, {len(total.failed) - failed} failed, "
            f"{len(total.not_run) - not_run} not run, {sum(run[3] for run in mine)} s"
        )
    return total, lines


def main(results, rings):
    total, lines = sum_up(results, rings, os.environ.get("CI") == "true")
    print()
    for name, reason in total.not_run:
        print(f"not run: {name}: {reason}")
    for name, seen in total.failed:
        print(f"failed: {name}")
        for line in list(filter(str.strip, seen.splitlines()))[:LINES_OF_A_FAILURE]:
            print(f"    {line}")
    print("\n".join(lines))
    print(f"{total.passed} passed, {len(total.failed)} failed")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
