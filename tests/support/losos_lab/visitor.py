"""A visitor on the internet: real HTTPS requests to the hub, verified against the ACME root."""

import http.client
import json
import socket
import time

from . import wait


class Answer:
    """One answer and the certificate it came under."""

    def __init__(self, status, headers, body, certificate):
        self.status, self.headers, self.body = status, headers, body
        self.certificate = certificate

    def json(self):
        return json.loads(self.body)

    def names(self):
        """The DNS names of the certificate."""
        return [value for kind, value in self.certificate.get("subjectAltName", ())
                if kind == "DNS"]

    def issuer(self):
        return {k: v for part in self.certificate["issuer"] for k, v in part}["commonName"]


class Connection(http.client.HTTPConnection):
    """HTTP over a TLS connection that was opened on the visitor's machine."""

    def __init__(self, name, sock):
        super().__init__(name)
        self.sock = sock
        # A closed connection must not come back by itself, from the wrong machine.
        self.auto_open = 0


class Visitor:
    def __init__(self, space, hub_address, context):
        self._space = space
        self.hub_address = hub_address
        self._context = context

    def dial(self, name, timeout=10.0, context=None):
        """A verified TLS connection for `name`, dialled at the hub's address."""
        raw = self._space.connect((self.hub_address, 443), timeout)
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            return (context or self._context).wrap_socket(raw, server_hostname=name)
        except BaseException:
            raw.close()
            raise

    def open(self, name, timeout=10.0):
        """A connection for several requests."""
        return Connection(name, self.dial(name, timeout))

    def request(self, name, path="/", method="GET", body=None, headers=None, timeout=10.0):
        """One request on a connection of its own."""
        connection = self.open(name, timeout)
        certificate = connection.sock.getpeercert()
        try:
            connection.request(method, path, body=body, headers=headers or {})
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read(), certificate)
        finally:
            connection.close()

    def plain(self, name, path="/"):
        """One request to port 80, without TLS."""
        connection = Connection(name, self._space.connect((self.hub_address, 80)))
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read(), {})
        finally:
            connection.close()

    def wait_certificate(self, name, timeout=30.0):
        """Waits until the hub shows a certificate for `name` that a visitor accepts."""
        def there():
            try:
                self.dial(name).close()
            except OSError:
                # Traefik's own certificate, or a Traefik that has not read its files yet.
                return False
            return True
        wait.until(there, f"a certificate for {name}", timeout, pause=0.02)

    def wait_status(self, name, wanted, timeout=15.0, path="/"):
        """Asks over and over until the status is the wanted one; returns that moment.

        One connection serves all the questions as long as the hub keeps it, so that the asking
        costs the measured machines next to nothing. A question without an answer for five seconds is
        asked anew: rathole may take a visitor in for a tunnel that is only coming up, and forget it.
        """
        connection = None
        last = "no answer"
        deadline = time.monotonic() + timeout
        try:
            while time.monotonic() < deadline:
                try:
                    connection = connection or self.open(name, min(5.0, max(1.0, timeout)))
                    connection.request("GET", path)
                    answer = connection.getresponse()
                    answer.read()
                    last = answer.status
                    if last == wanted:
                        return time.monotonic()
                    if answer.will_close:
                        connection.close()
                        connection = None
                except (OSError, http.client.HTTPException) as error:
                    last = repr(error)
                    if connection:
                        connection.close()
                    connection = None
                time.sleep(wait.PAUSE)
        finally:
            if connection:
                connection.close()
        raise wait.TimedOut(f"waited {timeout:g} s for {wanted} from {name}; the last was {last}")
