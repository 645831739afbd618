"""The order in which files take their names, over several directories, as the kernel saw it."""

import ctypes
import os
import struct

from .waiting import until

_IN_MOVED_TO = 0x80
_IN_CLOSE_WRITE = 0x08
_IN_DELETE = 0x200
_EVENT = struct.Struct("iIII")


class Watch:
    """Collects what takes, loses or changes its name in the directories; dot names do not count."""

    def __init__(self, *directories):
        libc = ctypes.CDLL(None, use_errno=True)
        self._fd = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        self._events = []
        for directory in directories:
            mask = _IN_MOVED_TO | _IN_CLOSE_WRITE | _IN_DELETE
            if libc.inotify_add_watch(self._fd, os.fsencode(directory), mask) < 0:
                raise OSError(ctypes.get_errno(), "cannot watch", str(directory))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._fd)

    def events(self):
        """Every name so far, in order; one that went away has a minus in front."""
        while True:
            try:
                data = os.read(self._fd, 65536)
            except BlockingIOError:
                return self._events
            while data:
                _, mask, _, length = _EVENT.unpack_from(data)
                name = os.fsdecode(data[_EVENT.size:_EVENT.size + length].rstrip(b"\0"))
                data = data[_EVENT.size + length:]
                if not name.startswith("."):
                    self._events.append("-" + name if mask & _IN_DELETE else name)

    def wait_for(self, name, count=1):
        until(lambda: self.events().count(name) >= count,
              lambda: f"{name} to come up {count} times; seen: {self.events()}")

    def first(self, name):
        return self.events().index(name)

    def last(self, name):
        return len(self.events()) - 1 - self.events()[::-1].index(name)
