"""What a page lets its reader type: which line on which machine, and what it shows for it."""

import re

PROMPT = re.compile(r"^(hub|gateway|box|visitor)[#$] (.*)$")
HERE_DOCUMENT = re.compile(r"<<'?(\w+)'?$")
# What differs from one run to the next.
VARYING = re.compile(r"\d+ (?:ms|s|min) ago|\d+ free|\d+ checks: \d+ ok")


class Step:
    """A line at a machine's prompt, with all that goes on from it, and the answer below it."""

    def __init__(self, machine, command):
        self.machine, self.command = machine, command
        self.shown = ""

    def __str__(self):
        return f"{self.machine}: {self.command}"

    def is_answered_by(self, out):
        """Whether `out` is what the page shows, but for times, counts and ports."""
        pattern, end = "", 0
        for varying in VARYING.finditer(self.shown):
            pattern += re.escape(self.shown[end:varying.start()])
            pattern += re.sub(r"\d+", r"\\d+", re.escape(varying.group()))
            end = varying.end()
        return re.fullmatch(pattern + re.escape(self.shown[end:]), out) is not None


def steps_of(block):
    """The steps of one block; none where its lines have no machine's prompt."""
    steps, lines = [], iter(block.splitlines(keepends=True))
    for line in lines:
        prompt = PROMPT.match(line)
        if not prompt:
            if steps:
                steps[-1].shown += line
            continue
        command = prompt[2]
        while command.endswith("\\"):
            command += "\n" + next(lines).rstrip("\n")
        document = HERE_DOCUMENT.search(command)
        while document and not command.endswith(f"\n{document[1]}"):
            command += "\n" + next(lines).rstrip("\n")
        steps.append(Step(prompt[1], command))
    return steps
