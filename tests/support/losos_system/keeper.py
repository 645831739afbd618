"""Holds the namespaces in which the machines of one federation live, and clears up behind them.

Started as a program with a pipe on standard input that nothing is ever written to: its end means that
the test's process has ended, however that happened. The first process of the process namespace reads
from the same pipe, so everything in it ends even where this program was killed as well.
"""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

PREFIX = "losos-system"
TMP = pathlib.Path(os.environ.get("TMPDIR", "/tmp"))
CGROUPS = pathlib.Path("/sys/fs/cgroup")
# Mounts of this namespace alone: network namespaces by name, nspawn's own files, the machines' disks.
INSIDE = """
for each in /run/netns /run/systemd "$1"; do
    mkdir -p "$each" && mount -t tmpfs -o mode=0755 losos-system "$each"
done
echo ready
exec cat > /dev/null
"""


def hierarchies():
    """Where control groups are made: one place, or systemd's two where both versions are mounted."""
    unified = CGROUPS / "unified"
    return [unified, CGROUPS / "systemd"] if unified.exists() else [CGROUPS]


def disks(folder):
    return pathlib.Path(folder) / "disks"


def clear(tag):
    """Ends what still runs in the tag's control groups and removes all that carries the tag."""
    for top in hierarchies():
        with contextlib.suppress(OSError):
            (top / tag / "cgroup.kill").write_text("1")
        deadline = time.monotonic() + 10
        while (top / tag).exists() and time.monotonic() < deadline:
            for folder, _, _ in os.walk(top / tag, topdown=False):
                with contextlib.suppress(OSError):
                    os.rmdir(folder)
            time.sleep(0.02)
    shutil.rmtree(TMP / tag, ignore_errors=True)


def sweep():
    """Clears up after processes that no longer exist, and whose keeper was killed as well."""
    names = {path.name for top in [*hierarchies(), TMP] for path in top.glob(f"{PREFIX}-*")}
    for name in names:
        match = re.fullmatch(rf"{PREFIX}-(\d+)-\d+", name)
        if match and not os.path.exists(f"/proc/{match.group(1)}"):
            clear(name)


def main():
    tag = sys.argv[1]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    held = subprocess.Popen(
        ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc",
         "--propagation", "private", "sh", "-euc", INSIDE, "sh", disks(TMP / tag)],
        stdout=subprocess.PIPE, text=True)
    if held.stdout.readline() != "ready\n":
        return 1
    first = pathlib.Path(f"/proc/{held.pid}/task/{held.pid}/children").read_text().split()[0]
    print(first, flush=True)
    held.wait()
    clear(tag)
    return 0


if __name__ == "__main__":
    sys.exit(main())
