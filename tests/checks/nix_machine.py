"""A machine of our NixOS modules, its files laid out in a folder for our tools to read."""

import os
import re

from losos_tools.process import run

PLACES = re.compile(r'(?<=["\s])/(?=(?:etc|var|run)/)')


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
