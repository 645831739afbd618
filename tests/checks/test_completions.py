"""What bash, zsh and fish complete is what the programs have: every command, every flag, and no other."""

import os
import pty
import select
import shlex
import subprocess
import termios
import time

import page_rules as rules
import pytest

SHELLS = ("bash", "zsh", "fish")
# zsh's own helpers only say here what they were given.
ZSH = """
_describe() {{ print -l -- "${{next[@]%%:*}}" }}
_arguments() {{ print -l -- "$@" }}
words=({words} {last}) CURRENT={number}
source {file}
"""
BASH = """
compopt() {{ :; }}
source {file}
COMP_WORDS=({words} {last}) COMP_CWORD={number}
_{function}
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture(scope="module")
def helps(root, bin_dir):
    return {tool: rules.Help(bin_dir / tool) for tool in rules.tools(root)}


@pytest.fixture(scope="module")
def files(root, bin_dir, tmp_path_factory):
    """Each tool's completion for each shell, in a file."""
    folder = tmp_path_factory.mktemp("completions")
    found = {}
    for tool in rules.tools(root):
        for shell in SHELLS:
            found[tool, shell] = folder / f"{tool}.{shell}"
            found[tool, shell].write_text(subprocess.run(
                [bin_dir / tool, "--completion", shell], check=True, capture_output=True, text=True).stdout)
    return found


def asked(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=30,
                          env={**os.environ, "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"})
    assert done.returncode == 0 and not done.stderr, done
    return done.stdout.splitlines()


def completed(shell, file, words, last):
    """What the shell offers behind `words`, when `last` has been typed of the next one."""
    if shell == "fish":
        # It looks for a program's completions only if there is such a program.
        script = f"source {file}; complete -C {shlex.quote(' '.join([*words, last]))}"
        return {line.split("\t")[0] for line in asked("fish", "--no-config", "-c", script)}
    line = shlex.join(words)
    if shell == "bash":
        script = BASH.format(file=file, words=line, last=shlex.quote(last), number=len(words),
                             function=words[0].replace("-", "_"))
        return set(asked("bash", "--norc", "-c", script)) - {""}
    script = ZSH.format(file=file, words=line, last=shlex.quote(last), number=len(words) + 1)
    offered = {line.lstrip("*").split("[")[0].split("=")[0] for line in asked("zsh", "-f", "-c", script)}
    return {word for word in offered if word.startswith(last)}


def next_words(help_of_tool, words):
    """The words that lead on to a command."""
    return {known[len(words)] for known in help_of_tool.commands
            if known[: len(words)] == words and len(known) > len(words)}


@pytest.mark.parametrize("shell", SHELLS)
def test_every_flag_of_every_command_is_completed_and_no_other(helps, files, shell):
    for tool, its in helps.items():
        for words, flags in its.commands.items():
            offered = completed(shell, files[tool, shell], [tool, *words], "--")
            shown = flags_shown(its, words)
            assert offered == {f"--{flag}" for flag in shown}, (tool, words)


def flags_shown(its, words):
    """The flags of one command's help; of a group's, what all of them have."""
    return its.commands[words] if not next_words(its, words) else its.commands[()]


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_is_completed_and_no_other(helps, files, shell):
    for tool, its in helps.items():
        for words in its.commands:
            if wanted := next_words(its, words):
                assert completed(shell, files[tool, shell], [tool, *words], "") == wanted, (tool, words)


def test_a_value_is_no_command(files):
    line = ["losos-edge", "--edge-dir", "uplink"]
    for shell in SHELLS:
        assert "doctor" in completed(shell, files["losos-edge", shell], line, ""), shell


def test_a_flag_with_a_few_values_offers_them(files):
    for shell in ("bash", "fish"):
        assert completed(shell, files["losos-announce", shell], ["losos-announce", "--idle"], "") == {
            "auto", "yes", "no", "off"}, shell


def test_another_shell_is_wrong_usage(bin_dir):
    done = subprocess.run([bin_dir / "losos-edge", "--completion", "csh"], capture_output=True, text=True)
    assert done.returncode == 2 and "bash, zsh or fish" in done.stderr


class Terminal:
    """An interactive bash whose owner types."""

    def __init__(self, folder):
        self.shown = ""
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], {
                "PATH": os.environ["PATH"], "TERM": "dumb", "PS1": "ready ", "HOME": "/nonexistent"})
        # No line is to be shown in pieces.
        termios.tcsetwinsize(self._fd, (24, 400))

    def type(self, text, until, timeout=30.0):
        """Types, and waits until bash shows what is expected."""
        os.write(self._fd, text.encode())
        deadline = time.monotonic() + timeout
        while until not in self.shown:
            ready, _, _ = select.select([self._fd], [], [], deadline - time.monotonic())
            assert ready, f"no {until!r} in {self.shown!r}"
            self.shown += os.read(self._fd, 4096).decode(errors="replace")

    def close(self):
        os.close(self._fd)
        os.waitpid(self.pid, 0)


def test_an_interactive_bash_completes_commands_flags_and_files(files, tmp_path):
    (tmp_path / "acme.token").touch()
    bash = Terminal(tmp_path)
    try:
        bash.type(f"source {files['losos-edge', 'bash']}; echo so''urced\n", "\nsourced")
        bash.type("losos-edge up\t", "losos-edge uplink ")
        bash.type("se\t", "uplink set ")
        bash.type("--tok\t", "set --token-file ")
        bash.type("ac\t", "--token-file acme.token ")
        bash.type("--reg\t", "acme.token --registrar ")
        bash.type("https://x:1 --rath\t", "https://x:1 --rathole ")
    finally:
        bash.close()
