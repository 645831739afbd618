"""A release: its tarball stands alone, its sums are signed, its version stands in one place."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest
import tree_files
from conftest import ROOT

PIECES = "tests/support/dev"
# These checks run in the unpacked tarball, without git and without anything of this tree.
ALONE = ["tests/checks/test_sources.py", "tests/checks/test_scripts.py", "tests/checks/test_units.py",
         "tests/checks/test_page_examples.py", "tests/checks/test_man_index.py"]


def version():
    return re.search(r"^ *version: '([^']+)'", (ROOT / "meson.build").read_text(), re.MULTILINE).group(1)


def in_dev(script, *words, cwd=ROOT):
    """Runs a piece of shell in which the functions of dev's release are there."""
    head = f'set -euo pipefail; die() {{ echo "dev: $*" >&2; exit 1; }}; ' \
        f'. "{ROOT}/{PIECES}/package.sh"; . "{ROOT}/{PIECES}/release.sh"; '
    return subprocess.run(["bash", "-c", head + script, "bash", *map(str, words)], cwd=cwd,
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)


@pytest.fixture
def key(tmp_path):
    """A throwaway pair of keys."""
    made = subprocess.run(["minisign", "-G", "-W", "-p", tmp_path / "k.pub", "-s", tmp_path / "k.key"],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert made.returncode == 0, made
    return tmp_path / "k.key"


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "release"
    (made / "sub").mkdir(parents=True)
    (made / "a b.deb").write_bytes(b"one")
    (made / "sub" / "two.tar.xz").write_bytes(b"two")
    return made


def is_genuine(folder, key):
    """Checked by the two lines of the page on upgrades; with what the first of them says."""
    lines = re.findall(r"^hub# ((?:minisign|sha256sum) .*)$", (ROOT / "docs/upgrade.md").read_text(),
                       re.MULTILINE)
    assert len(lines) == 2
    shutil.copy(key.with_suffix(".pub"), folder.parent / "losos.pub")
    signed, summed = (subprocess.run(["sh", "-c", line.replace("losos.pub", "../losos.pub")], cwd=folder,
                                     capture_output=True, text=True) for line in lines)
    return signed.returncode == 0 and summed.returncode == 0, signed.stdout


# --- sums and the signature -----------------------------------------------------------------------


def test_a_signed_folder_is_genuine_and_says_its_version(folder, key):
    done = in_dev('sign_release "$1" "$2" 1.2.3', folder, key)
    assert done.returncode == 0, done
    genuine, said = is_genuine(folder, key)
    assert genuine and "losos 1.2.3" in said
    assert (folder / "SHA256SUMS").read_text().count("\n") == 2


@pytest.mark.parametrize("file", ["a b.deb", "sub/two.tar.xz", "SHA256SUMS", "SHA256SUMS.minisig"])
def test_a_folder_in_which_one_byte_changed_is_not(folder, key, file):
    in_dev('sign_release "$1" "$2" 1.2.3', folder, key)
    raw = bytearray((folder / file).read_bytes())
    raw[-3] ^= 1
    (folder / file).write_bytes(raw)
    assert not is_genuine(folder, key)[0]


def test_another_key_s_signature_is_not(folder, key, tmp_path):
    other = tmp_path / "other.key"
    subprocess.run(["minisign", "-G", "-W", "-p", other.with_suffix(".pub"), "-s", other], check=True,
                   capture_output=True, stdin=subprocess.DEVNULL)
    in_dev('sign_release "$1" "$2" 1.2.3', folder, other)
    assert not is_genuine(folder, key)[0] and is_genuine(folder, other)[0]


def test_an_unsigned_try_leaves_no_old_signature(folder, key):
    in_dev('sign_release "$1" "$2" 1.2.3', folder, key)
    in_dev('sign_release "$1" "" 1.2.3', folder)
    assert not (folder / "SHA256SUMS.minisig").exists()


@pytest.mark.parametrize("words, said", [
    ([], "usage: ./dev release"), (["--key"], "usage: ./dev release"), (["--key", "k", "all"], "usage"),
    (["--key", "/nowhere/k"], "there is no key in /nowhere/k")])
def test_no_release_is_made_without_a_key_that_is_there(words, said):
    done = in_dev('release "$@"', *words)
    assert done.returncode == 1 and said in done.stderr, done


# --- what may be released -------------------------------------------------------------------------


@pytest.fixture
def checkout(tmp_path):
    """A small tree with a commit."""
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "meson.build").write_text("project('losos', 'cpp',\n  version: '0.2.0',\n)\n")
    (tree / "CHANGELOG.md").write_text("# Changes\n\n## 0.2.0\n\nNew.\n\n## 0.1.0\n")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@losos.example", *words], cwd=tree,
                       check=True, capture_output=True)
    return tree


def test_a_commit_with_a_word_on_its_version_is_sound(checkout):
    assert in_dev("release_is_sound", cwd=checkout).returncode == 0


@pytest.mark.parametrize("file, text, said", [
    ("new.txt", "x", "differs from its commit"),
    ("CHANGELOG.md", "# Changes\n\n## 0.1.0\n", "differs from its commit")])
