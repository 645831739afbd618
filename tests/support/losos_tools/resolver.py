"""A resolver that speaks DNS over HTTPS in JSON, and knows what a test tells it."""

import threading
import urllib.parse

from .stand_in import StandIn, reply

TYPES = {"A": 1, "CNAME": 5, "TXT": 16, "AAAA": 28}
PATH = "/dns-query"


class Resolver:
    """`records` is {(name, type): [data]}; `status` answers names in it with that DNS status; names
    in `silent` get no answer until release(); `instead` is answered to everything, if it is set."""

    def __init__(self):
        self.records, self.status, self.silent = {}, {}, set()
        self.asked = []
        self.instead = None
        self._released = threading.Event()
        self._stand_in = StandIn({PATH: self._answer})
        self.url = self._stand_in.url + PATH

    def close(self):
        self.release()
        self._stand_in.close()

    def release(self):
        """Those who wait for an answer get it."""
        self._released.set()

    def times_asked(self, name):
        return sum(1 for asked, _ in list(self.asked) if asked == name)

    def _answer(self, request):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(request.path).query)
        name, kind = query["name"][0], query["type"][0]
        self.asked.append((name, kind))
        if self.instead is not None:
            return self.instead
        if request.headers.get("accept") != "application/dns-json":
            return reply(415)
        if name in self.silent:
            self._released.wait(30)
        status = self.status.get(name, 0)
        records = [{"name": name + ".", "type": TYPES[kind], "TTL": 1, "data": data}
                   for data in self.records.get((name, kind), [])]
        if not records and not status and not any(asked == name for asked, _ in self.records):
            status = 3
        return reply(200, {"Status": status, "TC": False, "RD": True, "RA": True,
                           "Question": [{"name": name + ".", "type": TYPES[kind]}],
                           "Answer": records})
