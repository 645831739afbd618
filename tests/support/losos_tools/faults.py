"""Faults at a chosen change of the disk: our tools under the fault injector, step by step."""

import errno
import os
import pathlib
import re

from .files import read_json, write_text
from .process import BIN_DIR, run
from .waiting import until

BUILD_DIR = pathlib.Path(os.environ.get("LOSOS_BUILD_DIR", BIN_DIR.parent))
INJECTOR = BUILD_DIR / "tests" / "support" / "fault_injector" / "losos-fault-injector"


def _is_sanitized(build):
    options = read_json(build / "meson-info" / "intro-buildoptions.json")
    return any(each["name"] == "b_sanitize" and each["value"] not in ("none", []) for each in options)


# A sanitizer makes every round several times slower: there, each fourth step has to do.
STRIDE = 4 if _is_sanitized(BUILD_DIR) else 1

# What a worn, full or read-only disk answers to each kind of change.
ERRNO_OF = {"open": errno.ENOSPC, "write": errno.ENOSPC, "fsync": errno.EIO, "rename": errno.EIO,
            "chmod": errno.EROFS, "chown": errno.EROFS, "unlink": errno.EROFS,
            "mkdir": errno.ENOSPC, "link": errno.ENOSPC, "truncate": errno.EIO}

_TEMPORARY = re.compile(r"\.(.+)\.\d+-[0-9a-f]{12}\.tmp")


class Step:
    """One change of the disk; `outcome` is done, killed (the program, there) or failed."""

    def __init__(self, line):
        self.plan, number, self.outcome, self.call, self.path = line.split(" ", 4)
        self.number = int(number)

    @property
    def target(self):
        """The file the step works on: for a temporary file, the one whose name it is to take."""
        path = pathlib.Path(self.path)
        match = _TEMPORARY.fullmatch(path.name)
        return path.with_name(match[1]) if match else path

    def __repr__(self):
        return f"{self.number} {self.outcome} {self.call} {self.path}"


class FaultInjector:
    """Runs programs and counts their changes below the directories. What is to befall them is
    planned before or while they run; each plan counts from one."""

    def __init__(self, folder, *directories):
        assert INJECTOR.exists(), f"{INJECTOR} is not built"
        self._plan_file = folder / "fault-plan"
        self._step_file = folder / "fault-steps"
        self.directories = directories
        self._plans = 0
        self._started = 0
        self.plan("count")

    def plan(self, action, step=0, error_number=0):
        """`action`: count, kill-before, kill-after, fail or fail-from."""
        self._plans += 1
        write_text(self._plan_file, f"p{self._plans} {action} {step} {error_number}\n")

    # --- what a program is started with ---

    def prefix(self):
        """What stands before a program's own arguments."""
        # Directories may come after the plan; their real names are what the kernel tells.
        self._step_file.write_text("")
        return [str(INJECTOR), str(self._plan_file), str(self._step_file),
                *[os.path.realpath(each) for each in self.directories], "--"]

    def daemon_options(self):
        """Keywords for a Daemon that is to run under this injector."""
        return {"prefix": self.prefix(), "pid_of": self.program, "env": quiet_leaks()}

    def run(self, tool, *args, **options):
        """Runs a tool to its end; the code is negative when it was killed."""
        return run(tool, *args, prefix=self.prefix(), env=quiet_leaks(), **options)

    # --- what happened ---

    def program(self):
        """The process id of the program itself."""
        line = until(lambda: next((line for line in self._lines() if line.startswith("pid ")), None),
                     "the injector to start its program")
        return int(line.split()[1])

    def _lines(self):
        # The last line may still be on its way.
        return self._step_file.read_text(encoding="utf-8").split("\n")[:-1]

    def steps(self):
        """The steps under the present plan so far."""
        found = [Step(line) for line in self._lines() if not line.startswith("pid ")]
        return [step for step in found if step.plan == f"p{self._plans}"]

    def struck(self):
        """The first step that was not simply done, if there is one yet."""
        return next((step for step in self.steps() if step.outcome != "done"), None)


def message_of(struck, error_number=None):
    """A pattern of what has to be said of a failed step: the file, and the cause, which is the one
    for its kind unless another was planned. What happens to a directory is mostly said of the file
    in it."""
    name = re.escape(str(struck.target)) + "(/[^/ ]+)?"
    return f"{name}: {os.strerror(error_number or ERRNO_OF[struck.call])}"


def quiet_leaks():
    """The leak check at a program's end wants to trace it, and it is traced already."""
    options = os.environ.get("ASAN_OPTIONS", "")
    return {"ASAN_OPTIONS": f"{options}:detect_leaks=0" if options else "detect_leaks=0"}


def leftovers(*directories):
    """Temporary files that an interrupted writer left behind."""
    return [path for directory in directories for path in pathlib.Path(directory).rglob(".*.tmp")]
