"""The flake and its modules as nix evaluates them, and a system of them laid out in a folder."""

import json
import os
import re
import subprocess

from losos_tools.process import run

PLACES = re.compile(r'(?<=["\s])/(?=(?:etc|var|run)/)')
# Of the programs that units name without a path, those that every NixOS finds.
EVERYWHERE = {"/bin/sh"}


def nix_files(root):
    """Every file of ours in Nix that git knows, or will."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", "*.nix"],
        cwd=root, capture_output=True, text=True, check=True).stdout
    return sorted(path for path in map(root.joinpath, set(listed.splitlines())) if path.is_file())


def parse_faults(paths):
    """What nix says of files that it cannot parse, in one start of it."""
    said = subprocess.run(["nix-instantiate", "--store", "dummy://", "--parse", *map(str, paths)],
                          capture_output=True, text=True, timeout=60)
    return said.stderr.splitlines() if said.returncode != 0 else []


def untidy(name, text):
    """Breaches of the rules of layout that need no formatter."""
    found = []
    if not text.endswith("\n") or text.endswith("\n\n"):
        found.append(f"{name} does not end with one line break")
    blank = False
    for number, line in enumerate(text.splitlines(), 1):
        if "\t" in line or "\r" in line:
            found.append(f"{name}:{number} holds a tab or a carriage return")
        if line != line.rstrip():
            found.append(f"{name}:{number} ends with a blank")
        if len(line) > 120:
            found.append(f"{name}:{number} is longer than 120 characters")
        if not line and blank:
            found.append(f"{name}:{number} is a second empty line")
        blank = not line
    return found


def evaluate(root, library):
    """All that tests/support/nix/evaluate.nix says, in one start of nix, without a store."""
    said = subprocess.run(
        ["nix-instantiate", "--store", "dummy://", "--eval", "--strict", "--json", "--show-trace",
         "--argstr", "libPath", str(library), str(root / "tests" / "support" / "nix" / "evaluate.nix")],
        capture_output=True, text=True, timeout=300)
    assert said.returncode == 0, said.stderr[-4000:]
    return json.loads(said.stdout)


def is_edge(system):
    return "losos/losos-registrar.toml" in system["etc"]


def is_box(system):
    return "losos/lososd-pathd.toml" in system["etc"]


class Laid:
    """The files of one system below a folder: what they name in /etc, /var and /run lies there too."""

    def __init__(self, folder, system):
        self.folder, self.system = folder, system
        for name, text in system["etc"].items():
            self.write(f"etc/{name}", text)
        for rule in system["tmpfiles"]:
            self._apply(rule)

    def _apply(self, rule):
        """What systemd-tmpfiles makes of a rule of the kinds that ours have."""
        kind, path, *_ = rule.split()
        assert kind in ("d", "z", "f+"), rule
        if kind == "d":
            self.path(path).mkdir(parents=True, exist_ok=True)
        elif kind == "f+":
            self.write(path.lstrip("/"), rule.split(None, 6)[6])

    def path(self, absolute):
        return self.folder / absolute.lstrip("/")

    def write(self, name, text):
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(self.moved(text), encoding="utf-8")
        return target

    def moved(self, text):
        return PLACES.sub(f"{self.folder}/", text)

    def secret(self, absolute, text):
        target = self.path(absolute)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        os.chmod(target, 0o600)
        return target

    def noise_key(self, absolute):
        """Makes a key, and its public half beside it."""
        path = self.path(absolute)
        path.parent.mkdir(parents=True, exist_ok=True)
        made = run("losos-registrar", "noise", "keygen", "--noise-private-key-file", path)
        assert made.code == 0, made


def settings(text):
    """A configuration file of flags as {flag: text}, for the few kinds of value that it holds."""
    rows = (re.fullmatch(r"([a-z0-9-]+) = (.*)", line) for line in text.splitlines())
    return {row.group(1): row.group(2).strip('"') for row in rows}


def exec_programs(unit_text):
    """The programs that a unit starts, as it names them."""
    placed = re.sub(r"@(\w+)@", r"/\1", unit_text)
    return re.findall(r"^ExecStart=[-@:+!|]*(\S+)", placed, re.MULTILINE)


def drop_in(unit, section):
    """The overrides.conf that NixOS makes of what a module says about a unit of a package."""
    lines = []
    sections = {"Unit": unit["unitConfig"], section: unit.get(f"{section.lower()}Config", {})}
    for name, values in sections.items():
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

