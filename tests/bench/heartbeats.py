"""Heartbeats a second over 32 keep-alive connections, against nginx answering `return 204`, in turn
and in the same minute: of one tenant, and of ten thousand."""

import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

from figures import Bounds, crowded_registrar, ids, requests_a_second, say, wrk
from losos_tools.registrar import Reservation
from losos_tools.tokens import token
from losos_tools.waiting import until
from losos_tools import http

ROUNDS = 3
SECONDS = 3
CONNECTIONS = 32
AT_LEAST = 0.35

NGINX = """
daemon off;
worker_processes 2;
pid {folder}/nginx.pid;
error_log stderr;
events {{ worker_connections 256; }}
http {{
  access_log off;
  keepalive_requests 1000000000;
  client_body_temp_path {folder};
  server {{ listen 127.0.0.1:{port}; location / {{ return 204; }} }}
}}
"""

# Every request is made beforehand: the load must cost the measured machine as little as it can.
LOAD = """
local bodies = {{ {bodies} }}
local requests, at = {{}}, 0
function init()
  for i, body in ipairs(bodies) do
    requests[i] = wrk.format("POST", "/heartbeat", {{["Content-Type"] = "application/json"}}, body)
  end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function response(status)
  if status ~= 204 then print("answered " .. status) os.exit(1) end
end
"""


class Nginx:
    def __init__(self, folder):
        self._reservation = Reservation()
        self.url = f"http://127.0.0.1:{self._reservation.port}/heartbeat"
        conf = folder / "nginx.conf"
        conf.write_text(NGINX.format(folder=folder, port=self._reservation.port))
        self._process = subprocess.Popen([shutil.which("nginx") or "/usr/sbin/nginx", "-c", conf],
                                         stderr=(folder / "nginx.log").open("w"))
        until(self._answers, "nginx to answer")

    def _answers(self):
        try:
            return http.call(self._reservation.port, "GET", "/").status == 204
        except OSError:
            return False

    def close(self):
        self._process.terminate()
        self._process.wait()
        self._reservation.close()


def measure(folder, tenants):
    """Of so many tenants each beats in turn; returns the ratio."""
    registrar = crowded_registrar(folder / f"registrar{tenants}", tenants, tenants)
    script = folder / "heartbeat.lua"
    # A long bracket, since a JSON text has quotes of its own.
    script.write_text(LOAD.format(bodies=",\n".join(
        f'[[{{"appliance_id":"{each}","token":"{token(each)}"}}]]' for each in ids(tenants))))
    nginx = Nginx(folder)
    ours, theirs = [], []
    try:
        registrar.start()
        for _ in range(ROUNDS):
            for url, figures in ((nginx.url, theirs), (registrar.url + "/heartbeat", ours)):
                figures.append(requests_a_second(wrk(url, CONNECTIONS, SECONDS, "-s", script)))
    finally:
        nginx.close()
        registrar.close()
    ratio = statistics.median(a / b for a, b in zip(ours, theirs))
    say(f"heartbeats, {tenants:,} tenant(s): {statistics.median(ours):,.0f}/s; "
        f"nginx's return 204: {statistics.median(theirs):,.0f}/s; ratio {ratio:.2f}")
    return ratio


def main():
    bounds = Bounds("heartbeats")
    with tempfile.TemporaryDirectory(prefix="losos-bench-") as folder:
        for tenants in (1, 10000):
            bounds.at_least(f"the ratio to nginx with {tenants:,} tenant(s)",
                            measure(Path(folder), tenants), AT_LEAST)
    bounds.check()


if __name__ == "__main__":
    main()
