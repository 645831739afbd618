"""A stream that a visitor has open: a page that never ends, read as it comes."""

import threading

from losos_lab import wait

PATH = "/stream"
FILE = "/var/www/stream"
PAGE = f"""
    location {PATH} {{ alias {FILE}; limit_rate 512k; }}
"""


class Stream:
    """Open from the start of its block to its end; whatever cuts it is the failure of `wait_more`."""

    def __init__(self, visitor, hostname):
        self._connection = visitor.open(hostname)
        self.count = 0
        self._end = None
        self._closing = False
        self._thread = threading.Thread(target=self._read, daemon=True)

    def __enter__(self):
        self._connection.request("GET", PATH)
        self._answer = self._connection.getresponse()
        assert self._answer.status == 200
        self._thread.start()
        self.wait_more()
        return self

    def __exit__(self, *_):
        self._closing = True
        self._connection.close()
        self._thread.join(30)

    def wait_more(self, count=1 << 20, timeout=60.0):
        """Waits until so many more bytes have come: more than any buffer on the way holds, for all of
        it is read at once."""
        goal = self.count + count

        def there():
            assert self._end is None, f"the stream ended after {self.count} bytes: {self._end}"
            return self.count >= goal
        wait.until(there, lambda: f"the stream to bring more than {self.count} bytes", timeout, 0.05)

    def _read(self):
        try:
            while data := self._answer.read1(65536):
                self.count += len(data)
            self._end = "the end of the page"
        except Exception as error:  # whatever it is, the test is told
            if not self._closing:
                self._end = repr(error)
