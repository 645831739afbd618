"""What a ring measures and prints at its end: a conftest that imports all of this has it."""

import pytest

_figures = pytest.StashKey[list]()


def pytest_configure(config):
    config.stash[_figures] = []


def pytest_terminal_summary(terminalreporter, config):
    if config.stash[_figures]:
        terminalreporter.section("figures")
        for line in config.stash[_figures]:
            terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def figure(request):
    """Prints one line at the end of the run."""
    return request.config.stash[_figures].append
