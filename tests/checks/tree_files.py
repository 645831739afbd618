"""Which files belong to the tree: what git knows, or, in an unpacked release, all that is there."""

import os
import subprocess

# What builds, tests and editors leave behind.
LEFT_BEHIND = {"build", "__pycache__", ".cache", ".pytest_cache", ".git"}


def tree_files(root, untracked=True):
    """The paths of the tree's files below `root`, sorted; with those that git does not know yet."""
    if not (root / ".git").exists():
        return sorted(walked(root))
    also = ["--others", "--exclude-standard"] if untracked else []
    listed = subprocess.run(["git", "ls-files", "--cached", *also], cwd=root, capture_output=True,
                            text=True, check=True)
    return sorted(set(listed.stdout.splitlines()))


def walked(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in LEFT_BEHIND]
        for name in names:
            if not name.endswith(".pyc"):
                yield os.path.relpath(os.path.join(folder, name), root)
