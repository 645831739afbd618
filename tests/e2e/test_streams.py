"""Long streams live on while other boxes come and go."""

import asyncio
import hashlib
import json
import re
import threading
import time

import websockets
from losos_lab import pattern

OTHERS = 50
LARGE = 2 << 30
# After so many boxes the gateway's uplink passes once more, although nothing has changed.
PASS_EVERY = 5
# Longer than Traefik's stock limit of 60 s for a whole request.
SLOW_SECONDS = 66


class Crowd:
    """The other boxes, one after the other: each comes, is seen by a visitor, and goes."""

    def __init__(self, lab):
        self._lab = lab
        self._condition = threading.Condition()
        self._gone = 0
        self.failure = None

    def run(self):
        try:
            for number in range(OTHERS):
                self._one(f"other{number}")
                if number % PASS_EVERY == 0:
                    self._lab.gateway.uplink_pass()
                with self._condition:
                    self._gone += 1
                    self._condition.notify_all()
        except BaseException as error:
            self.failure = error
            with self._condition:
                self._gone = OTHERS
                self._condition.notify_all()
            raise

    def _one(self, box_id):
        box = self._lab.box(box_id)
        box.come()
        self._lab.visitor.wait_status(box.hostname, 200)
        box.stop()
        assert box.deregister() == 204
        self._lab.visitor.wait_status(box.hostname, 404)

    def wait_gone(self, share):
        """Blocks until that share of the boxes, from 0 to 1, has come and gone."""
        with self._condition:
            self._condition.wait_for(lambda: self._gone >= int(share * OTHERS), 300)


class Worker(threading.Thread):
    """Runs one stream beside the others and keeps its result or its failure."""

    def __init__(self, work, *args):
        super().__init__(daemon=True)
        self._work, self._args = work, args
        self._value = self._error = None
        self.start()

    def run(self):
        try:
            self._value = self._work(*self._args)
        except BaseException as error:
            self._error = error

    def result(self, timeout):
        self.join(timeout)
        assert not self.is_alive(), f"{self._work.__name__} did not end within {timeout} s"
        if self._error:
            raise self._error
        return self._value


def put(lab, hostname, pieces, size):
    """Uploads pieces over one connection; returns what the box got and what was sent."""
    digest = hashlib.sha256()

    def counted():
        for piece in pieces:
            digest.update(piece)
            yield piece

    connection = lab.visitor.open(hostname, timeout=180)
    try:
        connection.request("PUT", "/upload", counted(), {"Content-Length": str(size)})
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 200, body
        return json.loads(body), digest.hexdigest()
    finally:
        connection.close()


def large_upload(lab, hostname, crowd):
    """Held back so that it is under way until the last box has gone."""
    def pieces():
        for number, block in enumerate(pattern.blocks(LARGE)):
            crowd.wait_gone(number * pattern.BLOCK / LARGE)
            yield block

    return put(lab, hostname, pieces(), LARGE)


def large_download(lab, hostname, crowd):
    """Read only so fast that it is under way until the last box has gone; returns its size and
    checksum."""
    room = memoryview(bytearray(pattern.BLOCK))
    digest, size = hashlib.sha256(), 0
    connection = lab.visitor.open(hostname, timeout=180)
    try:
        connection.request("GET", f"/download?{LARGE}")
        answer = connection.getresponse()
        assert answer.status == 200
        while got := answer.readinto(room):
            crowd.wait_gone(size / LARGE)
            digest.update(room[:got])
            size += got
        return size, digest.hexdigest()
    finally:
        connection.close()


def slow_upload(lab, hostname, stop):
    """A little at a time, for longer than a stock Traefik allows."""
    step = 0.5
    count = int(SLOW_SECONDS / step)
    start = time.monotonic()

    def pieces():
        for number in range(count):
            stop.wait(step)
            yield f"{number:08d}".encode()

    body, digest = put(lab, hostname, pieces(), 8 * count)
    return body, digest, time.monotonic() - start


def chat(lab, hostname, stop):
    """One websocket, a message and its echo at a time until told to stop; returns how many."""
    async def talk():
        raw = lab.visitor_space.connect((lab.visitor.hub_address, 443))
        raw.setblocking(False)
        async with websockets.connect(
                f"wss://{hostname}/echo", sock=raw, ssl=lab.visitor_context(),
                server_hostname=hostname, ping_interval=None) as socket:
            count = 0
            while not stop.is_set():
                await socket.send(str(count))
                assert await asyncio.wait_for(socket.recv(), 10) == str(count)
                count += 1
                await asyncio.sleep(0.05)
            return count
    return asyncio.run(talk())


def traefik_writes(edge):
    text = (edge.run_dir / "metrics.prom").read_text()
    return int(re.search(r"^losos_registrar_traefik_writes_total (\d+)$", text, re.MULTILINE)[1])


def test_a_websocket_and_long_streams_survive_fifty_other_boxes_coming_and_going(lab, mattbox,
                                                                                figure):
    name = mattbox.hostname
    stop, crowd = threading.Event(), Crowd(lab)
    start, writes = time.monotonic(), traefik_writes(lab.hub)
    try:
        words = Worker(chat, lab, name, stop)
        slow = Worker(slow_upload, lab, name, stop)
        upload = Worker(large_upload, lab, name, crowd)
        download = Worker(large_download, lab, name, crowd)
        with lab.certified([lab.names.box(f"other{n}") for n in range(OTHERS)]):
            crowd.run()
        took = time.monotonic() - start
        # Each box's coming and its going.
        assert traefik_writes(lab.hub) - writes >= 2 * OTHERS - 1
        got, sent = upload.result(120)
        assert got == {"size": LARGE, "sha256": sent}
        assert download.result(120) == (LARGE, sent)
        slow_got, slow_sent, slow_took = slow.result(120)
        assert slow_got["sha256"] == slow_sent
        assert slow_took > 60
    finally:
        stop.set()
    echoes = words.result(20)
    assert echoes > 100
    figure(f"50 boxes came and went in {took:.0f} s beside 2 GiB up, 2 GiB down, a "
           f"{slow_took:.0f} s upload and {echoes} websocket echoes")
