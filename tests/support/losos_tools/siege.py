"""The two sides of a siege, each a process of its own: boxes that beat every second, and attackers
that hold as many connections as they can get. Started by test_siege.py, which talks to them in
lines of JSON."""

import asyncio
import collections
import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
import time

from . import http
from .process import ROOT

_TRICKLE_PAUSE = 0.2


class Side:
    """A running side, as the test sees it."""

    def __init__(self, role, plan, niceness=0):
        self._popen = subprocess.Popen(
            [sys.executable, "-B", "-m", "losos_tools.siege", role], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, cwd=ROOT / "tests" / "support",
            preexec_fn=lambda: os.nice(niceness))
        self.tell(plan)

    def tell(self, value):
        self._popen.stdin.write(json.dumps(value) + "\n")
        self._popen.stdin.flush()

    def hear(self, timeout):
        """The next line it says."""
        if not select.select([self._popen.stdout], [], [], timeout)[0]:
            raise TimeoutError(f"a side of the siege said nothing for {timeout} s")
        return json.loads(self._popen.stdout.readline())

    def stop(self):
        """Asks it to end, and returns its last line."""
        self._popen.send_signal(signal.SIGTERM)
        return self.hear(30)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._popen.kill()
        self._popen.wait()
        self._popen.stdin.close()
        self._popen.stdout.close()


def _say(value):
    print(json.dumps(value), flush=True)


# --- boxes ---


