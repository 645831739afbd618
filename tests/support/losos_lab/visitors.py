"""Visitors who ask for boxes on and on, and tell at once when one is shown another box's page."""

import collections
import http.client
import re
import threading
import time

from . import wait

PAGE = re.compile(rb'"page": "([^"]*)"')


class MixUp(AssertionError):
    """A visitor who asked for one box got the page of another."""


class Visitors:
    """`pages` maps each hostname to the box whose page it is. Refusals and broken connections are
    counted; a wrong page ends the test at its next watch() or wait."""

    def __init__(self, pages, timeout=5.0, pause=0.005):
        self._pages = pages
        self._timeout = timeout
        self._pause = pause
        self._stop = threading.Event()
        self._mixed_up = threading.Event()
        self._mix_up = None
        self._threads = []
        self._seen = {}
        self.counts = collections.Counter()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._stop.set()
        for thread in self._threads:
            thread.join(3 * self._timeout)

    def fresh(self, name, visitor, hostnames):
        """A connection for each request."""
        self._start(name, hostnames, lambda host, _: visitor.open(host, self._timeout),
                    lambda host: None)

    def keeping(self, name, visitor, hostnames):
        """A connection for each hostname, kept as long as it lives."""
        self._start(name, hostnames, lambda host, _: visitor.open(host, self._timeout),
                    lambda host: host)

    def sharing(self, name, visitor, hostnames):
        """One connection for all hostnames, as a browser has it where one certificate names them
        all."""
        self._start(name, hostnames, lambda _, first: visitor.open(first, self._timeout),
                    lambda host: "all")

    def watch(self, seconds):
        """Lets time pass, until a wrong page is seen."""
        self._mixed_up.wait(seconds)
        if self._mix_up:
            raise MixUp(self._mix_up)

    def wait_seen(self, moment, timeout, host=None):
        """Waits until every visitor has got every page, or that of one host, by a request begun
        after the moment; returns when the last of them had."""
        def missing():
            self.watch(0)
            return [f"{name} for {asked}" for (name, asked), at in self._seen.items()
                    if at <= moment and host in (None, asked)]

        wait.until(lambda: not missing(),
                   lambda: f"every page; not seen by {', '.join(missing())}", timeout)
        return time.monotonic()

    def _start(self, name, hostnames, dial, key):
        self._seen.update({(name, host): 0.0 for host in hostnames})
        thread = threading.Thread(target=self._ask, args=(name, list(hostnames), dial, key),
                                  daemon=True)
        self._threads.append(thread)
        thread.start()

    def _ask(self, name, hostnames, dial, key):
        kept = {}
        while not self._stop.is_set():
            for host in hostnames:
                begun = time.monotonic()
                connection = kept.pop(key(host), None)
                try:
                    connection = connection or dial(host, hostnames[0])
                    connection.request("GET", "/", headers={"Host": host})
                    answer = connection.getresponse()
                    body = answer.read()
                except (OSError, http.client.HTTPException):
                    self.counts["broken"] += 1
                    if connection:
                        connection.close()
                    self._stop.wait(self._pause)
                    continue
                if key(host) and not answer.will_close:
                    kept[key(host)] = connection
                else:
                    connection.close()
                self._judge(name, host, begun, answer.status, body)
                if self._stop.wait(self._pause):
                    break
        for connection in kept.values():
            connection.close()

    def _judge(self, name, host, begun, status, body):
        self.counts[status] += 1
        shown = PAGE.search(body)
        page = shown.group(1).decode() if shown else None
        if page is None and status != 200:
            return
        if page != self._pages[host]:
            self._mix_up = (f"{name} asked for {host} and was shown {status} with the page of "
                            f"{page}: {body[:200]!r}")
            self._mixed_up.set()
            self._stop.set()
        elif status == 200:
            self._seen[name, host] = begun
