"""A serial console: what is read on it, and what is typed."""

import codecs
import itertools
import re
import socket
import time

_numbers = itertools.count(1)


class ConsoleError(AssertionError):
    """Something else came than was waited for."""


class Console:
    """The other end of a machine's serial line, a Unix socket. All that was ever read is in `log`."""

    def __init__(self, path, log):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._log = open(log, "a", encoding="utf-8")
        self._unread = ""

    def close(self):
        self._socket.close()
        self._log.close()

    def expect(self, *patterns, timeout=300):
        """Waits for the first of the patterns: (its index, the match, the text before it). What is
        behind it stays to be read."""
        deadline = time.monotonic() + timeout
        while True:
            found = [(match.start(), number, match) for number, pattern in enumerate(patterns)
                     if (match := re.search(pattern, self._unread))]
            if found:
                start, number, match = min(found, key=lambda each: each[:2])
                before, self._unread = self._unread[:start], self._unread[match.end():]
                return number, match, before
            self._read(deadline, patterns)

    def _read(self, deadline, patterns):
        self._socket.settimeout(max(0.01, deadline - time.monotonic()))
        try:
            data = self._socket.recv(4096)
        except TimeoutError:
            raise ConsoleError(f"{patterns} did not come; the console shows last:\n"
                               f"{self._unread[-1500:]}") from None
        if not data:
            raise ConsoleError(f"the machine has gone; the console shows last:\n{self._unread[-1500:]}")
        text = self._decoder.decode(data).replace("\r", "")
        self._log.write(text)
        self._log.flush()
        self._unread += text

    def type(self, line):
        self._socket.sendall(line.encode() + b"\r")

    # --- what an owner does on it ---

    def log_in(self, password, new_password=None):
        """Logs in as root at a login prompt, and says whether a new password was asked for."""
        self.type("root")
        self.expect(r"Password: $")
        self.type(password)
        was_asked = False
        while True:
            number, match, _ = self.expect(
                r"Current password: $", r"(New|Retype new) password: $", r"# $",
                r"Login incorrect|BAD PASSWORD|unchanged|Cannot make|failure")
            if number == 2:
                break
            if number == 3 or (number == 1 and new_password is None):
                raise ConsoleError(f"no login: {match[0]}")
            was_asked |= number == 1
            self.type(password if number == 0 else new_password)
        # From here on nothing is shown but what commands print.
        self.type("stty -echo; export PAGER=cat; PS1= PS2= ; bind 'set enable-bracketed-paste off'; echo rea''dy")
        self.expect(r"ready\n")
        return was_asked

    def run(self, command, timeout=300):
        """(exit code, what it printed) of a shell command, once somebody is logged in."""
        mark = f"mark-{next(_numbers)}"
        self.type(f"echo {mark[:4]}''{mark[4:]}; {{ {command}\n}} 2>&1; echo {mark[:4]}''{mark[4:]}: $?")
        self.expect(rf"{mark}\n", timeout=timeout)
        _, match, output = self.expect(rf"{mark}: (\d+)\n", timeout=timeout)
        return int(match[1]), output

    def log_out(self):
        self.type("exit")
        self.expect(r"login: $")
