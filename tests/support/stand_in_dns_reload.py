"""A stand-in for losos-dns-reload.path, for rings that have no systemd: a command whenever something
in a directory has changed. It decides nothing else.

    stand_in_dns_reload.py --zones DIRECTORY -- reload-zones DIRECTORY SOCKET BEGAN
"""

import argparse
import os
import select
import subprocess

from stand_in_units import Watch


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zones", required=True)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    watch = Watch([os.path.join(options.zones, "any")])
    print("stand-in units: a stand-in for losos-dns-reload.path runs", flush=True)
    while True:
        subprocess.run(options.command, check=False)
        select.select([watch.descriptor], [], [])
        watch.changed()


if __name__ == "__main__":
    main()
