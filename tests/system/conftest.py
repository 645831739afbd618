"""Fixtures of the system ring: booted machines, and the figures the run prints at its end."""

import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from figures_shown import figure, pytest_configure, pytest_terminal_summary  # noqa: E402, F401
from losos_system import Federation  # noqa: E402


def pytest_collection_modifyitems(items):
    if os.geteuid() == 0 or os.environ.get("CI"):
        return
    for item in items:
        item.add_marker(pytest.mark.skip(reason="not run: only root boots machines"))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.failed:
        for federation in Federation.standing:
            report.sections.append(("journals", federation.story()))


@pytest.fixture(scope="session")
def rounds():
    """How often what is timed is done: three times, or LOSOS_ROUNDS."""
    return int(os.environ.get("LOSOS_ROUNDS", "3"))


@pytest.fixture(scope="module")
def federation():
    """Three machines that run, with nothing set up; one file's tests share them."""
    with Federation() as all_three:
        yield all_three


@pytest.fixture(scope="module")
def site(federation):
    """The same, all set up by their owners, and the box public through the hub."""
    yield federation.set_up()
