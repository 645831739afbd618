"""Where the checks find the tree and the built tools."""

import os
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, str(ROOT / "tests" / "support"))

import nixos_modules  # noqa: E402


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def bin_dir():
    """The folder with the built tools; without it a check that needs one fails."""
    return pathlib.Path(os.environ.get("LOSOS_BIN_DIR", ROOT / "build" / "gcc" / "bin"))


@pytest.fixture
def tree(tmp_path):
    """Makes a small tree from {path: text}, for a check to be tried on."""

    def make(files):
        for path, text in files.items():
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        return tmp_path

    return make


@pytest.fixture(scope="session")
def evaluated():
    """The flake and its modules as nix evaluates them."""
    return nixos_modules.evaluated()


@pytest.fixture(scope="session")
def accepted(evaluated):
    """The systems of the configurations that are to work and do something."""
    return {name: system for name, system in evaluated["accepted"].items() if name != "nothing"}
