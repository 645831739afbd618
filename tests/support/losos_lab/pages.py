"""Pages that say whose they are: one web server for many boxes, a port for each."""

from . import parts, wait
from .process import Process

FIRST_PORT = 7000

# It ends no connection by itself, so that every idle one is kept as long as Traefik likes.
HEAD = """
worker_processes 1;
pid {folder}/nginx.pid;
error_log stderr warn;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    keepalive_timeout 1h;
    keepalive_requests 1000000000;
    default_type application/json;
"""
# A hundred bytes a second, for seven seconds.
SLOW = "slow " * 140
PAGE = """
    server {{
        listen 127.0.0.1:{port};
        location / {{ return 200 '{{"page": "{box}", "host": "$http_host"}}\\n'; }}
        location /slow {{ limit_rate 100; return 200 '{slow}'; }}
    }}
"""


class Pages:
    """The web servers of these boxes on one machine."""

    def __init__(self, space, folder, logs, box_ids):
        self._space = space
        self._folder = folder
        self._logs = logs
        self._ports = {box: FIRST_PORT + number for number, box in enumerate(box_ids)}

    def port_of(self, box_id):
        return self._ports[box_id]

    def start(self):
        self._folder.mkdir(parents=True)
        config = self._folder / "nginx.conf"
        pages = (PAGE.format(port=port, box=box, slow=SLOW) for box, port in self._ports.items())
        config.write_text(HEAD.format(folder=self._folder) + "".join(pages) + "}\n")
        process = Process(
            self._space, f"pages-{self._space.machine}",
            [parts.part("nginx"), "-p", self._folder, "-c", config, "-e", "stderr",
             "-g", "daemon off; user root;"], self._logs)
        for port in self._ports.values():
            wait.until(lambda p=port: process.running() and self._space.listens(p),
                       f"the page on port {port}")
