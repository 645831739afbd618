"""What the machines run: a Debian made once, our tree as `meson install` leaves it, rathole and
Traefik. A layer each, under the machines' own, so that no test ever changes one of them."""

import os
import pathlib
import shutil
import subprocess

from losos_lab import parts

PROGRAMS = {"systemd-nspawn": "systemd-container", "nsenter": "util-linux", "unshare": "util-linux",
            "ip": "iproute2", "meson": "meson", "openssl": "openssl"}
CERTIFICATES = "usr/local/share/ca-certificates"


class Missing(RuntimeError):
    """Something that the machines need is not there; the text says how to get it."""


def check():
    """Raises Missing for the first thing that is not there."""
    if os.geteuid() != 0:
        raise Missing("the machines are booted by root only: run this as root")
    for program, package in PROGRAMS.items():
        if not shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/sbin"):
            raise Missing(f"{program} is missing; it is in Debian's package {package} (./dev setup)")
    debian()


def debian():
    """The Debian below everything, as './dev build system' makes it: the one used last, unless one
    is named."""
    named = os.environ.get("LOSOS_SYSTEM_ROOT")
    cache = pathlib.Path(os.environ.get("LOSOS_CACHE") or pathlib.Path(
        os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache", "losos"))
    made = [pathlib.Path(named)] if named else cache.glob("system-*")
    made = [path for path in made if path.is_dir() and path.suffix != ".new"]
    if not made:
        raise Missing(f"{named or cache / 'system-*'} is missing: './dev build system' makes it")
    return max(made, key=lambda path: path.stat().st_mtime)


def install_tree(folder):
    """Our programs, units and pages below `folder`, with rathole and Traefik beside them."""
    build = os.environ.get("LOSOS_BUILD_DIR", parts.ROOT / "build" / "gcc")
    done = subprocess.run(
        ["meson", "install", "-C", build, "--no-rebuild", "--quiet", "--strip", "--destdir", folder],
        capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Missing(f"meson install: {done.stdout}{done.stderr}")
    if not (folder / "usr/lib/systemd/system/losos-registrar.service").exists():
        raise Missing(f"{build} was configured for another prefix than /usr: remove it and build anew")
    programs = folder / "usr/local/bin"
    programs.mkdir(parents=True)
    for name in ("rathole", "traefik"):
        shutil.copy(parts.part(name), programs / name)
        (programs / name).chmod(0o755)


def finish(namespace, root, authority):
    """What packages do once their files are there: make users. And the machines trust the tests' own
    maker of certificates, as they trust those on the internet. `root` is mounted in the namespace."""
    shutil.copy(authority.root_file, namespace.outside(root / CERTIFICATES / "losos-tests.crt"))
    for command in (["systemd-sysusers"], ["update-ca-certificates"]):
        namespace.run(["chroot", root, *command])
