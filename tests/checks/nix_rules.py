"""The flake and its modules as nix evaluates them, and rules for their sources."""

import json
import re
import subprocess

# Of the programs that units name without a path, those that every NixOS finds.
EVERYWHERE = {"/bin/sh"}


def nix_files(root):
    """Every file of ours in Nix."""
    return sorted([root / "flake.nix", *(root / "nix").rglob("*.nix"), *(root / "tests").rglob("*.nix")])


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


WORDS = re.compile(r"""#[^\n]*|/\*.*?\*/|''|"|[][(){}]|\n""", re.DOTALL)
QUOTED = {"''": re.compile(r"''(?:\$|'|\\.)|\$\$|\$\{|''|\n"), '"': re.compile(r"\\.|\$\$|\$\{|\"|\n")}


def brackets(text):
    """(line, bracket) of each that is code, those that stand in a text for a value included."""
    at, line, within = 0, 1, []
    while True:
        quote = within[-1] if within and within[-1] in QUOTED else None
        found = (QUOTED[quote] if quote else WORDS).search(text, at)
        if found is None:
            return
        word, at = found.group(), found.end()
        if quote and word == quote:
            within.pop()
        elif word in QUOTED:
            within.append(word)
        elif word in ("${", *"([{"):
            within.append(word)
            yield line, word[-1]
        elif not quote and word in (")", "]", "}"):
            within and within.pop()
            yield line, word
        line += word.count("\n")


def crooked(name, text):
    """Lines that begin with a closing bracket and do not stand as deep as the line that opened it, and
    odd numbers of blanks before a bracket's line."""
    lines = text.split("\n")
    depth = [len(line) - len(line.lstrip(" ")) for line in lines]
    found, opened, seen = [], [], set()
    for line, bracket in brackets(text):
        if bracket in "([{":
            opened.append(line)
            continue
        begun = opened.pop() if opened else line
        first = line not in seen and lines[line - 1].lstrip(" ").startswith(bracket)
        seen.add(line)
        if first and depth[line - 1] != depth[begun - 1]:
            found.append(f"{name}:{line} closes {bracket} deeper or less deep than line {begun} opens it")
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

