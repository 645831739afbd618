# What find and build share: the versions, where a built part lies, and when a binary will do.
# Sourced by POSIX sh. The parts are programs which are not ours but which our tests run.

parts_dir=${LOSOS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/losos}/parts

version_of() {
    case $1 in
        rathole) echo 0.5.0 ;;
        traefik) echo 3.7.9 ;;
        frp) echo 0.65.0 ;;
        kube-apiserver) echo 1.34.1 ;;
        go) echo 1.26.0 ;;
        *) return 1 ;;
    esac
}

# The part a program comes with.
part_of() {
    case $1 in
        frps | frpc) echo frp ;;
        *) echo "$1" ;;
    esac
}

# The path where a built program lies.
cached() {
    echo "$parts_dir/$(part_of "$1")-$(version_of "$(part_of "$1")")/bin/$1"
}

# Our rathole files need Noise, and a server that takes up a changed file while it runs.
rathole_is_usable() {
    rathole_says=$("$1" --version 2>/dev/null | tr 'A-Z-' 'a-z_') || return 1
    case $rathole_says in *'build version:'*0.5.*) ;; *) return 1 ;; esac
    case $rathole_says in *'cargo features:'*noise*) ;; *) return 1 ;; esac
    case $rathole_says in *'cargo features:'*hot_reload*) ;; *) return 1 ;; esac
}

traefik_is_usable() {
    "$1" version 2>/dev/null | grep -Eq '^Version: +v?3\.'
}

frp_is_usable() {
    "$1" --version 2>/dev/null | grep -Eq '^0\.6[5-9]'
}

kube_apiserver_is_usable() {
    "$1" --version 2>/dev/null | grep -Eq '^Kubernetes v1\.'
}

# pebble and pebble-challtestsrv have no version that matters; they come from Debian's package.
is_usable() {
    [ -x "$2" ] || return 1
    case $1 in
        rathole) rathole_is_usable "$2" ;;
        traefik) traefik_is_usable "$2" ;;
        frps | frpc) frp_is_usable "$2" ;;
        kube-apiserver) kube_apiserver_is_usable "$2" ;;
        *) return 0 ;;
    esac
}

# Whether dotted version $1 is at least $2.
at_least() {
    [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]
}
