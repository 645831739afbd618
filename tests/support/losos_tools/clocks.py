"""A wall clock of a test's own for the programs it starts."""

import os

from .faults import BUILD_DIR
from .files import write_text

CLOCK = BUILD_DIR / "tests" / "support" / "stepped_clock" / "losos-stepped-clock.so"


class WallClock:
    """The wall clock of the programs that are started with `env`."""

    def __init__(self, folder):
        assert CLOCK.exists(), f"{CLOCK} is not built"
        self._file = folder / "clock"
        self.step(0)
        self.env = {"LD_PRELOAD": str(CLOCK), "LOSOS_TEST_CLOCK": str(self._file),
                    "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"}

    def step(self, seconds):
        write_text(self._file, f"step {seconds}\n")

    def stop(self, at):
        write_text(self._file, f"stop {at}\n")
