"""A visitor who asks for one page over and over, and a record of what he got."""

import http.client
import threading
import time

from losos_lab import wait


class Watcher:
    """Asks from the start of its block to its end, a new connection and a new question every `every`
    seconds, however long the answers to earlier ones take; a question is given up after two
    seconds."""

    PATIENCE = 2.0

    def __init__(self, visitor, hostname, every=0.1):
        self._visitor = visitor
        self._hostname = hostname
        self._every = every
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._record = []
        self._threads = []

    def __enter__(self):
        self._clock = threading.Thread(target=self._tick, daemon=True)
        self._clock.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._clock.join()
        for thread in self._threads:
            thread.join(3 * self.PATIENCE)

    def record(self, since=0.0, until=float("inf")):
        """What was asked at (time.time()), when it was answered, and the status or the error's name;
        in the order of the questions."""
        with self._lock:
            return sorted(one for one in self._record if since <= one[0] < until)

    def first_good(self, since, timeout=30.0):
        """Waits for a 200 to a question that was asked after a moment; returns when it was there."""
        def found():
            return [answered for _, answered, status in self.record(since) if status == 200]
        return min(wait.until(found, lambda: f"a 200; there were {self.statuses(since)}", timeout))

    def settled(self, count=10, timeout=30.0):
        """Waits until so many questions in a row got their 200; returns when the first of them was
        asked."""
        began = time.time()

        def calm():
            last = self.record(began)[-count:]
            return len(last) == count and all(status == 200 for _, _, status in last) and last[0][0]
        return wait.until(calm, lambda: f"calm; there were {self.statuses(began)}", timeout)

    def failed_seconds(self, since=0.0, until=float("inf")):
        """For how long a visitor saw failures: as many questions as got no 200, times the time between
        two of them."""
        return self._every * sum(status != 200 for _, _, status in self.record(since, until))

    def longest_outage(self, since=0.0, until=float("inf")):
        """The longest time from one question that got its 200 to the next such one, less the time
        there is between two anyway."""
        good = [asked for asked, _, status in self.record(since, until) if status == 200]
        return max((later - one - self._every for one, later in zip(good, good[1:])), default=0.0)

    def statuses(self, since=0.0, until=float("inf")):
        """How often each outcome was seen."""
        counts = {}
        for _, _, status in self.record(since, until):
            counts[status] = counts.get(status, 0) + 1
        return counts

    def _tick(self):
        due = time.monotonic()
        while not self._stop.wait(max(0.0, due - time.monotonic())):
            due += self._every
            thread = threading.Thread(target=self._ask, daemon=True)
            self._threads = [one for one in self._threads if one.is_alive()] + [thread]
            thread.start()

    def _ask(self):
        asked = time.time()
        try:
            status = self._visitor.request(self._hostname, timeout=self.PATIENCE).status
        except (OSError, http.client.HTTPException) as error:
            status = type(error).__name__
        with self._lock:
            self._record.append((asked, time.time(), status))
