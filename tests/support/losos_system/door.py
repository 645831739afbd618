"""A door before a registrar that lets only some probes through: what a gateway in trouble looks like."""

import contextlib
import socket
import threading

CHUNK = 65536


class Door:
    """Takes connections on a machine's port and carries them to another port there. While `one_in` is
    more than 1, it answers one in so many probes, and lets the others wait for ever."""

    def __init__(self, space, port, to):
        self._space, self._to = space, to
        self.one_in = 1
        self.probes = self.held = 0
        self._waiting = []
        with space.inside():
            self._listening = socket.create_server(("", port))
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        # Wakes accept(), which close() alone does not.
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for either in self._waiting:
            either.close()

    def _accept(self):
        while True:
            try:
                caller, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._carry, args=(caller,), daemon=True).start()

    def _carry(self, caller):
        try:
            inside = self._space.connect(("127.0.0.1", self._to))
        except OSError:
            caller.close()
            return
        threading.Thread(target=_pump, args=(inside, caller), daemon=True).start()
        with contextlib.suppress(OSError):
            while said := caller.recv(CHUNK):
                # Several may come one after another by the same connection.
                if said.startswith(b"GET /health ") and self._is_held():
                    self._waiting += [caller, inside]
                    return
                inside.sendall(said)
        caller.close()
        inside.close()

    def _is_held(self):
        self.probes += 1
        held = self.probes % self.one_in != 0
        self.held += held
        return held


def _pump(source, target):
    with contextlib.suppress(OSError):
        while data := source.recv(CHUNK):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
