"""The flake and its modules as nix evaluates them, once for all who ask."""

import functools
import json
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What NixOS gives every service besides what a module says.
DEFAULT_PATH = "/usr/bin:/bin"


@functools.lru_cache(maxsize=None)
def evaluated():
    """All that tests/support/nix/evaluate.nix says, in one start of nix and without a store."""
    library = ROOT.parent.joinpath("shared", "nixpkgs-lib", "lib")
    if not library.is_dir():
        pytest.skip("not run: the library part of nixpkgs is not beside the checkout")
    if shutil.which("nix-instantiate") is None:
        pytest.fail("there is no nix-instantiate here; install Debian's package nix-bin")
    said = subprocess.run(
        ["nix-instantiate", "--store", "dummy://", "--eval", "--strict", "--json", "--show-trace",
         "--argstr", "libPath", str(library), str(ROOT / "tests" / "support" / "nix" / "evaluate.nix")],
        capture_output=True, text=True, timeout=300)
    assert said.returncode == 0, said.stderr[-4000:]
    return json.loads(said.stdout)


def is_edge(system):
    return "losos/losos-registrar.toml" in system["etc"]


def is_box(system):
    return "losos/lososd-pathd.toml" in system["etc"]


def settings(text):
    """A configuration file of flags as {flag: text}, for the few kinds of value that it holds."""
    rows = (re.fullmatch(r"([a-z0-9-]+) = (.*)", line) for line in text.splitlines())
    return {row.group(1): row.group(2).strip('"') for row in rows}


def drop_in(unit, section):
    """The overrides.conf that NixOS makes of what a module says about a unit of a package."""
    settings_of = {"Unit": unit["unitConfig"], section: unit.get(f"{section.lower()}Config", {})}
    if section == "Service":
        folders = [f"{package}/bin" for package in unit["path"]] + [DEFAULT_PATH]
        variables = {"PATH": ":".join(folders), **unit["environment"]}
        settings_of[section] = {
            **settings_of[section], "Environment": [f'"{key}={value}"' for key, value in variables.items()]}
    lines = []
    for name, values in settings_of.items():
        lines.append(f"[{name}]")
        for key, value in values.items():
            lines += [f"{key}={one}" for one in (value if isinstance(value, list) else [value])]
    return "\n".join(lines) + "\n"


def drop_ins(system):
    """{unit: text} of every unit that the modules add to."""
    kinds = (("services", "service", "Service"), ("paths", "path", "Path"), ("timers", "timer", "Timer"),
             ("targets", "target", "Target"))
    return {f"{name}.{ending}": drop_in(unit, section)
            for kind, ending, section in kinds for name, unit in system[kind].items()
            if unit["enable"]}

