"""Machines on which nothing of ours is, but a repository with the Debian packages of this build and of
one that calls itself older."""

import concurrent.futures
import gzip
import os
import pathlib
import platform
import re
import shutil
import subprocess

from losos_lab import parts

from . import image
from .federation import Federation

OURS = ("losos-common", "losos-registrar", "losos-hub", "losos-gateway", "losos-box")
OLD_VERSION = "0.0.9"
REPOSITORY = "/srv/losos"
APT = "DEBIAN_FRONTEND=noninteractive apt-get -q -y -o APT::Sandbox::User=root -o Dpkg::Use-Pty=0"


def release():
    """Which Debian this is."""
    return platform.freedesktop_os_release()["VERSION_ID"]


def folder(of_release=None):
    """Where the packages are, as './dev package' makes them."""
    found = parts.ROOT / f"build/package/debian{of_release or release()}"
    if not list(found.glob("losos-*.deb")):
        raise image.Missing(f"there are no packages in {found}: './dev package' makes them")
    return found


def packages(of_release=None):
    """The packages by name."""
    return {path.name.split("_")[0]: path for path in folder(of_release).glob("losos-*.deb")}


def version_of(package):
    return _said("dpkg-deb", "--field", package, "Version").strip()


def contents(package):
    """The files of a package, each with its mode and owner."""
    lines = (line.split(None, 5) for line in _said("dpkg-deb", "--contents", package).splitlines())
    return {words[5].removeprefix("."): (words[0], words[1]) for words in lines}


def fill_repository(tree):
    """Both builds below `tree`, for apt; a machine has the older one first."""
    for build in ("old", "new"):
        (tree / REPOSITORY.lstrip("/") / build).mkdir(parents=True)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        list(pool.map(lambda each: _put(tree / REPOSITORY.lstrip("/"), *each), packages().items()))
    for build in ("old", "new"):
        index = _said("dpkg-scanpackages", "--multiversion", ".",
                      cwd=tree / REPOSITORY.lstrip("/") / build)
        (tree / REPOSITORY.lstrip("/") / build / "Packages.gz").write_bytes(
            gzip.compress(index.encode(), 1))
    sources = tree / "etc/apt/sources.list"
    sources.parent.mkdir(parents=True)
    sources.write_text(_source("old"))


def _put(repository, name, package):
    shutil.copy(package, repository / "new")
    if name in OURS:
        _make_older(package, repository / "old")
    else:
        os.link(repository / "new" / package.name, repository / "old" / package.name)


def _make_older(package, where):
    """The same package, but for its version and those it depends on."""
    version = version_of(package)
    older = OLD_VERSION + re.search(r"\+.*$", version)[0]
    unpacked = where / package.name.removesuffix(".deb")
    _said("dpkg-deb", "--raw-extract", package, unpacked)
    for file in ("control", "preinst"):
        path = unpacked / "DEBIAN" / file
        path.write_text(path.read_text().replace(version, older))
    _said("dpkg-deb", "-Znone", "--root-owner-group", "--build", unpacked, where)
    shutil.rmtree(unpacked)


def _source(build):
    return f"deb [trusted=yes] file:{REPOSITORY}/{build} ./\n"


def _said(*command, cwd=None):
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True).stdout


class PackagedFederation(Federation):
    """Hub, gateway and box, each with the repository and nothing else of ours."""

    @staticmethod
    def _install(tree):
        fill_repository(tree)


def offer(machine, build):
    """From now on apt knows this build, "old" or "new", and no other."""
    machine.write("/etc/apt/sources.list", _source(build))
    machine.run(f"{APT} update")


def apt(machine, what, expect=0):
    """What apt does, and all that it and the packages say."""
    return machine.run(f"{APT} {what} 2>&1", expect=expect, timeout=180)


def bring(machine, program):
    """One of the programs that carry the traffic, as an owner puts it there who has it from elsewhere."""
    shutil.copy(parts.part(program), machine.path(f"/usr/local/bin/{program}"))


def answer(machine, package, **answers):
    """What its owner will have answered when the package asks."""
    lines = "".join(f"{package} {package}/{name} string {value}\n" for name, value in answers.items())
    machine.run("debconf-set-selections", text=lines)


def installed(machine):
    """The version of each package of ours that is installed."""
    out = machine.run("dpkg-query -W -f '${db:Status-Status} ${Package} ${Version}\\n' 'losos-*'",
                      expect=None).out
    lines = (line.split() for line in out.splitlines())
    return {words[1]: words[2] for words in lines if words[0] == "installed"}


def everywhere(federation, action):
    """Does the same on all three machines at once."""
    with concurrent.futures.ThreadPoolExecutor() as pool:
        return list(pool.map(action, federation.machines))


def traces(machine):
    """What there is of us in the machine's file system, but for what apt and dpkg keep themselves."""
    out = machine.run(
        "find /etc /var /run /usr/bin /usr/lib /usr/libexec /usr/share -xdev"
        r" \( -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/cache -o -path /var/log"
        r" -o -path /run/systemd -o -path /run/log \) -prune -o"
        r" \( -name '*losos*' -o -name '*rathole*' -o -name '*traefik*' -o -path '/var/secrets*' \)"
        " -print").out
    return {path for path in out.splitlines() if pathlib.Path(path).stem != "losos-tests"}
