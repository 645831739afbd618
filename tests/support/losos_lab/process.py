"""Real programs, started inside a machine's network, each with a log of its own."""

import os
import pathlib
import re
import signal
import subprocess
import time

from . import wait

BASE_ENV = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LANG": "C.UTF-8", "TZ": "UTC"}


class Failed(AssertionError):
    """A program ended with another exit code than it should."""


def command(space, argv, named):
    """The argument vector; `named` programs also resolve the machine's own host names."""
    argv = [str(a) for a in argv]
    return space.exec_prefix() + argv if named else argv


def environment(extra):
    return {**BASE_ENV, **(extra or {})}


class Process:
    """One running program. Its standard output and error go to one log file, which a program of the
    same name that is started later continues."""

    def __init__(self, space, name, argv, log_dir, env=None, named=False):
        self.name = name
        self.argv = [str(a) for a in argv]
        self.log_path = pathlib.Path(log_dir) / f"{name}.log"
        with open(self.log_path, "ab") as log, space.inside():
            self._log_start = os.fstat(log.fileno()).st_size
            # A session of its own: an interrupt at the terminal reaches the lab alone, which then
            # ends everything in order.
            self._popen = subprocess.Popen(
                command(space, argv, named), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=environment(env), start_new_session=True)
        self.pid = self._popen.pid

    def log(self):
        """What this run of the program has said so far."""
        with open(self.log_path, "rb") as log:
            log.seek(self._log_start)
            return log.read().decode(errors="replace")

    def running(self):
        return self._popen.poll() is None

    def wait_line(self, pattern, timeout=15.0):
        """Waits for a log line that matches; a program that ends first is a failure."""
        def found():
            match = re.search(pattern, self.log())
            if match is None and not self.running():
                raise Failed(f"{self.name} ended with {self._popen.returncode}: {self.tail()}")
            return match
        return wait.until(found, f"{self.name} to say {pattern!r}", timeout)

    def tail(self, lines=15):
        return "\n".join(self.log().splitlines()[-lines:])

    def stop(self, timeout=10.0):
        """Asks the program to end and returns its exit code."""
        if self.running():
            self._popen.send_signal(signal.SIGTERM)
        try:
            return self._popen.wait(timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Failed(f"{self.name} did not end within {timeout:g} s of SIGTERM") from None

    def kill(self):
        """Ends the program without notice, as a crash would."""
        if self.running():
            self._popen.kill()
        self._popen.wait()


class Done:
    """A program that has ended."""

    def __init__(self, argv, code, out, err, seconds):
        self.argv, self.code, self.out, self.err, self.seconds = argv, code, out, err, seconds

    def __str__(self):
        return f"{' '.join(self.argv)}\nexit {self.code}\n{self.out}{self.err}"


def run(space, argv, env=None, named=False, timeout=30.0, expect=0, given=""):
    """Runs a program to its end, with `given` on its standard input; another exit code than `expect`
    (None: any) is a failure."""
    start = time.monotonic()
    with space.inside():
        popen = subprocess.Popen(
            command(space, argv, named), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=environment(env), text=True, start_new_session=True)
    try:
        out, err = popen.communicate(given, timeout=timeout)
    except subprocess.TimeoutExpired:
        popen.kill()
        popen.communicate()
        raise Failed(f"{argv[0]} did not end within {timeout:g} s") from None
    done = Done([str(a) for a in argv], popen.returncode, out, err, time.monotonic() - start)
    if expect is not None and done.code != expect:
        raise Failed(f"expected exit {expect} from {done}")
    return done
