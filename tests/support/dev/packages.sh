# The Debian packages that builds and tests need, and how they come onto the machine. Sourced by dev.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # variables are shared with dev and its other pieces

build_packages=(
    g++ meson ninja-build pkg-config ccache git ca-certificates
    libcpp-httplib-dev libsimdjson-dev libfmt-dev libsodium-dev libsystemd-dev libcli11-dev
    libssl-dev catch2
)
test_packages=(
    clang libclang-rt-dev llvm clang-tidy clang-format mandoc shellcheck systemd
    python3 python3-pytest python3-pytest-xdist python3-websockets python3-dnspython python3-yaml
    pebble knot knot-dnssecutils knot-dnsutils etcd-server nginx-light iproute2 openssl curl wrk
    procps util-linux mmdebstrap dbus avahi-daemon systemd-container nix-bin
    man-db python3-markdown nftables prometheus minisign dnsmasq-base zsh fish
)
# What the unit, golden and integration rings run with.
integration_packages=(
    python3 python3-pytest python3-pytest-xdist iproute2 openssl curl procps util-linux mount
    dbus avahi-daemon
    knot knot-dnssecutils knot-dnsutils
)

is_root() { [ "$(id -u)" = 0 ]; }

missing_packages() {
    comm -23 <(printf '%s\n' "$@" | sort -u) \
        <(dpkg-query -W -f='${db:Status-Status} ${Package}\n' 2> /dev/null |
            sed -n 's/^installed //p' | sort -u)
}

# Debian 12 keeps its recent Rust beside its first one, under a name of its own.
recent_cargo() (
    . /etc/os-release
    if [ "${VERSION_ID:-13}" -lt 13 ]; then echo cargo-web; else echo cargo; fi
)

# A compiler is asked of Debian only where a part has yet to be built and no newer one is in PATH.
missing_toolchains() {
    # shellcheck source=tests/support/parts/common.sh
    . "$parts/common.sh"
    local version
    if ! "$parts/find" rathole > /dev/null 2>&1; then
        version=$(cargo --version 2> /dev/null | cut -d' ' -f2) || true
        at_least "${version:-0}" 1.85 || recent_cargo
    fi
    if ! "$parts/find" traefik > /dev/null 2>&1 || ! "$parts/find" kube-apiserver > /dev/null 2>&1; then
        command -v go > /dev/null || echo golang-go
    fi
}

# Runs as root. A package's daemon is neither started now nor left to start at the next boot, unless
# it was there before: the tests want the programs, not a web server on port 80, a name server and a database.
install_script() {
    cat <<'END'
set -eu
had() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2> /dev/null || true)" = installed ]; }
to_rest=
had nginx-common || to_rest="$to_rest nginx"
had knot || to_rest="$to_rest knot"
had etcd-server || to_rest="$to_rest etcd"
had prometheus || to_rest="$to_rest prometheus"
if [ ! -e /usr/sbin/policy-rc.d ]; then
    trap 'rm -f /usr/sbin/policy-rc.d' EXIT
    printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d
    chmod +x /usr/sbin/policy-rc.d
fi
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq install -y --no-install-recommends --no-remove -o Dpkg::Use-Pty=0 "$@"
for daemon in $to_rest; do
    systemctl disable "$daemon.service" > /dev/null 2>&1 || true
done
END
}

need_packages() {
    command -v dpkg-query > /dev/null || die "this script needs Debian's dpkg; elsewhere, see README"
    local missing log=build/log/setup.log
    mapfile -t missing < <(missing_packages "$@"; missing_toolchains)
    [ ${#missing[@]} -gt 0 ] || return 0
    local as_root=()
    if ! is_root; then
        command -v sudo > /dev/null || die "packages are missing, and only root can install them; as root, run:
apt-get install -y --no-install-recommends ${missing[*]}"
        as_root=(sudo)
    fi
    mkdir -p build/log
    say "installing ${#missing[@]} packages: ${missing[*]}"
    local name
    for name in nginx-light knot etcd-server prometheus; do
        case " ${missing[*]} " in
            *" $name "*) say "$name is for the tests only: it is not started, and not at boot" ;;
        esac
    done
    if ! "${as_root[@]}" sh -c "$(install_script)" sh "${missing[@]}" > "$log" 2>&1; then
        tail -n 20 "$log" >&2
        die "apt-get failed; the whole log is $log"
    fi
}

setup() {
    need_packages "${build_packages[@]}" "${test_packages[@]}"
    say "every package is there"
}

