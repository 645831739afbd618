# The Debian that the machines of the system ring run: this system's own release, made once with
# mmdebstrap, for what is built here has to run there. Sourced by dev.
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2317  # variables are shared with dev; jobs are called by name

system_packages=(
    apt systemd systemd-sysv dbus avahi-daemon avahi-utils libnss-mdns libnss-systemd
    ca-certificates curl faketime iproute2 iputils-ping knot knot-dnsutils nginx-light openssh-server
    openssl procps
)
# What would change these machines behind a test's back, and what they have no use for.
system_masked=(
    apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer fstrim.timer
    logrotate.timer getty.target console-getty.service systemd-timesyncd.service
)

# The packages above, and those of the libraries that our programs are linked with.
all_system_packages() {
    local library
    {
        printf '%s\n' "${system_packages[@]}"
        ldd build/gcc/bin/* | awk '$3 ~ "^/" { print $3 }' | sort -u | while read -r library; do
            # Where /lib is a link, dpkg may know a file by either name.
            dpkg-query -S "$library" "/usr$library" 2> /dev/null || true
        done | cut -d: -f1
    } | sort -u
}

# Another list, or another release, is another root.
system_root() {
    local key
    key=$({ cat /etc/debian_version; all_system_packages; printf '%s\n' "${system_masked[@]}"; } |
        sha256sum | cut -c1-12)
    echo "${LOSOS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/losos}/system-$key"
}

make_system_root() {
    local dir unit release
    is_root || { echo "the machines' root is made by root only: run this as root"; return 1; }
    dir=$(system_root)
    if [ -e "$dir" ]; then
        touch "$dir"
        return 0
    fi
    # shellcheck disable=SC1091  # a file of the system
    release=$(. /etc/os-release && echo "$VERSION_CODENAME")
    mkdir -p "$(dirname "$dir")" && rm -rf "$dir.new" || return
    mmdebstrap --mode=root --variant=essential --aptopt='Acquire::Languages "none"' \
        --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        --include="$(all_system_packages | paste -sd,)" "$release" "$dir.new" || return
    # These are the builder's own.
    rm -f "$dir.new"/etc/{hostname,resolv.conf,machine-id}
    for unit in "${system_masked[@]}"; do
        ln -sfn /dev/null "$dir.new/etc/systemd/system/$unit"
    done
    systemctl --root="$dir.new" --quiet disable knot.service nginx.service ssh.service || return
    mv "$dir.new" "$dir"
    # Lists change; a root that no run has used for a month is not wanted any more.
    find "$(dirname "$dir")" -maxdepth 1 -name 'system-*' ! -path "$dir" -mtime +30 \
        -exec rm -rf {} +
}
