"""The packages for Debian 13 are installed in a Debian 13, and their programs run there."""

import os
import pathlib
import subprocess

import pytest

from losos_system import packages as debian

# In a mount namespace that ends with it, over a layer that nobody sees again.
INSTALL = """
base=$1 debs=$2
mount -t tmpfs losos-layer /mnt
mkdir /mnt/up /mnt/work /mnt/root
mount -t overlay -o "lowerdir=$base,upperdir=/mnt/up,workdir=/mnt/work" losos-root /mnt/root
for at in proc sys dev; do mount --rbind "/$at" "/mnt/root/$at"; done
mount -t tmpfs losos-run /mnt/root/run
mkdir /mnt/root/debs
mount --bind "$debs" /mnt/root/debs
exec chroot /mnt/root sh -euc '
    export DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin
    cd /debs
    dpkg --install losos-common_* losos-registrar_* losos-rathole_* losos-traefik_* losos-gateway_* losos-box_*
    dpkg --audit
    for tool in losos-registrar losos-uplink losos-edge losos-announce lososd-pathd; do $tool --version; done
    rathole --version
    traefik version
    getent passwd losos-edge losos-box
    # What an edge makes before its first start.
    sed -n "s/^ExecStart=//p" /usr/lib/systemd/system/losos-registrar-seed.service | sh -e
    losos-registrar check > /dev/null
    # And the other kind of edge.
    dpkg --purge losos-gateway
    echo losos-hub losos-hub/hostname string edge.losos.example | debconf-set-selections
    dpkg --install losos-hub_*
    dpkg --audit
    grep public-host /etc/losos/losos-registrar.toml
'
"""


@pytest.fixture(scope="module")
def root13():
    named = os.environ.get("LOSOS_DEBIAN13_ROOT")
    assert named and pathlib.Path(named).is_dir(), "LOSOS_DEBIAN13_ROOT names no Debian 13: ./dev makes one"
    return named


def test_the_packages_for_debian_13_are_installed_there_and_run(root13):
    done = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "sh", "-euc", INSTALL, "sh", root13,
         debian.folder("13")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    version = debian.version_of(debian.packages("13")["losos-box"])
    assert version.endswith("+deb13")
    assert f"losos-edge {version.partition('+')[0]}\n" in done.stdout
    assert "losos-box:x:" in done.stdout
    assert 'public-host = "edge.losos.example"\n' in done.stdout
