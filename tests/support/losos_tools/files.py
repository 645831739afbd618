"""Files as tests look at them: content, modes, and whole trees to compare."""

import json
import os
import pathlib
import stat


def write_text(path, text, mode=0o600):
    """Replaces a file as an operator's editor would: at once, under its own name."""
    path = pathlib.Path(path)
    beside = path.with_name(f".{path.name}.new")
    with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w",
              encoding="utf-8") as file:
        os.fchmod(file.fileno(), mode)
        file.write(text)
    os.replace(beside, path)
    return path


def write_json(path, value, mode=0o600):
    return write_text(path, json.dumps(value, indent=2) + "\n", mode)


def read_json(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def mode_of(path):
    """The permission bits; of the link itself, if it is one."""
    return stat.S_IMODE(os.lstat(path).st_mode)


def snapshot(*roots):
    """{path: (mode, inode, time of change, content)} of everything below: equal when untouched."""
    seen = {}
    for root in roots:
        for path in sorted([pathlib.Path(root), *pathlib.Path(root).rglob("*")]):
            status = path.lstat()
            content = path.read_bytes() if stat.S_ISREG(status.st_mode) else None
            seen[str(path)] = (status.st_mode, status.st_ino, status.st_ctime_ns, content)
    return seen


def identity(path):
    """What changes whenever a file is replaced or written."""
    status = os.stat(path)
    return status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size
