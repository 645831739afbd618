"""Rules for sources in Nix, each a function that answers with a list of breaches."""

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


def exec_programs(unit_text):
    """The programs that a unit starts, as it names them."""
    placed = re.sub(r"@(\w+)@", r"/\1", unit_text)
    return re.findall(r"^ExecStart=[-@:+!|]*(\S+)", placed, re.MULTILINE)
