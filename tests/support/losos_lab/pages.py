"""Pages that say whose they are: one web server for many boxes, a port for each."""

from . import wait
from .nginx import start_nginx

FIRST_PORT = 7000

# It ends no connection by itself, so that every idle one is kept as long as Traefik likes.
SETTINGS = """    keepalive_timeout 1h;
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
        pages = (PAGE.format(port=port, box=box, slow=SLOW) for box, port in self._ports.items())
        process = start_nginx(self._space, f"pages-{self._space.machine}", self._folder, self._logs,
                              SETTINGS + "".join(pages))
        for port in self._ports.values():
            wait.until(lambda p=port: process.running() and self._space.listens(p),
                       f"the page on port {port}")
