"""A stand-in for an edge that is not there: answers what it is told to, and notes who asked."""

import json
import socket
import threading
import time

from .waiting import until


class Request:
    """What somebody asked."""

    def __init__(self, method, path, headers, body):
        self.method, self.path, self.headers, self.body = method, path, headers, body
        self.at = time.monotonic()

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.method} {self.path} {self.body[:200]!r}"


class HangUp:
    """An answer that is none: the connection ends."""


def reply(status, body=b"", **headers):
    """The bytes of an answer. A dict or list goes as JSON."""
    if isinstance(body, (dict, list)):
        body = json.dumps(body).encode()
    elif isinstance(body, str):
        body = body.encode()
    lines = [f"HTTP/1.1 {status} Whatever", f"Content-Length: {len(body)}", "Connection: close"]
    if status == 204:
        del lines[1]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class StandIn:
    """`answers` maps a path to the bytes of an answer, HangUp, or a function of the request that
    returns one of them. It may be changed at any time; what is not in it, with its query or
    without, is answered 404.
    `listening`: a socket of another network, say; `tls`: a context, which may be changed as well."""

    def __init__(self, answers=None, listening=None, tls=None):
        self.answers = dict(answers or {})
        self.tls = tls
        self.requests = []
        self._listening = listening or socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._stopping = False
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self._stopping = True
        # Wakes accept(), which close() alone does not.
        try:
            self._listening.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._listening.close()

    def asked(self, path):
        """The requests for one path so far."""
        return [request for request in list(self.requests) if request.path == path]

    def wait_asked(self, path, count=1, timeout=15.0):
        def enough():
            found = self.asked(path)
            return found if len(found) >= count else None
        return until(enough, lambda: f"{count} requests for {path}; there were {self.requests}",
                     timeout)

    def _accept(self):
        while not self._stopping:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            if self.tls:
                connection = self.tls.wrap_socket(connection, server_side=True)
        except OSError:
            connection.close()
            return
        with connection:
            try:
                request = _read_request(connection)
                if request is None:
                    return
                bare_path = request.path.partition("?")[0]
                answer = self.answers.get(request.path, self.answers.get(
                    bare_path, reply(404, "nothing here\n")))
                self.requests.append(request)
                if callable(answer) and answer is not HangUp:
                    answer = answer(request)
                if answer is not HangUp:
                    connection.sendall(answer)
            except OSError:
                return


def _read_request(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more:
            return None
        data += more
    head, body = data.split(b"\r\n\r\n", 1)
    first, *lines = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {}
    for line in lines:
        name, value = line.split(":", 1)
        headers[name.lower()] = value.strip()
    length = int(headers.get("content-length", 0))
    while len(body) < length:
        more = connection.recv(65536)
        if not more:
            return None
        body += more
    return Request(method, path, headers, body)
