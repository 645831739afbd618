"""Boxes that come, are seen by every visitor, and go, several at a time and over and over.

A box that has left keeps its tunnel for a while, as one that its operator forgets does: else its
connections would end with it, and could show nobody anything.
"""

import collections
import http.client
import json
import threading
import time

from . import wait

WORKERS = 4
# So many boxes that have left still have their tunnels.
LINGER = 12
PAUSE = 0.05


class Churn:
    """Runs from the start of its block until `comings` boxes have come, or to its end. Where it is
    `patient`, an edge that does not answer is asked again."""

    def __init__(self, lab, boxes, visitors, comings=None, patient=False, within=30.0):
        self._lab = lab
        self._visitors = visitors
        self._waiting = collections.deque(boxes)
        self._left = collections.deque()
        self._comings = comings
        self._patient = patient
        self._within = within
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._failure = None
        self._threads = []
        self._port_owners = collections.defaultdict(list)
        self.seen = 0

    def __enter__(self):
        for _ in range(WORKERS):
            self._threads.append(threading.Thread(target=self._work, daemon=True))
            self._threads[-1].start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._join()
        for box in self._left:
            box.tunnel.kill()

    def finish(self):
        """Waits until all comings are over."""
        self._join()
        self.check()

    def check(self):
        if self._failure:
            raise self._failure

    def wait_seen(self, count, timeout):
        """Waits until so many have come and been seen."""
        def reached():
            self.check()
            return self.seen >= count
        wait.until(reached, lambda: f"{count} boxes to be seen, not {self.seen}", timeout)

    def handovers(self):
        """How often a port went from one box to another, at either edge."""
        return sum(one != other for owners in self._port_owners.values()
                   for one, other in zip(owners, owners[1:]))

    def ports(self):
        """How many ports were used, of both edges together."""
        return len(self._port_owners)

    def _join(self):
        for thread in self._threads:
            thread.join()

    def _work(self):
        try:
            while box := self._next():
                start = time.monotonic()
                self.come(box)
                self._visitors.wait_seen(start, self._within, box.hostname)
                self._note(box)
                self._leave(box)
        except BaseException as error:
            self._failure = self._failure or error
            self._stop.set()

    def _next(self):
        with self._lock:
            if self._stop.is_set() or self._comings == 0:
                return None
            if self._comings is not None:
                self._comings -= 1
            return self._waiting.popleft()

    def come(self, box):
        """Registers and starts the tunnel, as the box's units do."""
        with self._lock:
            lingers = box in self._left
            if lingers:
                self._left.remove(box)
        if lingers:
            box.tunnel.kill()
        # No port may be free as long as others rest.
        self._ask(box.register, {200}, {503}, f"a port for {box.id}")
        wait.until(lambda: box.client_config(expect=None if self._patient else 0).code == 0,
                   f"the tunnel's configuration of {box.id}", self._within, PAUSE)
        box.start_tunnel()

    def _leave(self, box):
        """By its own word, or by its operator's, in turn."""
        if self.seen % 2 or box.edge is self._lab.hub:
            self._ask(box.deregister, {204}, set(), f"{box.id} to leave")
        else:
            self._lab.gateway.losos_edge("forget", box.id)
        with self._lock:
            self._waiting.append(box)
            self._left.append(box)
            oldest = self._left.popleft() if len(self._left) > LINGER else None
        if oldest:
            oldest.tunnel.kill()

    def _ask(self, question, done, again, what):
        def answered():
            try:
                status = question()
            except (OSError, http.client.HTTPException):
                if not self._patient:
                    raise
                return False
            if status not in done | again and not (self._patient and status == 503):
                raise AssertionError(f"waited for {what} and was answered {status}")
            return status in done
        wait.until(answered, what, self._within, PAUSE)

    def _note(self, box):
        with self._lock:
            self.seen += 1
            for kind, port in self._lab.ports_of(box).items():
                self._port_owners[kind, port].append(box.id)
