"""1,000 registrations from 64 connections: how many commits they shared, and the time against as many
bare write, fsync and rename of a file of the registry's size."""

import os
import re
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from losos_tools.registrar import Registrar

REGISTRATIONS = 1000
CONNECTIONS = 64


def metric(registrar, name):
    text = registrar.metrics_file.read_text()
    return int(re.search(rf"^{name} (\d+)$", text, re.M)[1])


def bare_commits(folder, content, count):
    target, temporary = folder / "bare", folder / ".bare.tmp"
    begin = time.monotonic()
    for _ in range(count):
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.rename(target)
        directory = os.open(folder, os.O_RDONLY)
        os.fsync(directory)
        os.close(directory)
    return time.monotonic() - begin


def main():
    with tempfile.TemporaryDirectory(prefix="losos-bench-") as folder:
        ids = [f"box{n}" for n in range(REGISTRATIONS)]
        registrar = Registrar(Path(folder), ids)
        registrar.start()
        try:
            before = metric(registrar, "losos_registrar_commits_total")
            ready = threading.Barrier(CONNECTIONS, timeout=10)

            def register(chunk):
                ready.wait()
                return [registrar.register(each).status for each in chunk]

            chunks = [ids[n::CONNECTIONS] for n in range(CONNECTIONS)]
            begin = time.monotonic()
            with ThreadPoolExecutor(CONNECTIONS) as pool:
                statuses = [status for part in pool.map(register, chunks) for status in part]
            took = time.monotonic() - begin
            assert statuses == [200] * REGISTRATIONS, "a registration was not answered 200"
            commits = metric(registrar, "losos_registrar_commits_total") - before
            content = registrar.registry_file.read_bytes()
        finally:
            registrar.close()
        bare = bare_commits(Path(folder), content, REGISTRATIONS)
        print(f"registrations: {REGISTRATIONS} in {took:.2f} s with {commits} commits; as many bare "
              f"write, fsync, rename: {bare:.2f} s; ratio {took / bare:.2f}", flush=True)


if __name__ == "__main__":
    main()
