"""HTTP as a box speaks it, and as somebody speaks it who means no good: raw bytes."""

import contextlib
import json
import select
import socket
import time


class Answer:
    """Status, headers with lower-case names, and body."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def text(self):
        return self.body.decode("utf-8", errors="replace")

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.text.strip()!r}"


class HungUp(Exception):
    """The connection ended without a whole answer."""


def request_bytes(method, path, body=b"", headers=()):
    """A well-formed request; a body gets its Content-Length unless the headers say otherwise."""
    names = {name.lower() for name, _ in headers}
    lines = [f"{method} {path} HTTP/1.1"]
    if "host" not in names:
        lines.append("Host: edge.test")
    lines += [f"{name}: {value}" for name, value in headers]
    if body and not names & {"content-length", "transfer-encoding"}:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


class RawConnection:
    """A connection that sends exactly what it is told to."""

    def __init__(self, port, host="127.0.0.1", timeout=15.0):
        self._address = host, port
        self._timeout = timeout
        self._connect()

    def _connect(self):
        self.socket = socket.create_connection(self._address, self._timeout)
        self._input = b""

    def reconnect(self):
        """A connection anew, in place of one that has ended."""
        self.close()
        self._connect()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def try_send(self, data):
        """Whether all of it could be sent; the far side may have hung up."""
        try:
            self.socket.sendall(data)
        except OSError:
            return False
        return True

    def request(self, method, path, body=b"", headers=()):
        self.send(request_bytes(method, path, body, headers))

    def _more(self, deadline):
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([self.socket], [], [], left)[0]:
            raise TimeoutError("no answer in time")
        with contextlib.suppress(ConnectionResetError):
            data = self.socket.recv(65536)
            if data:
                self._input += data
                return
        raise HungUp(f"hung up after {self._input!r}")

    def answer(self, head_only=False, timeout=None):
        """The next answer, without a 100 Continue before it."""
        deadline = time.monotonic() + (timeout or self._timeout)
        while True:
            while b"\r\n\r\n" not in self._input:
                self._more(deadline)
            head, self._input = self._input.split(b"\r\n\r\n", 1)
            first, *lines = head.decode("latin-1").split("\r\n")
            status = int(first.split(" ", 2)[1])
            if status != 100:
                break
        headers = {}
        for line in lines:
            name, value = line.split(":", 1)
            headers[name.lower()] = value.strip()
        length = 0 if head_only or status == 204 else int(headers.get("content-length", 0))
        while len(self._input) < length:
            self._more(deadline)
        body, self._input = self._input[:length], self._input[length:]
        return Answer(status, headers, body)

    def ended(self, timeout=None):
        """Waits until the far side has hung up; True when no byte came before."""
        deadline = time.monotonic() + (timeout or self._timeout)
        try:
            while True:
                self._more(deadline)
        except HungUp:
            return not self._input

    def is_open(self):
        """Whether the far side has neither sent nor hung up."""
        return not select.select([self.socket], [], [], 0)[0]


def call(port, method, path, body=None, headers=(), host="127.0.0.1", timeout=15.0):
    """One request on a connection of its own. A dict or list goes as JSON, bytes as they are."""
    if body is None:
        body = b""
    elif not isinstance(body, bytes):
        body = json.dumps(body).encode()
    with RawConnection(port, host, timeout) as connection:
        connection.request(method, path, body, [*headers, ("Connection", "close")])
        return connection.answer(head_only=method == "HEAD")
