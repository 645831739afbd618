# The Debian packages: for this system's release, and for Debian 13 in a root of its own. Sourced by dev,
# after debian13.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # variables are shared with dev and its other pieces

package_packages=(debhelper lintian)
# The last one: what a user is made with.
debian13_packages+=(debhelper systemd)

# The one place of the version is meson.build.
project_version() { sed -n "s/^ *version: '\(.*\)',$/\1/p" meson.build; }

# rathole and Traefik with their licences, side by side, where a root can see them too.
package_parts() {
    local name program folder=build/package/parts
    for name in rathole traefik; do
        program=$("$parts/find" "$name") || return
        if ! cmp -s "$program" "$folder/$name/program" || [ ! -s "$folder/$name/licences" ]; then
            mkdir -p "$folder/$name" && rm -f "$folder/$name"/*
            if [ -d "$(dirname "$program")/../share/licences" ]; then
                cp "$(dirname "$program")/../share/licences"/* "$folder/$name" || return
            else
                "$parts/licences" "$name" "$program" "$folder/$name" || return
            fi
            cp "$program" "$folder/$name/program" || return
        fi
    done
}

# A tree with the packaging alone, whose changelog begins with this release's build.
stage_packages() {  # RELEASE
    local release=$1 tree=build/package/.debian$1/losos version when
    version=$(project_version)
    when=$(git log -1 --format=%ct 2> /dev/null) || when=$(stat -c %Y meson.build)
    rm -rf "build/package/.debian$release" && mkdir -p "$tree" && cp -R debian "$tree" || return
    {
        printf 'losos (%s+deb%s) unstable; urgency=medium\n\n' "$version" "$release"
        printf '  * Built for Debian %s.\n\n' "$release"
        printf ' -- %s  %s\n\n' "$(sed -n 's/^Maintainer: //p' debian/control)" \
            "$(LC_ALL=C date -u -R -d "@$when")"
        cat debian/changelog
    } > "$tree/debian/changelog"
}

# Runs as `make_packages RELEASE BUILD [WRAPPER...]`: packs what is in build/BUILD. It is compiled already,
# so what a builder would have to have is not asked for.
make_packages() {
    local release=$1 build=$2 parts_folder=$root/build/package/parts log
    log=build/log/package-debian$release.log
    shift 2
    stage_packages "$release" || return
    mkdir -p build/log
    # shellcheck disable=SC2016  # expanded by the shell in there
    if ! "$@" env LOSOS_BUILD_DIR="$root/build/$build" LOSOS_NOTICES="$parts_folder" \
        LOSOS_RATHOLE="$parts_folder/rathole/program" LOSOS_TRAEFIK="$parts_folder/traefik/program" \
        DEB_BUILD_OPTIONS="nocheck noautodbgsym" LC_ALL=C.UTF-8 \
        sh -euc 'cd "$1" && dpkg-buildpackage --no-check-builddeps --build=binary --no-sign' sh \
        "$root/build/package/.debian$release/losos" > "$log" 2>&1; then
        tail -n 30 "$log" >&2
        say "no packages for Debian $release; the whole log is $log"
        return 1
    fi
    # What is cut short leaves nothing that looks finished.
    rm -rf "build/package/debian$release" && mv "build/package/.debian$release" "build/package/debian$release"
}

# For the system that this runs on, from build/gcc.
job_package() {
    # shellcheck disable=SC1091  # a file of the system
    package_parts && make_packages "$(. /etc/os-release && echo "$VERSION_ID")" gcc
}

job_package13() {
    on_debian13 meson configure -Dprefix=/usr build/debian13 && on_debian13 ninja -C build/debian13 &&
        package_parts && make_packages 13 debian13 on_debian13
}

package() {
    local what=${1:-all} release
    # shellcheck disable=SC1091  # a file of the system
    release=$(. /etc/os-release && echo "$VERSION_ID")
    case $what in all | here) ;; *) die "usage: ./dev package [here]" ;; esac
    need_packages "${build_packages[@]}" "${test_packages[@]}" "${package_packages[@]}"
    build_all gcc parts || exit 1
    job_package || exit 1
    if [ "$what" = all ] && [ "$release" != 13 ]; then
        is_root || die "packages for Debian 13 are made by root only; './dev package here' makes the others"
        build_all debian13 || exit 1
        job_package13 || exit 1
    fi
    lintian --allow-root --fail-on error,warning build/package/debian*/*.deb ||
        die "lintian found something"
    say "the packages:"
    ls build/package/debian*/*.deb
}
