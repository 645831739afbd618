"""1,000 registrations from 64 connections into a registry of 10,000: how many commits they share, and
the time against as many bare write, fsync and rename of the same file."""

import os
import statistics
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from figures import Bounds, crowded_registrar, ids, say, write_registry
from losos_tools.http import RawConnection
from losos_tools.tokens import token

ROUNDS = 2
REGISTERED = 10000
REGISTRATIONS = 1000
CONNECTIONS = 64
COMMITS_AT_MOST = 30


def bare_commits(folder, content, count):
    """Seconds that so many take."""
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


def register_all(registrar, names):
    """Seconds until the last answer; each connection registers its share, one after another."""
    ready = threading.Barrier(CONNECTIONS + 1, timeout=30)

    def register(share):
        with RawConnection(registrar.port, timeout=60) as connection:
            ready.wait()
            statuses = []
            for each in share:
                body = (f'{{"appliance_id":"{each}","token":"{token(each)}",'
                        f'"hostname":"{each}.losos.test"}}').encode()
                connection.request("POST", "/register", body)
                statuses.append(connection.answer().status)
            return statuses

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        shares = [names[n::CONNECTIONS] for n in range(CONNECTIONS)]
        parts = [pool.submit(register, share) for share in shares]
        ready.wait()
        begin = time.monotonic()
        statuses = [status for part in parts for status in part.result()]
        took = time.monotonic() - begin
    assert statuses == [200] * len(names), "a registration was not answered 200"
    return took


def measure(registrar):
    """One round on a fresh registry: seconds, commits, and the bytes of the last commit."""
    write_registry(registrar, REGISTERED)
    registrar.start()
    try:
        before = registrar.metric("commits_total")
        took = register_all(registrar, ids(REGISTERED + REGISTRATIONS)[REGISTERED:])
        assert registrar.stop() == 0, registrar.log()
        commits = registrar.metric("commits_total") - before
        return took, commits, registrar.registry_file.read_bytes()
    finally:
        registrar.daemon.kill()


def main():
    bounds = Bounds("registrations")
    took, commits, bare = [], [], []
    with tempfile.TemporaryDirectory(prefix="losos-bench-") as name:
        folder = Path(name)
        registrar = crowded_registrar(folder, REGISTERED + REGISTRATIONS, REGISTERED)
        try:
            for _ in range(ROUNDS):
                seconds, count, content = measure(registrar)
                took.append(seconds)
                commits.append(count)
                bare.append(bare_commits(folder, content, REGISTRATIONS // ROUNDS))
        finally:
            registrar.close()
    ours, theirs, worst = statistics.median(took), sum(bare), max(commits)
    say(f"registrations: {REGISTRATIONS:,} into a registry of {REGISTERED:,} in {ours:.2f} s with "
        f"{worst:.0f} commits; as many bare write, fsync, rename: {theirs:.2f} s; "
        f"ratio {ours / theirs:.2f}")
    say(f"registrations: a commit of {len(content):,} bytes and its reconcile "
        f"{ours / worst * 1000:.0f} ms; a bare one {theirs / REGISTRATIONS * 1000:.1f} ms")
    bounds.at_most("the number of commits", worst, COMMITS_AT_MOST)
    bounds.check()


if __name__ == "__main__":
    main()
