"""How a demo speaks: in plain lines, with commands as an owner types them."""

import sys


class Teller:
    """Bold only where a person looks on."""

    def __init__(self):
        self._terminal = sys.stdout.isatty()
        self._step = 0

    def _bold(self, text):
        return f"\033[1m{text}\033[0m" if self._terminal else text

    def say(self, text=""):
        print(text, flush=True)

    def step(self, text):
        self._step += 1
        self.say()
        self.say(self._bold(f"{self._step}. {text}"))

    def typed(self, command, output="", prompt="$"):
        """A command as an owner types it, and what it printed."""
        self.say(f"   {prompt} {command}")
        for line in output.rstrip().splitlines():
            self.say(f"   {line}")
