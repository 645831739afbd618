"""What --help, the man pages and the units say of each other, as lists of breaches."""

import re
import subprocess

HELP_FLAG = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]*)")
PAGE_FLAG = re.compile(r"\bFl\s+(?:\\)?-([a-z][a-z0-9-]*)")
SUBCOMMANDS = re.compile(r"^(?:sub)?commands:\s*$", re.IGNORECASE)
CROSS_REFERENCE = re.compile(r"\bXr\s+(\S+)\s+(\d)")
DOCUMENTATION = re.compile(r"\bman:([^\s(]+)\((\d)\)")
EXEC = re.compile(r"^Exec\w+=[-@:+!|]*(\S+)[ \t]*(.*)$", re.MULTILINE)


class Help:
    """What one tool's --help says, subcommand by subcommand; asked of the tool, once each."""

    def __init__(self, program):
        self.program = program
        self.commands = {}  # words of a subcommand, () for the tool itself: its flags
        self._read(())

    def _read(self, words):
        asked = subprocess.run(
            [self.program, *words, "--help"], capture_output=True, text=True, timeout=30
        )
        assert asked.returncode == 0, f"{self.program} {words} --help ended with {asked.returncode}"
        self.commands[words] = set(HELP_FLAG.findall(asked.stdout))
        for further in subcommands_in(asked.stdout):
            deeper = further if further[: len(words)] == words else words + further
            if deeper not in self.commands:
                self._read(deeper)

    def flags(self):
        return set().union(*self.commands.values())

    def of(self, arguments):
        """The flags that hold for a command line, and the words of its subcommand."""
        words = ()
        for argument in arguments:
            if not any(known[: len(words) + 1] == words + (argument,) for known in self.commands):
                break
            words += (argument,)
        return words, self.commands[()] | self.commands.get(words, set())


def subcommands_in(help_text):
    """The subcommands a help text lists, each a tuple of its words."""
    found, inside = [], False
    for line in help_text.splitlines():
        if SUBCOMMANDS.match(line):
            inside = True
        elif inside and line[:1] not in ("", " "):
            inside = False
        elif inside:
            listed = re.match(r" {1,4}([a-z][a-z0-9-]*(?: [a-z][a-z0-9-]*)*)(?: {2,}|$)", line)
            if listed:
                found.append(tuple(listed.group(1).split()))
    return found


def tools(root):
    return sorted(path.name for path in (root / "tools").iterdir() if path.is_dir())


def page_of(root, tool):
    return (root / "man" / f"{tool}.8").read_text(encoding="utf-8")


def undocumented(help_of_tool, page):
    """Flags and subcommands of --help that the page does not have."""
    found = [f"--{flag}" for flag in sorted(help_of_tool.flags() - set(PAGE_FLAG.findall(page)))]
    for words in help_of_tool.commands:
        spelled = re.compile(r"\b" + r"\s+(?:Cm\s+)?".join(map(re.escape, words)) + r"\b")
        if words and not spelled.search(page):
            found.append(" ".join(words))
    return found


def invented(help_of_tool, page):
    """Flags of the page that --help does not have."""
    return [f"--{flag}" for flag in sorted(set(PAGE_FLAG.findall(page)) - help_of_tool.flags())]


def pages(root):
    return sorted((root / "man").glob("*.[1-9]"))


def unclean_pages(root):
    """What mandoc says of the pages."""
    found = []
    for page in pages(root):
        said = subprocess.run(
            ["mandoc", "-Tlint", "-Wwarning", page.name],
            cwd=page.parent, capture_output=True, text=True,
        )
        found += (said.stdout + said.stderr).splitlines()
    return found


def is_ours(name):
    return name.startswith("losos") or name.endswith((".json", ".toml", ".env"))


def dangling_references(root):
    """References of pages and units to pages of ours that are not there."""
    there = {page.name for page in pages(root)}
    found = []
    for page in pages(root):
        for name, section in CROSS_REFERENCE.findall(page.read_text(encoding="utf-8")):
            if is_ours(name) and f"{name}.{section}" not in there:
                found.append(f"{page.name} refers to {name}({section})")
    for unit in units(root):
        for name, section in DOCUMENTATION.findall(unit.read_text(encoding="utf-8")):
            if is_ours(name) and f"{name}.{section}" not in there:
                found.append(f"{unit.name} refers to {name}({section})")
    return found


def units(root):
    """The unit files, those that meson still has to fill in included."""
    kinds = r".*\.(service|path|timer|socket|target)(\.in)?"
    return sorted(path for path in (root / "units").rglob("*") if re.fullmatch(kinds, path.name))


def exec_lines(text):
    """(program, arguments) of each Exec line, and of each command of a shell's; `text` is a unit's."""
    joined = re.sub(r"\\\n\s*", " ", text)
    for program, rest in EXEC.findall(joined):
        name = program.rsplit("/", 1)[-1]
        yield name, rest.split()
        if name == "sh":
            for command in rest.partition("'")[2].rstrip("'").split(";"):
                words = command.removeprefix(" exec").split()
                yield words[0].rsplit("/", 1)[-1], words[1:]


def wrong_exec_lines(root, helps):
    """Exec lines that name a tool, a subcommand or a flag which is not there."""
    found = []
    for unit in units(root):
        for program, arguments in exec_lines(unit.read_text(encoding="utf-8")):
            if not program.startswith("losos"):
                continue
            if program not in helps:
                found.append(f"{unit.name} runs {program}, which no tool is called")
                continue
            words, flags = helps[program].of(arguments)
            if len(helps[program].commands) > 1 and words == ():
                found.append(f"{unit.name} runs {program} with no subcommand that it has")
            for argument in arguments:
                flag = HELP_FLAG.match(argument)
                if flag and flag.group(1) not in flags:
                    found.append(f"{unit.name} gives {program} {argument}, which it does not have")
    return found


# A key that is commented out is still an offer to the operator.
CONFIGURED = re.compile(r"^#?([a-z][a-z0-9-]*) *= *[\"'\[0-9tf]", re.MULTILINE)


def unknown_keys(root, helps):
    """Keys of the shipped configuration files which are no flag of their tool."""
    found = []
    for path in sorted((root / "units").rglob("losos*.toml")):
        tool = path.name.split(".")[0]
        for key in CONFIGURED.findall(path.read_text(encoding="utf-8")):
            if tool not in helps or key not in helps[tool].flags():
                found.append(f"{path.name} sets {key}, which {tool} does not have")
    return found
