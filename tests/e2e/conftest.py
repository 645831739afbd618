"""Fixtures of the e2e ring: labs that are up, and the figures the run prints at its end."""

import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from figures_shown import figure, pytest_configure, pytest_terminal_summary  # noqa: E402, F401
from losos_lab import HASTY, Lab  # noqa: E402


def pytest_collection_modifyitems(items):
    if os.geteuid() == 0 or os.environ.get("CI"):
        return
    for item in items:
        item.add_marker(pytest.mark.skip(reason="not run: it makes network namespaces as root"))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.failed:
        for lab in Lab.standing:
            report.sections.append((f"logs of {lab.tag}", lab.story()))


def _running(**options):
    with Lab(**options) as lab:
        lab.start_edges()
        yield lab


@pytest.fixture(scope="session")
def lab():
    """The lab of every day: stock timing, Noise on. Tests leave it as they found it."""
    yield from _running()


@pytest.fixture(scope="module")
def hasty_lab():
    """A lab in which everything that ages does so within seconds."""
    yield from _running(timing=HASTY)


@pytest.fixture
def own_lab():
    """A lab of the test's own, which it may break."""
    yield from _running(timing=HASTY)


@pytest.fixture
def plain_lab():
    """A lab without Noise."""
    yield from _running(noise=False, timing=HASTY)


@pytest.fixture(scope="session")
def mattbox(lab):
    """One box that is public through the lab's hub."""
    box = lab.box("mattbox")
    box.come()
    lab.visitor.wait_status(box.hostname, 200, 30)
    return box
