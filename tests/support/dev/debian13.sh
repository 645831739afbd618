# A Debian 13 beside this system: made once with mmdebstrap, and programs run in it as on a machine of
# that release, with this tree at its own path. Sourced by dev.
# shellcheck shell=bash
# shellcheck disable=SC2154  # variables are shared with dev

debian13_packages=("${build_packages[@]}" "${integration_packages[@]}")

# Another list of packages is another root.
debian13_root() {
    local key
    key=$(printf '%s\n' "${debian13_packages[@]}" | sort -u | sha256sum | cut -c1-12)
    echo "${LOSOS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/losos}/debian13-$key"
}

make_debian13_root() {
    local dir
    is_root || { echo "a Debian 13 root is made by root only: run this as root"; return 1; }
    dir=$(debian13_root)
    [ ! -e "$dir" ] || return 0
    mkdir -p "$(dirname "$dir")" && rm -rf "$dir.new" &&
        mmdebstrap --variant=apt --include="$(IFS=,; echo "${debian13_packages[*]}")" \
            trixie "$dir.new" &&
        mv "$dir.new" "$dir"
}

# Runs a command there, in a mount namespace that ends with it. Only this tree and ccache's folder are
# shared with the system outside.
on_debian13() {
    # shellcheck disable=SC2016  # expanded by the shell in there
    unshare --mount --propagation private sh -euc '
        base=$1 tree=$2 cache=$3
        shift 3
        # A root that is no mount of its own lets nobody inside make a mount namespace.
        mount --bind "$base" "$base"
        for at in proc sys dev; do mount --rbind "/$at" "$base/$at"; done
        for at in tmp run; do mount -t tmpfs "losos-$at" "$base/$at"; done
        mkdir -p "$base$tree" "$base/root/.ccache" "$cache"
        mount --bind "$tree" "$base$tree"
        mount --bind "$cache" "$base/root/.ccache"
        exec chroot "$base" sh -euc '\''cd "$1"; shift; exec "$@"'\'' sh "$tree" "$@"
    ' sh "$(debian13_root)" "$root" "$(dirname "$(debian13_root)")/ccache-debian13" \
        env HOME=/root CCACHE_DIR=/root/.ccache TMPDIR=/tmp "$@"
}

# What makes that release worth a ring of its own. A root with anything else shows nothing.
check_debian13() {
    # shellcheck disable=SC2016  # expanded by the shell in there
    on_debian13 sh -euc '
        is() { case $2 in "$3" | "$3".*) ;; *) echo "$1 is $2 there, not $3"; exit 1 ;; esac; }
        is GCC "$(gcc -dumpversion)" 14
        for each in cpp-httplib=0.18 simdjson=3.12 fmt=10 catch2=3.7 libsystemd=257; do
            is "${each%=*}" "$(pkg-config --modversion "${each%=*}")" "${each#*=}"
        done
    '
}

build_on_debian13() {
    check_debian13 || return
    [ -e build/debian13/build.ninja ] ||
        on_debian13 env CC="ccache gcc" CXX="ccache g++" \
            meson setup build/debian13 --werror --buildtype=debugoptimized --prefix=/usr || return
    on_debian13 ninja -C build/debian13
}
