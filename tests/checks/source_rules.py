"""The rules that sources keep, each a function from a tree to a list of breaches."""

import re

# Which library may include which; io stands beside core and files, never above or below them.
MAY_INCLUDE = {
    "base": {"base"},
    "core": {"base", "core"},
    "files": {"base", "core", "files"},
    "io": {"base", "io"},
}

# Each third-party header, and the one adapter that touches it.
ADAPTERS = {
    r"httplib\.h": r"lib/io/http_(server|routes|client|answer_reader)\.cc",
    r"simdjson\.h": r"lib/base/json_reader\.cc",
    r"sodium(/.*|\.h)": r"lib/base/crypto\.cc",
    r"fmt/.*": r"lib/base/format\.h",
    r"CLI/.*": r"lib/base/options\.cc",
    r"systemd/.*": r"lib/io/[a-z_]+\.cc",
    r"catch2/.*": r"tests/support/catch\.h",
}

# What the pure core may not reach for: files, processes, clocks, the environment, chance.
IMPURE_HEADERS = re.compile(
    r"(unistd\.h|fcntl\.h|time\.h|ctime|fstream|iostream|cstdio|stdio\.h|filesystem|thread|mutex"
    r"|random|signal\.h|csignal|poll\.h|netdb\.h|sys/.*|base/(file|log|options|tool_main|guarded)\.h)"
)
IMPURE_CALLS = re.compile(r"::now\s*\(|\bgetenv\b|\bgettimeofday\b|\bclock_gettime\b|\bstd::time\b")

FILE_LIMIT = 400
# The end of a string literal's opening quote is part of the rule: prose in comments is free.
SYSTEM_PATHS = re.compile(r'/(?:var/lib|var/secrets|run|etc)/')

COMMENT_OR_STRING = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(?P<tag>[^(\s]*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'""",
    re.DOTALL,
)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


def without_comments(text):
    """The code with its strings but without its comments; line numbers stay."""

    def keep(match):
        found = match.group(0)
        return "\n" * found.count("\n") if found.startswith(("//", "/*")) else found

    return COMMENT_OR_STRING.sub(keep, text)


def strings_of(text):
    """(line, literal) of each string literal."""
    for match in COMMENT_OR_STRING.finditer(text):
        if match.group(0).startswith(('"', "R")):
            yield text.count("\n", 0, match.start()) + 1, match.group(0)


def sources(root, *folders):
    """(name below root, text) of each C++ file below the folders."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".cc", ".h"):
                yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def includes(text):
    """(quoted, header) of each include."""
    for match in INCLUDE.finditer(text):
        yield bool(match.group(1)), match.group(1) or match.group(2)


def upward_includes(root):
    """Includes against the direction base <- core <- files <- tools, io <- tools."""
    found = []
    for name, text in sources(root, "lib"):
        layer = name.split("/")[1]
        for quoted, header in includes(text):
            target = header.split("/")[0]
            if quoted and target not in MAY_INCLUDE.get(layer, set()):
                found.append(f"{name} includes {header}")
    for name, text in sources(root, "tools"):
        tool = name.split("/")[1]
        for quoted, header in includes(text):
            target = header.split("/")[0]
            if quoted and target not in MAY_INCLUDE and target != tool and "/" in header:
                found.append(f"{name} includes {header}")
    return found


def foreign_includes(root):
    """Third-party headers outside their one adapter."""
    found = []
    for name, text in sources(root, "lib", "tools", "tests"):
        for _, header in includes(text):
            for theirs, adapter in ADAPTERS.items():
                if re.fullmatch(theirs, header) and not re.fullmatch(adapter, name):
                    found.append(f"{name} includes {header}")
    return found


def impurities(root):
    """What lib/core does that a pure function cannot."""
    found = []
    for name, text in sources(root, "lib/core"):
        for _, header in includes(text):
            if IMPURE_HEADERS.fullmatch(header):
                found.append(f"{name} includes {header}")
        for match in IMPURE_CALLS.finditer(without_comments(text)):
            found.append(f"{name} calls {match.group(0)}")
    return found


def logging_libraries(root):
    """Library code that logs: the tools decide what is said."""
    return [
        f"{name} includes base/log.h"
        for name, text in sources(root, "lib/core", "lib/files", "lib/io")
        for _, header in includes(text)
        if header == "base/log.h"
    ]


def spelled_paths(root):
    """System paths in string literals outside the one header that may spell them."""
    found = []
    for name, text in sources(root, "lib", "tools"):
        if name == "lib/files/paths.h":
            continue
        for line, literal in strings_of(text):
            if SYSTEM_PATHS.search(literal):
                found.append(f"{name}:{line} spells {literal}")
    return found


def long_files(root):
    """Files over the limit."""
    found = []
    for folder in ("lib", "tools", "tests"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".cc", ".h", ".py"):
                lines = len(path.read_text(encoding="utf-8").splitlines())
                if lines > FILE_LIMIT:
                    found.append(f"{path.relative_to(root)} has {lines} lines")
    return found


def bare_headers(root):
    """Headers without a title comment or without #pragma once."""
    found = []
    for name, text in sources(root, "lib", "tools", "tests"):
        if name.endswith(".h"):
            if not text.startswith("// "):
                found.append(f"{name} has no title comment")
            if "#pragma once\n" not in text:
                found.append(f"{name} has no #pragma once")
    return found


# Spelled in pieces, or this file would be a breach of its own rule.
LEFT_TO_DO = re.compile(r"\b(?:TO" + "DO|FIX" + r"ME|XX" + r"X)\b|/wo" + r"rk/|\.\./shar" + "ed")


def unfinished(root, names):
    """Lines of the named files that put work off, or speak of the machine they were written on."""
    found = []
    for name in names:
        path = root / name
        if not path.is_file() or path.is_symlink():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for match in LEFT_TO_DO.finditer(text):
            found.append(f"{name}:{text.count(chr(10), 0, match.start()) + 1} says {match.group(0)}")
    return found
