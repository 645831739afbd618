"""A stand-in for an edge that says who it is."""

import threading
import time

from .stand_in import reply

HOUR = 3600


class IdentifiedEdge:
    """Answers /health, and /identity with a certificate by `root` for `key`; `sign` is given the
    text of each nonce. `answers` are further ones."""

    def __init__(self, server, root, key, answers=None):
        self.server = server
        self.server.answers.update({"/health": reply(200, "ok"), "/identity": self.identify,
                                    **(answers or {})})
        self.url = self.server.url
        self.key = key
        self.certificate = root.certificate("LosOS", self.url, key.public,
                                            int(time.time()) + HOUR)
        self.sign = key.sign
        self.nonces = []
        self._one_at_a_time = threading.Lock()

    def identify(self, request):
        nonce = request.path.partition("nonce=")[2]
        self.nonces.append(nonce)
        text = f"losos-edge-nonce-v1\n{nonce}\n"
        with self._one_at_a_time:
            return reply(200, {"cert": self.certificate, "nonce_signature": self.sign(text)})
