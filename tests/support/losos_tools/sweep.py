"""Looking for secrets where none may be: in texts, in what /proc tells of a process, in files that
somebody else can read."""

import base64
import os
import stat

from .files import mode_of

# What tells of a process without touching its memory; what a debugger or a core dump would take is
# closed to others otherwise.
_PROC = ("cmdline", "environ", "comm", "status", "stat", "maps", "smaps", "stack", "wchan",
         "syscall", "limits", "mountinfo", "cgroup", "io", "sched", "auxv", "net/tcp", "net/unix")


def forms_of(secret):
    """The ways in which a secret could show: as it is, its begin, and encoded."""
    raw = secret.encode()
    return {raw, raw[:20], raw.hex().encode(), base64.b64encode(raw).rstrip(b"=")[:-1]}


def found_in(content, secrets):
    """The names of the secrets that stand in a text or in bytes. `secrets` is {name: secret}."""
    if isinstance(content, str):
        content = content.encode(errors="surrogateescape")
    return [name for name, secret in secrets.items()
            if any(form in content for form in forms_of(secret))]


def process_text(pid):
    """What /proc shows of a process and its threads. What even its owner may not read is empty."""
    text = []
    folders = [f"/proc/{pid}", *(f"/proc/{pid}/task/{thread}" for thread in
                                 os.listdir(f"/proc/{pid}/task"))]
    for folder in folders:
        for name in _PROC:
            try:
                with open(f"{folder}/{name}", "rb") as file:
                    text.append(file.read())
            except OSError:
                continue
    for folder in ("fd", "map_files", "ns", "cwd", "exe", "root"):
        path = f"/proc/{pid}/{folder}"
        try:
            links = [path] if os.path.islink(path) else [f"{path}/{name}"
                                                         for name in os.listdir(path)]
            text += [os.readlink(link).encode() for link in links]
        except OSError:
            continue
    return b"\n".join(text)


def readable_by_others(*roots):
    """Every file below that another account could read, if its directories let it in."""
    for root in roots:
        for folder, _, names in os.walk(root):
            for name in names:
                path = os.path.join(folder, name)
                if stat.S_ISREG(os.lstat(path).st_mode) and mode_of(path) & 0o077:
                    yield path


def names_and_contents(root):
    """(path, its name and, where others may read it, its content) of everything below."""
    open_to_others = set(readable_by_others(root))
    for folder, folders, names in os.walk(root):
        for name in folders + names:
            path = os.path.join(folder, name)
            content = name.encode()
            if path in open_to_others:
                with open(path, "rb") as file:
                    content += b"\n" + file.read()
            yield path, content
