"""The version stands in meson.build; whatever else has to name it names the same one."""

import re
import subprocess


def project_version(root):
    return re.search(r"^\s+version: '(.+)',$", (root / "meson.build").read_text(), re.MULTILINE)[1]


def changelog_version(root):
    first = (root / "debian/changelog").read_text(encoding="utf-8").splitlines()[0]
    return re.fullmatch(r"losos \((.+)\) unstable; urgency=\w+", first)[1]


def test_every_program_and_the_packages_have_the_version_of_meson_build(root, bin_dir):
    version = project_version(root)
    assert changelog_version(root) == version
    for tool in (path.name for path in (root / "tools").iterdir() if path.is_dir()):
        said = subprocess.run([bin_dir / tool, "--version"], capture_output=True, text=True, check=True)
        assert said.stdout == f"{tool} {version}\n"
