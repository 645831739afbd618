"""Where the programs are: ours, and the parts made by others."""

import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
PARTS_FIND = ROOT / "tests" / "support" / "parts" / "find"
VARIABLES = {
    "rathole": "LOSOS_RATHOLE",
    "traefik": "LOSOS_TRAEFIK",
    "kube-apiserver": "LOSOS_KUBE_APISERVER",
    "frps": "LOSOS_FRPS",
    "frpc": "LOSOS_FRPC",
    "pebble": "LOSOS_PEBBLE",
    "pebble-challtestsrv": "LOSOS_CHALLTESTSRV",
}


class Missing(RuntimeError):
    """A program is not there; the text says how to get it."""


def part(name):
    """The path of a real part, found the way every test finds it."""
    given = os.environ.get(VARIABLES.get(name, ""))
    if given:
        return given
    if name in VARIABLES and PARTS_FIND.exists():
        done = subprocess.run([PARTS_FIND, name], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout.strip()
        raise Missing(done.stderr.strip() or f"{name} is missing; './dev setup' makes it")
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if not found:
        raise Missing(f"{name} is missing; './dev setup' names its package")
    return found


def tool(name):
    """The path of one of our own executables."""
    path = pathlib.Path(os.environ.get("LOSOS_BIN_DIR", ROOT / "build" / "gcc" / "bin")) / name
    if not path.exists():
        raise Missing(f"{path} is missing; './dev build' makes it")
    return str(path.resolve())