class Boxes:
    """Registers each box, then lets each beat every second, on a connection of its own each time as
    losos-announce does. Told a number, it counts that many heartbeats of each box and says how
    they went."""

    def __init__(self, plan):
        self.host, self.port, self.boxes = plan["host"], plan["port"], plan["boxes"]
        self.quota = 0
        self.counted = []
        self.odd = []

    async def call(self, box, path, **fields):
        """(what came of it, seconds)."""
        body = json.dumps({"appliance_id": box["id"], "token": box["token"], **fields}).encode()
        headers = [("X-Forwarded-For", box["forwarded"])] if "forwarded" in box else []
        start = time.monotonic()
        try:
            async with asyncio.timeout(20):
                reader, writer = await asyncio.open_connection(
                    box.get("host", self.host), self.port, local_addr=(box["address"], 0))
                try:
                    writer.write(http.request_bytes("POST", path, body,
                                                    [*headers, ("Connection", "close")]))
                    head = await reader.readuntil(b"\r\n\r\n")
                    await reader.read()
                finally:
                    writer.close()
            return int(head.split(b" ", 2)[1]), time.monotonic() - start
        except (OSError, asyncio.IncompleteReadError, TimeoutError) as fault:
            return repr(fault), time.monotonic() - start

    async def live(self, box, first):
        due = first
        while True:
            await asyncio.sleep(due - time.monotonic())
            mine, self_count = self.quota, box.setdefault("counted", 0)
            outcome = await self.call(box, "/heartbeat")
            if outcome[0] != 204:
                self.odd.append(outcome)
            if self_count < mine:
                box["counted"] += 1
                self.counted.append(outcome)
                if len(self.counted) == mine * len(self.boxes):
                    self.report()
            due = max(due + 1, time.monotonic())

    def report(self):
        took = sorted(seconds for _, seconds in self.counted)
        _say({"answers": collections.Counter(str(what) for what, _ in self.counted),
              "median": took[len(took) // 2], "worst": took[-1],
              "late": took[int(len(took) * 0.999)]})

    async def run(self):
        gate = asyncio.Semaphore(16)

        async def register(box):
            async with gate:
                answer, _ = await self.call(box, "/register", hostname=f"{box['id']}.losos.test")
                if answer != 200:
                    self.odd.append((answer, 0))

        await asyncio.gather(*(register(box) for box in self.boxes))
        _say({"registered": len(self.boxes) - len(self.odd), "odd": self.odd})
        start = time.monotonic()
        lives = [asyncio.create_task(self.live(box, start + random.random()))
                 for box in self.boxes]
        loop = asyncio.get_running_loop()
        stopped = asyncio.Event()
        loop.add_signal_handler(signal.SIGTERM, stopped.set)
        loop.add_reader(sys.stdin, self.told)
        await stopped.wait()
        for life in lives:
            life.cancel()
        _say({"odd": self.odd})

    def told(self):
        self.quota = json.loads(sys.stdin.readline())


# --- attackers ---


class Attacker:
    """One of an attacker's connections, opened anew as soon as it is cut."""

    def __init__(self, family, place, source, script, trickles):
        self.family, self.place, self.source = family, place, source
        self.script, self.trickles = script, trickles
        self.socket = None
        self.established = False
        self.sent = 0

    def open(self, epoll):
        self.socket = socket.socket(self.family, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        self.socket.bind((self.source, 0))
        self.socket.connect_ex(self.place)
        self.established, self.sent = False, 0
        epoll.register(self.socket, select.EPOLLIN | select.EPOLLOUT | select.EPOLLRDHUP)
        # On loopback it stands already, and a proxy does not open one before it has what to send.
        self.begin(epoll)
        return self.socket.fileno()

    def begin(self, epoll):
        """Sends at once what does not trickle, as soon as the connection stands."""
        if self.trickles:
            self.send(self.trickles)
            if not self.sent:
                return
        self.established = True
        epoll.modify(self.socket, select.EPOLLIN | select.EPOLLRDHUP)

    def send(self, count):
        piece = self.script[self.sent:self.sent + count] or b"x" * min(count, 1)
        try:
            self.sent += self.socket.send(piece) if piece else 0
        except OSError:
            pass

    def is_cut(self):
        try:
            return not self.socket.recv(65536)
        except BlockingIOError:
            return False
        except OSError:
            return True


HEAD = b"POST /heartbeat HTTP/1.1\r\nHost: edge.test\r\n"
BODY = HEAD + b"Content-Length: 60000\r\n\r\n"


def _attackers(plan):
    family = socket.AF_INET6 if ":" in plan["host"] else socket.AF_INET
    for number, source in enumerate(plan["sources"]):
        forwarded = plan.get("forwarded")
        if forwarded:
            said = f"X-Forwarded-For: {forwarded[number % len(forwarded)]}\r\n".encode()
            script = HEAD + said + b"Content-Length: 60000\r\n\r\n"
            whole = len(script)
        else:
            # Every other one is silent; of the rest, one half trickles heads, one half bodies.
            kind = number % 4
            script = {1: HEAD + b"X: ", 3: BODY}.get(kind, b"")
            whole = {1: 0, 3: len(BODY)}.get(kind)
        yield Attacker(family, (plan["host"], plan["port"]), source, script, whole)


def attack(plan):
    """Until told to stop; then says how often a connection was cut and opened anew."""
    stopping = []
    signal.signal(signal.SIGTERM, lambda *_: stopping.append(True))
    epoll = select.epoll()
    by_fd = {each.open(epoll): each for each in _attackers(plan)}
    cut = 0
    _say({"opened": len(by_fd)})
    next_trickle = time.monotonic()
    while not stopping:
        for fd, events in epoll.poll(max(0.0, next_trickle - time.monotonic()), 64):
            each = by_fd[fd]
            if events & select.EPOLLOUT and not each.established:
                each.begin(epoll)
            if events & ~select.EPOLLOUT and each.is_cut():
                each.socket.close()
                del by_fd[fd]
                by_fd[each.open(epoll)] = each
                cut += 1
        if time.monotonic() >= next_trickle:
            next_trickle = time.monotonic() + _TRICKLE_PAUSE
            for each in by_fd.values():
                if each.established and each.trickles is not None:
                    each.send(1)
    _say({"cut": cut})


if __name__ == "__main__":
    _plan = json.loads(sys.stdin.readline())
    if sys.argv[1] == "attack":
        attack(_plan)
    else:
        asyncio.run(Boxes(_plan).run())
