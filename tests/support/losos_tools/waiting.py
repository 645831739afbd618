"""Waiting for something to become true. No test sleeps for a fixed time."""

import time

PAUSE = 0.004


class TimedOut(AssertionError):
    """What was waited for did not come in time."""


def until(condition, what, timeout=15.0):
    """Returns the first true value of condition(). TimedOut names what was waited for: `what`, or
    what it returns when it is called then."""
    deadline = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() >= deadline:
            raise TimedOut(f"waited {timeout:g} s for {what() if callable(what) else what}")
        time.sleep(PAUSE)


def as_long_as(condition, what, while_true):
    """Checks condition() again and again for as long as while_true() holds, and once more after."""
    more = True
    while more:
        more = while_true()
        assert condition(), what
        time.sleep(PAUSE if more else 0)
