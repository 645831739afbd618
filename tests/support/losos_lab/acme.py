"""Pebble, a real ACME server for tests, and the little DNS server it asks."""

import json
import ssl
import subprocess
import urllib.request

from . import parts, wait
from .process import Process

DIRECTORY = "https://127.0.0.1:14000/dir"
MANAGEMENT = "https://127.0.0.1:15000"
DNS = "127.0.0.1:8053"


class Acme:
    """Runs on the hub's machine. Unless a resolver of the lab's own listens at DNS, every name is the
    hub's address."""

    def __init__(self, space, folder, logs, hub_address, has_resolver=False):
        self._space = space
        self._folder = folder
        self._logs = logs
        self._hub_address = hub_address
        self._has_resolver = has_resolver
        self.api_certificate = folder / "api.pem"
        self.root_file = folder / "root.pem"
        self._pebble = None
        self._processes = []

    def start(self):
        self._folder.mkdir(parents=True)
        self._make_api_certificate()
        config = self._folder / "pebble.json"
        config.write_text(json.dumps({"pebble": {
            "listenAddress": "127.0.0.1:14000",
            "managementListenAddress": "127.0.0.1:15000",
            "certificate": str(self.api_certificate),
            "privateKey": str(self._folder / "api.key"),
            "httpPort": 80,
            "tlsPort": 443,
        }}))
        if not self._has_resolver:
            self._start_challtestsrv()
        # No made-up delays and no refused nonces: what is measured here is not Pebble's humour.
        self._pebble = Process(
            self._space, "pebble",
            [parts.part("pebble"), "-config", config, "-dnsserver", DNS], self._logs,
            env={"PEBBLE_VA_NOSLEEP": "1", "PEBBLE_WFE_NONCEREJECT": "0"})
        self._processes.append(self._pebble)
        wait.until(lambda: self._space.listens(14000), "Pebble to listen")
        wait.until(lambda: self._space.listens(15000), "Pebble's management to listen")
        self.root_file.write_bytes(self._management("/roots/0"))

    def _start_challtestsrv(self):
        is_v6 = ":" in self._hub_address
        self._processes.append(Process(
            self._space, "challtestsrv",
            [parts.part("pebble-challtestsrv"), "-defaultIPv4", "" if is_v6 else self._hub_address,
             "-defaultIPv6", self._hub_address if is_v6 else "", "-dns01", DNS, "-http01", "",
             "-https01", "", "-tlsalpn01", "", "-management", "127.0.0.1:8055"], self._logs))

    def stop(self):
        for process in self._processes:
            process.stop()

    def orders(self):
        """How many certificates were asked for so far."""
        return self._pebble.log().count("Added order ")

    def issued(self):
        """How many of them were handed out."""
        return self._pebble.log().count("Issued certificate serial ")

    def refused(self):
        """What it says of proofs that were wrong."""
        return [line for line in self._pebble.log().splitlines() if "INVALID" in line]

    def has_asked_for(self, name):
        """Whether it ever looked at the proof of a name."""
        return f'Value:"{name}"' in self._pebble.log()

    def client_context(self):
        """What a visitor trusts: Pebble's root and nothing else."""
        return ssl.create_default_context(cafile=str(self.root_file))

    def _make_api_certificate(self):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", "2", "-subj", "/CN=lab", "-addext", "subjectAltName=IP:127.0.0.1",
             "-keyout", self._folder / "api.key", "-out", self.api_certificate],
            check=True, capture_output=True)

    def _management(self, path):
        context = ssl.create_default_context(cafile=str(self.api_certificate))
        with self._space.inside():
            with urllib.request.urlopen(MANAGEMENT + path, context=context, timeout=5) as answer:
                return answer.read()
