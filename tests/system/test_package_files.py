"""The Debian packages as files: what is in them, what lintian says, and that they can be made again."""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess

import pytest
from losos_lab import parts

from losos_system import packages as debian

EVERY = (*debian.OURS, "losos-rathole", "losos-traefik")


@pytest.fixture(scope="module")
def made():
    return debian.packages()


def field(package, name):
    return subprocess.run(["dpkg-deb", "--field", package, name], check=True, capture_output=True,
                          text=True).stdout.strip()


def member(package, path):
    """The text of one file of a package."""
    archive = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], check=True, capture_output=True)
    return subprocess.run(["tar", "-xO", f".{path}"], input=archive.stdout, check=True,
                          capture_output=True).stdout.decode()


def test_lintian_has_nothing_to_say_of_the_packages(made):
    done = subprocess.run(
        ["lintian", "--allow-root", "--fail-on", "error,warning", *made.values()],
        capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_every_package_is_there_and_of_one_version(made):
    assert set(made) == set(EVERY)
    version = re.search(r"^\s+version: '(.+)',$", (parts.ROOT / "meson.build").read_text(),
                        re.MULTILINE)[1]
    for name in debian.OURS:
        assert field(made[name], "Version") == f"{version}+deb{debian.release()}"


def test_whatever_is_installed_from_the_sources_is_in_exactly_one_package(made):
    build = os.environ.get("LOSOS_BUILD_DIR", parts.ROOT / "build" / "gcc")
    listed = subprocess.run(["meson", "introspect", "--installed", build], check=True,
                            capture_output=True, text=True).stdout
    installed = set(re.findall(r'": "([^"]+)"', listed))
    assert installed
    owners = {}
    for name in debian.OURS:
        for path in debian.contents(made[name]):
            if not path.endswith("/"):
                owners.setdefault(path.removesuffix(".gz"), []).append(name)
    for path in installed:
        there = path.replace("/zsh/site-functions/", "/zsh/vendor-completions/")
        assert len(owners.get(there, [])) == 1, (path, owners.get(there))


def test_what_an_owner_edits_is_left_alone_by_upgrades(made):
    """Either dpkg asks before it replaces a file, or no package has the file."""
    conffiles = {name: subprocess.run(["dpkg-deb", "--info", made[name], "conffiles"], text=True,
                                      capture_output=True).stdout.split() for name in debian.OURS}
    for name in debian.OURS:
        etc = [path for path in debian.contents(made[name])
               if path.startswith("/etc/") and not path.endswith("/")]
        assert sorted(etc) == sorted(conffiles[name])
    assert conffiles["losos-gateway"] == ["/etc/losos/losos-registrar.toml", "/etc/losos/traefik.yml"]


@pytest.mark.parametrize("name", ["rathole", "traefik"])
def test_a_carrier_comes_with_the_licences_of_all_it_is_made_of(made, name):
    package = made[f"losos-{name}"]
    doc = f"/usr/share/doc/losos-{name}"
    listed = member(package, f"{doc}/copyright")
    texts = subprocess.run(["gzip", "-dc"], check=True, capture_output=True, input=subprocess.run(
        ["sh", "-c", f"dpkg-deb --fsys-tarfile {package} | tar -xO .{doc}/licences.gz"],
        check=True, capture_output=True).stdout).stdout.decode()
    # What the compilers left in the program.
    made_of = {"rathole": rb"/registry/src/[^/]+/([A-Za-z0-9_-]+?)-[0-9]+\.[0-9]",
               "traefik": rb"\n(?:dep|mod)\t([^\t\n]+)\tv[^\t\n]+\th1:"}[name]
    used = {each.decode() for each in re.findall(made_of, pathlib.Path(parts.part(name)).read_bytes())}
    assert len(used) > 40
    for each in used:
        assert f"\n {each} " in listed, f"{each} is not listed"
    assert texts.count("Permission is hereby granted, free of charge") > 10
    assert "Apache License" in texts


def test_two_packings_of_one_build_are_the_same_byte_for_byte(made, tmp_path):
    tree = debian.folder() / "losos"
    # Another place, another time, and another mask for new files.
    again = tmp_path / "again"
    shutil.copytree(tree / "debian", again / "debian", ignore=shutil.ignore_patterns(
        "losos-box", "losos-common", "losos-gateway", "losos-hub", "losos-rathole", "losos-registrar",
        "losos-traefik", "tmp", ".debhelper", "files", "*.substvars", "*.debhelper"))
    done = subprocess.run(
        ["sh", "-c", "umask 027; exec dpkg-buildpackage --no-check-builddeps --build=binary --no-sign"],
        cwd=again, capture_output=True, text=True, env={
            **os.environ, "LOSOS_BUILD_DIR": str(os.environ.get("LOSOS_BUILD_DIR", parts.ROOT / "build/gcc")),
            "DEB_BUILD_PROFILES": "pkg.losos.noparts", "DEB_BUILD_OPTIONS": "nocheck noautodbgsym",
            "LC_ALL": "C.UTF-8", "TZ": "Pacific/Auckland"})
    assert done.returncode == 0, done.stdout + done.stderr
    for name in debian.OURS:
        second = tmp_path / made[name].name
        assert digest(second) == digest(made[name]), name


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()
