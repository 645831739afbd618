"""A stand-in for losos-dns-reload.path, for rings that have no systemd: a command whenever a file
has changed. It decides nothing else.

    stand_in_dns_reload.py --zone-file F -- knotc zone-reload
"""

import argparse
import os
import select
import subprocess

from stand_in_units import Watch


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zone-file", required=True)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    watch = Watch([options.zone_file])
    print("stand-in units: a stand-in for losos-dns-reload.path runs", flush=True)
    if os.path.exists(options.zone_file):
        subprocess.run(options.command, check=False)
    while True:
        select.select([watch.descriptor], [], [])
        if options.zone_file in watch.changed():
            subprocess.run(options.command, check=False)


if __name__ == "__main__":
    main()
