"""The README's owner paths, section by section."""

import re

from walkthrough import steps_of

FENCE = re.compile(r"^(?:#+ (?P<heading>[^\n]*)|```\n(?P<block>.*?)^```)$", re.MULTILINE | re.DOTALL)


def read_paths(page):
    """{heading: steps} of each section that has any, in the order of the page."""
    paths, heading = {}, None
    for found in FENCE.finditer(page):
        heading = found["heading"] or heading
        if found["block"] and (steps := steps_of(found["block"])):
            paths.setdefault(heading, []).extend(steps)
    return paths
