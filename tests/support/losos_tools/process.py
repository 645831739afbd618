"""Our programs as processes: run to their end, or kept running and told to stop."""

import contextlib
import os
import pathlib
import re
import select
import signal
import socket
import subprocess
import time

from .waiting import TimedOut, until

ROOT = pathlib.Path(__file__).resolve().parents[3]
BIN_DIR = pathlib.Path(os.environ.get("LOSOS_BIN_DIR", ROOT / "build" / "gcc" / "bin"))

# The sanitizers' settings go along; nothing else of the caller's environment does.
_KEPT = ("PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS")

# A sanitizer keeps what is freed, and its shadow, and wakes up on its own.
JUDGES_COST = not {"ASAN_OPTIONS", "TSAN_OPTIONS"} & set(os.environ)


def environment(extra=None):
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {**kept, "LANG": "C.UTF-8", "TZ": "UTC", **(extra or {})}


def command(tool, args, config=True):
    """The argument vector; without a --config of its own a tool reads no file of this machine."""
    argv = [str(BIN_DIR / tool), *map(str, args)]
    return argv + ["--config="] if config else argv


class Done:
    """A program that has ended."""

    def __init__(self, argv, code, out, err):
        self.argv, self.code, self.out, self.err = argv, code, out, err

    def __repr__(self):
        return f"{' '.join(self.argv)}\nexit {self.code}\n{self.out}{self.err}"


def run(tool, *args, config=True, env=None, timeout=30.0, prefix=(), given="", **options):
    """Runs a tool to its end, whatever its exit code. `given` stands on its standard input."""
    argv = [*prefix, *command(tool, args, config)]
    done = subprocess.run(argv, input=given, capture_output=True, text=True,
                          env=environment(env), timeout=timeout, check=False, **options)
    return Done(argv, done.returncode, done.stdout, done.stderr)


class Daemon:
    """A tool that keeps running; it says with sd_notify when it is ready. `pid_of` tells its
    process id where what `prefix` starts is not the tool but something that runs it."""

    def __init__(self, folder, tool, args, config=True, env=None, prefix=(), pid_of=None):
        self.tool = tool
        self.argv = [*prefix, *command(tool, args, config)]
        number = len(list(pathlib.Path(folder).glob(f"{tool}-*.log")))
        self.log_path = pathlib.Path(folder) / f"{tool}-{number}.log"
        notify_path = pathlib.Path(folder) / f"{tool}-{number}.notify"
        self._notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        self._notify.bind(str(notify_path))
        os.chmod(notify_path, 0o777)
        self.notes = []
        with open(self.log_path, "wb") as log:
            self._popen = subprocess.Popen(
                self.argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=environment({"NOTIFY_SOCKET": str(notify_path), **(env or {})}))
        self._pidfd = os.pidfd_open(self._popen.pid)
        self.pid = pid_of() if pid_of else self._popen.pid

    def _take_note(self, deadline):
        """One datagram more; false when the program ended or the time is over."""
        left = max(0.0, deadline - time.monotonic())
        ready, _, _ = select.select([self._notify, self._pidfd], [], [], left)
        if self._notify in ready:
            self.notes += self._notify.recv(65536).decode().split("\n")
            return True
        return False

    def wait_note(self, note, timeout=20.0):
        """Waits for a line of sd_notify, such as READY=1."""
        deadline = time.monotonic() + timeout
        while note not in self.notes:
            if not self._take_note(deadline):
                how = "did not say" if self.running() else f"ended with {self._popen.wait()} before"
                raise TimedOut(f"{self.tool} {how} {note}: {self.log()[-2000:]}")

    def all_notes(self):
        """Every line of sd_notify so far."""
        while self._take_note(time.monotonic()):
            pass
        return self.notes

    def wait_ready(self):
        self.wait_note("READY=1")
        return self

    def log(self):
        return self.log_path.read_text(encoding="utf-8", errors="replace")

    def wait_line(self, pattern, timeout=15.0, after=0):
        """Waits for text in the log from byte `after` on that matches; returns the match."""
        return until(lambda: re.search(pattern, self.log()[after:]),
                     lambda: f"{self.tool} to say {pattern!r}; it said:\n{self.log()[-2000:]}",
                     timeout)

    def running(self):
        return self._popen.poll() is None

    def waits_for_lock(self):
        """Whether it is held up by somebody else's flock."""
        with open("/proc/locks", encoding="ascii") as locks:
            return any("->" in line and f" {self.pid} " in line for line in locks)

    def signal(self, number):
        # It may be gone although what runs it has yet to notice.
        if self.running():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def wait(self, timeout=15.0):
        """The exit code, once the program has ended by itself."""
        return self._popen.wait(timeout)

    def stop(self, timeout=15.0):
        """Asks the program to end, and returns its exit code."""
        if self.running():
            self.signal(signal.SIGTERM)
        return self._end(timeout)

    def kill(self):
        """Ends it without notice, as a crash would."""
        self.signal(signal.SIGKILL)
        self._end(10)

    def _end(self, timeout):
        try:
            return self._popen.wait(timeout)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
            raise TimedOut(f"{self.tool} did not end within {timeout:g} s") from None
        finally:
            if self._pidfd is not None:
                os.close(self._pidfd)
                self._notify.close()
                self._pidfd = None
