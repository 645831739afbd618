"""nginx on one machine of the lab, with the settings that every web server here shares."""

from . import parts
from .process import Process

_CONFIG = """
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
{http}
}}
"""


def start_nginx(space, name, folder, logs, http):
    """Starts it with its files in `folder`, which is there; `http` goes into the http block."""
    config = folder / "nginx.conf"
    config.write_text(_CONFIG.format(folder=folder, http=http))
    # As root nginx would drop to another account, which cannot enter the lab's directory.
    return Process(space, name, [parts.part("nginx"), "-p", folder, "-c", config, "-e", "stderr",
                                 "-g", "daemon off; user root;"], logs)
