# How each build directory is configured and compiled, and several things built side by side. Sourced
# by dev.
# shellcheck shell=bash
# shellcheck disable=SC2046,SC2154,SC2317  # targets are words; jobs are called by name; variables are shared

# Makes the build directory $1 with the compiler pair $2 $3 and further meson options.
configure() {
    local dir=build/$1 cc=$2 cxx=$3
    shift 3
    [ ! -e "$dir/build.ninja" ] || return 0
    CC="ccache $cc" CXX="ccache $cxx" meson setup "$dir" --werror "$@"
}

# What is installed from it goes where a package would put it.
configure_gcc() { configure gcc gcc g++ --buildtype=debugoptimized --prefix=/usr; }

configure_with_sanitizer() {  # BUILD SANITIZERS [OPTION...]
    local build=$1 sanitizers=$2
    shift 2
    configure "$build" clang clang++ --buildtype=debug --optimization=1 \
        "-Db_sanitize=$sanitizers" -Db_lundef=false "$@"
}

configure_clang_asan() { configure_with_sanitizer clang-asan address,undefined -Dfuzz=true; }

compile() {  # BUILD [TARGET...]
    ninja -C "build/$1" "${@:2}" || return
    link_tools "$1"
}

tool_targets() {
    local tool
    for tool in tools/*/; do
        tool=$(basename "$tool")
        echo "tools/$tool/$tool"
    done
}

# bin/ gives the tests one folder with all tools in it.
link_tools() {
    local target
    mkdir -p "build/$1/bin"
    for target in $(tool_targets); do ln -sfn "../$target" "build/$1/bin/"; done
}

job_gcc() { configure_gcc && compile gcc; }
job_clang-asan() { configure_clang_asan && compile clang-asan; }
job_clang-tsan() {
    configure_with_sanitizer clang-tsan thread &&
        compile clang-tsan $(tool_targets) tests/integration/io/losos-io-tests \
            tests/support/fault_injector/losos-fault-injector \
            tests/support/lan_watcher/losos-lan-watcher \
            tests/support/stepped_clock/losos-stepped-clock.so
}
# After gcc: the machines need the libraries that our programs are linked with.
job_system() { make_system_root; }
job_debian13() { make_debian13_root && build_on_debian13 && link_tools debian13; }
# After all others: what is handed out is made of them.
job_delivered() {
    local release
    # shellcheck disable=SC1091  # a file of the system
    release=$(. /etc/os-release && echo "$VERSION_ID")
    job_package || return
    [ "$release" = 13 ] || job_package13 || return
    [ "$release" != 12 ] || job_image
}
# One after the other: two compilers at a time would only compete.
job_losos() { local b; for b in $losos_builds; do "job_$b" || return; done; }
job_rathole() { "$parts/build" rathole; }
job_traefik() { "$parts/build" traefik; }
job_kube-apiserver() { "$parts/build" kube-apiserver; }

# Runs the named jobs side by side, each with a log, and says every 10 s what each is at.
run_jobs() {
    local job running failed=0 started=$SECONDS tick=0 at
    local -A pids=()
    mkdir -p build/log
    set -m  # each in a process group of its own, so that ^C ends the compilers too
    for job; do
        (set -e; "job_$job") < /dev/null > "build/log/$job.log" 2>&1 &
        pids[$job]=$!
    done
    set +m
    trap 'for job in "${pids[@]}"; do kill -- "-$job" 2> /dev/null; done; exit 130' INT TERM
    say "building side by side: $* (logs in build/log)"
    while [ ${#pids[@]} -gt 0 ]; do
        sleep 1
        tick=$((tick + 1))
        running=""
        for job in "${!pids[@]}"; do
            if kill -0 "${pids[$job]}" 2> /dev/null; then
                at=$(tail -n 1 "build/log/$job.log" | sed "s/^$job [0-9.]*: //" | cut -c1-50)
                running+="; $job: $at"
            elif wait "${pids[$job]}"; then
                say "$job is built, $((SECONDS - started)) s"
                unset "pids[$job]"
            else
                tail -n 40 "build/log/$job.log" >&2
                say "$job did not build; the whole log is build/log/$job.log"
                failed=1
                unset "pids[$job]"
            fi
        done
        [ $((tick % 10)) -ne 0 ] || [ -z "$running" ] || say "$((SECONDS - started)) s$running"
    done
    trap - INT TERM
    return $failed
}

# Builds what is named, and waits for all of it.
build_all() {
    local what part delivered="" jobs=()
    losos_builds=""
    for what; do
        case $what in
            gcc | clang-asan | clang-tsan | debian13 | system) losos_builds+=" $what" ;;
            parts)
                for part in rathole traefik; do
                    "$parts/find" "$part" > /dev/null 2>&1 || jobs+=("$part")
                done
                ;;
            delivered) delivered=yes ;;
            mesh) "$parts/find" kube-apiserver > /dev/null 2>&1 || jobs+=(kube-apiserver) ;;
            *) die "cannot build '$what': gcc, clang-asan, clang-tsan, debian13, system, delivered, parts and mesh can be built" ;;
        esac
    done
    if [ ${#jobs[@]} -eq 0 ]; then
        job_losos || return
    elif [ -z "$losos_builds" ]; then
        run_jobs "${jobs[@]}" || return
    else
        run_jobs losos "${jobs[@]}" || return
    fi
    [ -z "$delivered" ] || run_jobs delivered
}

build() {
    [ $# -gt 0 ] || set -- gcc parts
    case " $* " in
        *" delivered "*)
            need_packages "${build_packages[@]}" "${test_packages[@]}" "${package_packages[@]}" \
                "${image_packages[@]}"
            set -- gcc debian13 parts "$@"
            ;;
        *" clang-"* | *" debian13 "* | *" system "*) need_packages "${build_packages[@]}" "${test_packages[@]}" ;;
        *) need_packages "${build_packages[@]}" ;;
    esac
    build_all "$@" || exit 1
}

