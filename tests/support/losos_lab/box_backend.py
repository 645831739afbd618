"""The applications behind the box's nginx: long streams and a websocket echo.

Runs as a program of its own on the box: `box_backend.py <stream port> <websocket port>`.
"""

import asyncio
import hashlib
import http.server
import json
import sys
import threading
import urllib.parse

import websockets

import pattern

CHUNK = 1 << 20


class Streams(http.server.BaseHTTPRequestHandler):
    """Takes any upload and answers with its size and checksum; `GET /download?<size>` gets as many
    bytes of the pattern."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        size = int(urllib.parse.urlsplit(self.path).query)
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(size))
        self.end_headers()
        for block in pattern.blocks(size):
            self.connection.sendall(block)

    def do_PUT(self):
        digest, size = hashlib.sha256(), 0
        for piece in self._pieces():
            digest.update(piece)
            size += len(piece)
        body = json.dumps({"size": size, "sha256": digest.hexdigest()}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _pieces(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            while size := int(self.rfile.readline().split(b";")[0], 16):
                yield self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return
        left = int(self.headers.get("Content-Length", "0"))
        room = memoryview(bytearray(CHUNK))
        while left:
            size = self.rfile.readinto(room[:left])
            if not size:
                raise ConnectionError("the upload ended early")
            left -= size
            yield room[:size]

    def log_message(self, format, *args):
        pass


async def echo(connection):
    async for message in connection:
        await connection.send(message)


async def serve_websockets(port):
    # Pings are off: the connection must live by the tunnels' doing alone.
    async with websockets.serve(echo, "127.0.0.1", port, ping_interval=None):
        await asyncio.Future()


def main():
    stream_port, websocket_port = int(sys.argv[1]), int(sys.argv[2])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", stream_port), Streams)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    asyncio.run(serve_websockets(websocket_port))


if __name__ == "__main__":
    main()
