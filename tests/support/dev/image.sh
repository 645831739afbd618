# The gateway's image, out of the Debian packages, and a look at it in QEMU. Sourced by dev, after package.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # variables are shared with dev and its other pieces

image_packages=(
    qemu-system-x86 qemu-utils ovmf seabios ipxe-qemu mtools dosfstools fdisk grub-pc-bin grub-efi-amd64-bin
    apt-utils e2fsprogs mmdebstrap openssl
)

image_file() { echo "build/image/losos-edge-gateway-$(project_version).qcow2"; }

# What the image holds of ours.
image_debs() { ls build/package/debian12/losos-{common,registrar,gateway,rathole,traefik}_*.deb; }

# All that decides what the image will be; Debian's packages are a set that stays until LOSOS_FRESH=1.
image_key() {
    local debs=()
    mapfile -t debs < <(image_debs)
    {
        git log -1 --format=%ct 2> /dev/null || true
        find units/gateway-image -type f -print0 | sort -z | xargs -0 sha256sum
        sha256sum "${debs[@]}"
    } | sha256sum
}

# After package, which makes what it holds.
job_image() {
    local file key debs=()
    file=$(image_file)
    is_root || { echo "the image is made by root only: run this as root"; return 1; }
    # shellcheck disable=SC1091  # a file of the system
    [ "$(. /etc/os-release && echo "$VERSION_ID")" = 12 ] ||
        { echo "the image is Debian 12, and is made on Debian 12 only"; return 1; }
    key=$(image_key)
    [ "${LOSOS_FRESH:-}" = 1 ] || [ ! -e "$file" ] || [ "$key" != "$(cat "$file.key" 2> /dev/null)" ] || return 0
    mapfile -t debs < <(image_debs)
    rm -rf "$file.key" build/image/packages
    mkdir -p build/image/packages && cp "${debs[@]}" build/image/packages || return
    units/gateway-image/build "$file" build/image/packages/*.deb || return
    echo "$key" > "$file.key"
}

image() {
    local file
    need_packages "${build_packages[@]}" "${test_packages[@]}" "${package_packages[@]}" "${image_packages[@]}"
    build_all gcc parts || exit 1
    (set -e; job_package && job_image) || exit 1
    file=$(image_file)
    case ${1:-} in
        run) image_run "$file" ;;
        "") say "the image: $file" ;;
        *)
            cp "$file" "$1" || exit 1
            say "the image: $1"
            ;;
    esac
}

# With a disk of its own, which keeps what is done to it until the image changes. Its serial console is this
# terminal; ^A X ends it.
image_run() {  # IMAGE
    local disk=build/image/run/disk.qcow2 variables=build/image/run/variables.fd cpu=(-accel tcg)
    [ "${LOSOS_KVM:-}" != 1 ] || cpu=(-accel kvm -cpu host)
    if [ ! "$disk" -nt "$1" ]; then
        mkdir -p build/image/run && rm -f "$disk"
        qemu-img create -q -f qcow2 -F qcow2 -b "$root/$1" "$disk" || exit 1
        cp /usr/share/OVMF/OVMF_VARS_4M.fd "$variables" || exit 1
    fi
    say "its registrar is at 127.0.0.1:8443, tunnels at :2333, visitors at :10443; ^A X ends it"
    qemu-system-x86_64 -machine q35 "${cpu[@]}" -smp 2 -m 1024 -nographic \
        -drive if=pflash,format=raw,unit=0,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd \
        -drive "if=pflash,format=raw,unit=1,file=$variables" \
        -drive "if=virtio,file=$disk,discard=unmap" -device virtio-rng-pci \
        -nic user,model=virtio-net-pci,hostfwd=tcp:127.0.0.1:8443-:8443,hostfwd=tcp:127.0.0.1:2333-:2333,hostfwd=tcp:127.0.0.1:10443-:443
}
