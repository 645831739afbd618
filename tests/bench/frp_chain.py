"""The same two tunnels by frp, a reverse proxy of the same kind: one server on the hub, one on the
gateway, and a client behind each. Its transport is encrypted, as rathole's is with Noise."""

import subprocess

from losos_lab import parts, wait
from losos_lab.process import Process

SERVER_PORT = 2533
PORT = 31000
TOKEN = "f" * 64


def ensure_built():
    """Builds frp, once, where nobody has built it yet."""
    try:
        parts.part("frps")
    except parts.Missing:
        subprocess.run([parts.PARTS_FIND.with_name("build"), "frp"], check=True)


class FrpChain:
    """Up while its `with` block lasts. `spaces` and `addresses` are those of losos_lab's ByHand."""

    def __init__(self, spaces, addresses, folder, logs):
        self._spaces = spaces
        self._addresses = addresses
        self._folder = folder
        self._logs = logs
        self._processes = []

    def __enter__(self):
        self._folder.mkdir(parents=True)
        for edge in ("hub", "gateway"):
            self._run("frps", edge, f'bindAddr = "0.0.0.0"\nbindPort = {SERVER_PORT}\n'
                      f'proxyBindAddr = "127.0.0.1"\nauth.token = "{TOKEN}"\n')
            wait.until(lambda: self._spaces[edge].listens(SERVER_PORT), f"frps on the {edge}")
        self._client("box", "gateway", 80)
        self._client("gateway", "hub", PORT)
        return self

    def __exit__(self, *_):
        for process in reversed(self._processes):
            process.stop()

    def _client(self, machine, edge, local_port):
        self._run("frpc", machine, f'serverAddr = "{self._addresses[edge]}"\n'
                  f'serverPort = {SERVER_PORT}\nauth.token = "{TOKEN}"\n'
                  f'[[proxies]]\nname = "web"\ntype = "tcp"\nlocalIP = "127.0.0.1"\n'
                  f'localPort = {local_port}\nremotePort = {PORT}\n')
        wait.until(lambda: self._spaces[edge].listens(PORT), f"frp's port on the {edge}")

    def _run(self, program, machine, config):
        file = self._folder / f"{program}-{machine}.toml"
        file.write_text(config)
        self._processes.append(Process(self._spaces[machine], f"{program}-{machine}",
                                       [parts.part(program), "-c", file], self._logs))
