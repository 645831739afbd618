"""A visitor who asks for one name without a pause and can say of every request what it came to."""

import http.client
import threading
import time
from dataclasses import dataclass

from . import wait
from .visitors import PAGE


@dataclass(frozen=True)
class Request:
    begun: float
    kind: str
    # The box whose page it was, "404" and the like, or how the connection failed.
    outcome: str


class Witness:
    """Asks on a connection that is kept and, besides, on a fresh one each time."""

    KINDS = ("kept", "fresh")

    def __init__(self, visitor, hostname, timeout=5.0, pause=0.005):
        self._visitor = visitor
        self._hostname = hostname
        self._timeout = timeout
        self._pause = pause
        self._stop = threading.Event()
        self._threads = []
        self._requests = []

    def __enter__(self):
        for kind in self.KINDS:
            thread = threading.Thread(target=self._ask, args=(kind,), daemon=True)
            self._threads.append(thread)
            thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        for thread in self._threads:
            thread.join(3 * self._timeout)

    def since(self, moment):
        """The requests begun after the moment that have come to an end."""
        return [request for request in list(self._requests) if request.begun > moment]

    def outcomes(self, since=0.0):
        return {request.outcome for request in self.since(since)}

    def other_than(self, *pages, since=0.0):
        """The requests that came to anything but one of these pages."""
        return [request for request in self.since(since) if request.outcome not in pages]

    def wait_requests(self, count, since=None, timeout=15.0):
        """Waits for that many more requests of each kind; returns the moment they were counted
        from."""
        since = time.monotonic() if since is None else since

        def there():
            kinds = [request.kind for request in self.since(since)]
            return all(kinds.count(kind) >= count for kind in self.KINDS)
        wait.until(there, f"{count} more requests of each kind", timeout)
        return since

    def wait_page(self, page, timeout=15.0):
        """Waits until both kinds are shown this page; returns the moment from which on they are."""
        def settled():
            last = {request.kind: request for request in list(self._requests)[-50:]}
            shown = [last[kind] for kind in self.KINDS if kind in last]
            if len(shown) == len(self.KINDS) and all(r.outcome == page for r in shown):
                return max(request.begun for request in shown)
            return None
        return wait.until(settled, lambda: f"the page of {page}; shown is "
                                           f"{self.outcomes(time.monotonic() - 1)}", timeout)

    def _ask(self, kind):
        connection = None
        while not self._stop.is_set():
            begun = time.monotonic()
            try:
                connection = connection or self._visitor.open(self._hostname, self._timeout)
                connection.request("GET", "/")
                answer = connection.getresponse()
                shown = PAGE.search(answer.read())
                outcome = shown.group(1).decode() if shown and answer.status == 200 else \
                    str(answer.status)
                over = answer.will_close or kind == "fresh"
            except (OSError, http.client.HTTPException) as error:
                outcome, over = repr(error), True
            self._requests.append(Request(begun, kind, outcome))
            if over and connection:
                connection.close()
                connection = None
            self._stop.wait(self._pause)
        if connection:
            connection.close()
