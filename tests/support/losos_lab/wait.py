"""Waiting for something to become true. Nothing in the lab sleeps for a fixed time."""

import time

PAUSE = 0.005


class TimedOut(AssertionError):
    """What was waited for did not come in time."""


def until(condition, what, timeout=15.0, pause=PAUSE):
    """Returns the first true value of condition(). TimedOut names what was waited for: `what`, or
    what it returns when it is called then."""
    deadline = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() >= deadline:
            raise TimedOut(f"waited {timeout:g} s for {what() if callable(what) else what}")
        time.sleep(pause)
