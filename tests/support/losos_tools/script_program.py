"""A program that a script under test calls, played by a script that notes what it is told."""

import os

from .files import write_text


class ScriptProgram:
    """`text` in a folder of its own that comes first in PATH; it may write lines to "$folder/told", and
    read any other file there."""

    def __init__(self, folder, name, text):
        self.folder = folder
        folder.mkdir()
        write_text(folder / name, text).chmod(0o755)

    def environment(self):
        return os.environ | {"PATH": f"{self.folder}:{os.environ['PATH']}"}

    def told(self):
        file = self.folder / "told"
        return file.read_text().splitlines() if file.exists() else []

    def take_told(self):
        told = self.told()
        (self.folder / "told").unlink(missing_ok=True)
        return told