def test_a_tree_that_differs_from_its_commit_is_not(checkout, file, text, said):
    (checkout / file).write_text(text)
    assert said in in_dev("release_is_sound", cwd=checkout).stderr


def test_a_version_that_the_changelog_does_not_know_is_not(checkout):
    meson = checkout / "meson.build"
    meson.write_text(meson.read_text().replace("0.2.0", "0.3.0"))
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@losos.example", "commit", "-qam", "b"],
                   cwd=checkout, check=True)
    assert "CHANGELOG.md begins with 0.2.0, and meson.build says 0.3.0" in in_dev(
        "release_is_sound", cwd=checkout).stderr


# --- the version ----------------------------------------------------------------------------------


def test_the_changelog_begins_with_the_version_of_the_tree(root):
    newest = re.search(r"^## (\S+)", (root / "CHANGELOG.md").read_text(), re.MULTILINE).group(1)
    assert newest == version() == in_dev("project_version").stdout.strip()


def test_the_programs_say_that_version(bin_dir):
    said = subprocess.run([bin_dir / "losos-edge", "--version"], capture_output=True, text=True)
    assert version() in said.stdout


def repeated(root, names, wanted):
    """Files that spell the version as one: made anew by hand at each release, they would be forgotten."""
    spelled = re.compile(rf"(?i)version\W{{1,4}}[\"']?{re.escape(wanted)}\b")
    return [name for name in names if not name.startswith("tests/")
            and name not in ("meson.build", "CHANGELOG.md") and not name.endswith((".5", "changelog"))
            # The image holds a link to what its first start makes.
            and (root / name).is_file()
            and spelled.search((root / name).read_text(encoding="utf-8", errors="replace"))]


def test_the_version_stands_in_one_place(root):
    assert repeated(root, tree_files.tree_files(root), version()) == []


def test_a_version_that_stands_in_two_places_is_found(tree):
    bad = tree({"nix/package.nix": 'version = "0.1.0";\n', "a.cc": "parse(\"0.1.0\");\n"})
    assert repeated(bad, ["nix/package.nix", "a.cc"], "0.1.0") == ["nix/package.nix"]


# --- the tarball ----------------------------------------------------------------------------------


def left_behind(folder, names):
    """Folders only: some files have the same names."""
    return {name for name in names
            if name in tree_files.LEFT_BEHIND and (pathlib.Path(folder) / name).is_dir()}


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """The tree as its tarball has it, where nothing of git is near."""
    folder = tmp_path_factory.mktemp("tarball")
    tree = folder / f"losos-{version()}"
    if (ROOT / ".git").exists():
        build = pathlib.Path(os.environ.get("LOSOS_BUILD_DIR", ROOT / "build" / "gcc"))
        made = subprocess.run(["meson", "dist", "-C", build, "--no-tests", "--allow-dirty", "--formats",
                               "gztar"], capture_output=True, text=True)
        assert made.returncode == 0, made.stdout + made.stderr
        shutil.unpack_archive(build / "meson-dist" / f"{tree.name}.tar.gz", folder)
    else:
        # In an unpacked tarball this tree is that tree.
        shutil.copytree(ROOT, tree, symlinks=True, ignore=left_behind)
    return tree


def git_free(tmp_path):
    """An environment in which git fails, as where it is not installed."""
    fake = tmp_path / "git"
    fake.write_text("#!/bin/sh\necho 'there is no git here' >&2\nexit 127\n")
    fake.chmod(0o755)
    return {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"}


def test_the_tarball_has_every_file_of_the_tree(unpacked):
    assert sorted(tree_files.walked(unpacked)) == tree_files.tree_files(ROOT, untracked=False)
    assert not (unpacked / ".git").exists()


def test_the_checks_of_the_tarball_pass_without_git(unpacked, tmp_path):
    ran = subprocess.run(["/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", *ALONE],
                         cwd=unpacked, env=git_free(tmp_path), capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-4000:]


def test_the_tarball_builds_and_its_rules_hold(unpacked, tmp_path):
    """The programs and the unit tests of the library; what is compiled already, ccache has."""
    env = {**git_free(tmp_path), "CC": "ccache gcc", "CXX": "ccache g++",
           "CCACHE_BASEDIR": str(unpacked), "CCACHE_NOHASHDIR": "1"}
    unit = "tests/unit/losos-unit-tests"
    tools = [f"tools/{tool.name}/{tool.name}" for tool in (unpacked / "tools").iterdir()
             if (unpacked / "man" / f"{tool.name}.8").exists()]
    for words in (["meson", "setup", "build/gcc", "--werror", "--buildtype=debugoptimized",
                   "--prefix=/usr"],
                  ["ninja", "-C", "build/gcc", unit, *tools],
                  [f"build/gcc/{unit}"],
                  ["build/gcc/tools/losos-edge/losos-edge", "--version"]):
        ran = subprocess.run(words, cwd=unpacked, env=env, capture_output=True, text=True)
        assert ran.returncode == 0, (words, (ran.stdout + ran.stderr)[-4000:])
    assert version() in ran.stdout
