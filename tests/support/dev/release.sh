# What is handed out of one commit: tarball, site, packages and image, with sums and a signature. Sourced
# by dev, after package, image and docs.
# shellcheck shell=bash
# shellcheck disable=SC2154  # variables are shared with dev

release_packages=(minisign git meson ninja-build xz-utils)

release_usage() {
    die "usage: ./dev release --key FILE [PART...]
  --key FILE  the minisign key to sign with; './dev release --unsigned' tries all but the signature
  PART        dist, docs, package, image; all of them when none is named"
}

# Only what is committed is released, and only under a version that the CHANGELOG speaks of.
release_is_sound() {
    local newest
    [ -e .git ] || die "a release is made in a git checkout"
    [ -z "$(git status --porcelain)" ] || die "this tree differs from its commit; commit first"
    newest=$(sed -n 's/^## \([^ ]*\).*/\1/p' CHANGELOG.md | head -n 1)
    [ "$newest" = "$(project_version)" ] ||
        die "CHANGELOG.md begins with $newest, and meson.build says $(project_version)"
}

release_dist() {  # FOLDER
    configure_gcc > /dev/null
    meson dist -C build/gcc --no-tests --formats xztar > build/log/dist.log 2>&1 ||
        { tail -n 20 build/log/dist.log >&2; die "no tarball; the whole log is build/log/dist.log"; }
    cp "build/gcc/meson-dist/losos-$(project_version).tar.xz" "$1"
}

# Times and owners of the archive say nothing of the machine it was made on.
release_docs() {  # FOLDER
    docs
    tar --create --xz --sort=name --owner=0 --group=0 --numeric-owner \
        --mtime="$(git log -1 --format=@%ct)" --file "$1/losos-$(project_version)-site.tar.xz" \
        -C build site
}

# A folder for each Debian: some packages have one name for both.
release_package() {  # FOLDER
    local made
    package || return
    for made in build/package/debian*; do
        mkdir -p "$1/${made##*/}" && cp "$made"/*.deb "$1/${made##*/}" || return
    done
}

release_image() { image && cp build/image/losos-edge-gateway-*.qcow2 "$1"; }

# The sums of all files in a folder, signed; $2 is the key, empty for none. The signature's trusted
# comment names the version, so that an old release cannot be shown for a new one.
sign_release() {  # FOLDER KEY VERSION
    (cd "$1" && find . -type f ! -name 'SHA256SUMS*' -printf '%P\n' | LC_ALL=C sort |
        xargs -d '\n' sha256sum > SHA256SUMS) || return
    rm -f "$1/SHA256SUMS.minisig"
    [ -n "$2" ] || return 0
    minisign -S -s "$2" -m "$1/SHA256SUMS" -t "losos $3"
}

release() {
    local key="" unsigned="" wanted=() part folder
    while [ $# -gt 0 ]; do
        case $1 in
            --key) [ $# -ge 2 ] || release_usage; key=$2; shift 2 ;;
            --unsigned) unsigned=yes; shift ;;
            dist | docs | package | image) wanted+=("$1"); shift ;;
            *) release_usage ;;
        esac
    done
    # A key is never made here: who checks a release has to know it from before.
    [ -n "$key" ] || [ -n "$unsigned" ] || release_usage
    [ -z "$key" ] || [ -r "$key" ] || die "there is no key in $key; 'minisign -G -s FILE' makes one, once"
    need_packages "${build_packages[@]}" "${docs_packages[@]}" "${release_packages[@]}"
    release_is_sound
    [ ${#wanted[@]} -gt 0 ] || wanted=(dist docs package image)
    folder=build/released/losos-$(project_version)
    rm -rf "$folder"
    mkdir -p "$folder" build/log
    for part in "${wanted[@]}"; do
        say "release: $part"
        "release_$part" "$folder" || die "$part was not made"
    done
    cp CHANGELOG.md "$folder"
    sign_release "$folder" "$key" "$(project_version)" || die "the release is not signed"
    say "the release:"
    ls -l "$folder"
}
