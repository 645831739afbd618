"""The box's own web server: nginx on port 80, before long streams and a websocket echo."""

import pathlib
import sys

from . import wait
from .nginx import start_nginx
from .process import Process

STREAM_PORT = 9001
WEBSOCKET_PORT = 9002

# The front page answers with what the box sees of the request, so that a test can look at it.
SITE = """    client_max_body_size 0;
    server {{
        listen 80 default_server;
        location / {{
            default_type application/json;
            return 200 '{{"page": "the box", "host": "$http_host", "uri": "$request_uri", \
"x_forwarded_for": "$http_x_forwarded_for", "x_real_ip": "$http_x_real_ip", \
"x_forwarded_proto": "$http_x_forwarded_proto"}}\\n';
        }}
        location /upload {{
            proxy_pass http://127.0.0.1:{stream};
            proxy_http_version 1.1;
            proxy_request_buffering off;
            proxy_read_timeout 300s;
        }}
        location /download {{
            proxy_pass http://127.0.0.1:{stream};
            proxy_http_version 1.1;
            # Nothing of a long download goes to the disk while the visitor is slow.
            proxy_max_temp_file_size 0;
            proxy_send_timeout 300s;
        }}
        location /echo {{
            proxy_pass http://127.0.0.1:{websocket};
            proxy_http_version 1.1;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection upgrade;
            proxy_read_timeout 300s;
        }}
    }}
"""


class BoxWeb:
    """All boxes of a lab share it: each is known by the Host header it is asked for."""

    def __init__(self, space, folder, logs):
        self._space = space
        self._folder = folder
        self._logs = logs
        self._processes = []

    def start(self):
        self._folder.mkdir(parents=True)
        backend = pathlib.Path(__file__).with_name("box_backend.py")
        self._processes.append(Process(
            self._space, "box-backend",
            [sys.executable, backend, STREAM_PORT, WEBSOCKET_PORT], self._logs))
        self._processes.append(start_nginx(
            self._space, "nginx", self._folder, self._logs,
            SITE.format(stream=STREAM_PORT, websocket=WEBSOCKET_PORT)))
        for port in (80, STREAM_PORT, WEBSOCKET_PORT):
            wait.until(lambda p=port: self._space.listens(p), f"the box's port {port}")

    def stop(self):
        for process in reversed(self._processes):
            process.stop()
