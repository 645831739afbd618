"""Heartbeats a second over 32 keep-alive connections, against nginx answering `return 204`, in turn
and in the same minute."""

import re
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

from losos_tools.registrar import Registrar, Reservation
from losos_tools.tokens import token
from losos_tools.waiting import until
from losos_tools import http

ROUNDS = 3
SECONDS = 4
CONNECTIONS = 32

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

HEARTBEAT = """
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{{"appliance_id":"mattbox","token":"{token}"}}'
function response(status)
  if status ~= 204 then print("answered " .. status) os.exit(1) end
end
"""


def requests_a_second(url, script):
    done = subprocess.run(
        ["wrk", "-t2", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "-s", str(script), url],
        check=True, capture_output=True, text=True)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", done.stdout)[1])


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


def measure(folder, tenants, **flags):
    ids = ["mattbox"] + [f"box{n}" for n in range(tenants - 1)]
    registrar = Registrar(folder / f"registrar{tenants}", ids, **flags)
    script = folder / "heartbeat.lua"
    script.write_text(HEARTBEAT.format(token=token("mattbox")))
    nginx = Nginx(folder)
    try:
        registrar.start()
        assert registrar.register("mattbox").status == 200
        ours, theirs = [], []
        for _ in range(ROUNDS):
            theirs.append(requests_a_second(nginx.url, script))
            ours.append(requests_a_second(registrar.url + "/heartbeat", script))
    finally:
        nginx.close()
        registrar.close()
    ratio = statistics.median(a / b for a, b in zip(ours, theirs))
    print(f"heartbeats, {tenants} tenant(s): {statistics.median(ours):,.0f}/s; "
          f"nginx's return 204: {statistics.median(theirs):,.0f}/s; ratio {ratio:.2f}", flush=True)


def main():
    with tempfile.TemporaryDirectory(prefix="losos-bench-") as folder:
        measure(Path(folder), 1)


if __name__ == "__main__":
    main()
