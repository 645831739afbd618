"""Tools that run once, with a fault at one step of theirs after the other."""

import itertools
import json
import re
import shutil
import stat

from .faults import ERRNO_OF, STRIDE, FaultInjector, leftovers, message_of
from .process import run


def tree(folder):
    """{name: (mode, content)} of a directory, without what differs from one run to the next: where
    it is, and the time. Temporary files do not count."""
    found = {}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        status = path.lstat()
        if path.name.endswith(".tmp"):
            continue
        content = None
        if stat.S_ISREG(status.st_mode):
            text = path.read_text(encoding="utf-8").replace(str(folder), "@")
            content = re.sub(r'"(\w*at|\w*_ms)": \d+', r'"\1": 0', text)
        found[name] = (stat.S_IMODE(status.st_mode), content)
    return found


class Scenario:
    """`prepare(folder)` makes a tool's files and returns its name and arguments. What a file may
    never be but as before or as after is all of `tree`; `alike` makes trees comparable that hold a
    secret made by chance. `gaps` may be missing in between. A tool that was interrupted when all
    was done may say `done_before` when it is run again. `given` stands on its standard input."""

    def __init__(self, tmp_path, prepare, alike=lambda files: files, gaps=(), done_before=None,
                 given=""):
        self._tmp_path, self._prepare, self._alike, self._gaps = tmp_path, prepare, alike, gaps
        self._done_before, self._given = done_before, given
        self._number = itertools.count()
        folder, tool, args = self._make()
        self.before = self._files(folder)
        done = run(tool, *args, given=self._given)
        assert done.code == 0, done
        self.after = self._files(folder)
        assert leftovers(folder) == []

    def _make(self):
        folder = self._tmp_path / f"round{next(self._number)}" / "files"
        folder.mkdir(parents=True)
        return folder, *self._prepare(folder)

    def _files(self, folder):
        return self._alike(tree(folder))

    def kill_at_every_step(self, harmless=()):
        """Killed anywhere, each file is as it was or as it is to be, but for the `harmless` that may
        tell, as whole files, of the way there; run again, all is done."""
        for number in itertools.count(1, STRIDE):
            folder, tool, args = self._make()
            injector = FaultInjector(folder.parent, folder)
            injector.plan("kill-before", number)
            done = injector.run(tool, *args, given=self._given)
            struck = injector.struck()
            where = f"at {struck}: {done}"
            self._check_each_file(folder, where, harmless)
            if struck:
                assert done.code == -9, where
                self._run_again(folder, tool, args, where)
            self._check_all(folder, where)
            shutil.rmtree(folder.parent)
            if not struck:
                assert number > 1
                return

    def fail_at_every_step(self, harmless=()):
        """A step that fails is told, file and cause, and ends the tool with 1, or in a warning where
        the file is one of the `harmless` that only report; nothing is half done, and run again, all
        is done."""
        folder, tool, args = self._make()
        injector = FaultInjector(folder.parent, folder)
        assert injector.run(tool, *args, given=self._given).code == 0
        for number, step in list(enumerate(injector.steps(), 1))[::STRIDE]:
            folder, tool, args = self._make()
            injector = FaultInjector(folder.parent, folder)
            injector.plan("fail", number, ERRNO_OF[step.call])
            done = injector.run(tool, *args, given=self._given)
            struck = injector.struck()
            where = f"at {struck}: {done}"
            assert re.search(message_of(struck), done.err), where
            assert done.code == (0 if struck.target.name in harmless else 1), where
            assert leftovers(folder) == [], where
            self._check_each_file(folder, where, harmless)
            self._run_again(folder, tool, args, where)
            self._check_all(folder, where)
            shutil.rmtree(folder.parent)

    def _run_again(self, folder, tool, args, where):
        all_done = self._files(folder) == self.after
        again = run(tool, *args, given=self._given)
        if all_done and self._done_before and again.code == 1:
            assert self._done_before in again.err, f"{where}\nagain: {again}"
        else:
            assert again.code == 0, f"{where}\nagain: {again}"

    def _check_each_file(self, folder, where, reports=()):
        for name, found in self._files(folder).items():
            if name.rsplit("/", 1)[-1] in reports:
                modes = [each[name][0] for each in (self.before, self.after) if name in each]
                assert found[0] in modes and isinstance(json.loads(found[1]), dict), \
                    f"{where}\n{name}: {found}"
                continue
            assert found in (self.before.get(name), self.after.get(name)), f"{where}\n{name}: {found}"
        missing = set(self.before) & set(self.after) - set(self._files(folder)) - set(self._gaps)
        assert not missing, f"{where}\n{missing}"

    def _check_all(self, folder, where):
        assert self._files(folder) == self.after, where
        assert leftovers(folder) == [], where
