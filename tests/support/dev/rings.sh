# How each ring runs. Every run leaves a junit file and a line in build/results/runs, which are summed
# up at the end. Sourced by dev.
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2317  # variables and functions are shared with dev

all_rings=(unit golden checks integration fuzz sanitize tsan debian13 e2e system)

# Tells the tests where everything is; a part that is missing fails the tests that need it.
export_parts() {
    local name
    for name in rathole traefik pebble challtestsrv; do
        local variable=LOSOS_${name^^}
        [ -n "${!variable:-}" ] || declare -gx "$variable=$("$parts/find" "$name" || true)"
    done
}

# Runs $3... as one run of ring $1 and notes how it ended; $2 is the junit file it writes.
record() {
    local ring=$1 report=$2 status=0 started=$SECONDS
    shift 2
    "$@" || status=$?
    printf '%s\t%s\t%s\t%s\n' "$ring" "$report" "$status" "$((SECONDS - started))" >> "$runs"
}

catch2_run() {  # RING BUILD NAME [FOLDER]
    local report=$results/$1.xml
    [ "$1" = "$3" ] || report=$results/$1-$3.xml
    record "$1" "$report" "${within[@]}" "build/$2/tests/${4:-$3}/losos-$3-tests" -r junit -o "$report"
}

pytest_run() {  # RING BUILD FOLDER [OPTION...]
    local report=$results/$1.xml
    [ "$1" = "$3" ] || report=$results/$1-$3.xml
    record "$1" "$report" "${within[@]}" \
        env LOSOS_BIN_DIR="$root/build/$2/bin" LOSOS_BUILD_DIR="$root/build/$2" \
        PYTHONDONTWRITEBYTECODE=1 "$python" -m pytest -q -p no:cacheprovider \
        --tb=short --durations=5 --junitxml="$report" "${@:4}" "tests/$3"
}

integration_run() {  # RING BUILD
    catch2_run "$1" "$2" io integration/io
    # Most of its time is waiting; what belongs to one file stays in one process.
    pytest_run "$1" "$2" integration -n "$(nproc)" --dist loadfile
}

# A finding in a process that a test started must not pass for one of our exit codes, nor be lost
# with its standard error: it goes into files, which the sum counts as failures. What is slow with a
# sanitizer is asked for less of.
with_sanitizer() (  # RING COMMAND...
    local options="exitcode=99:log_path=$root/$results/$1.finding:symbolize=1"
    options+=":external_symbolizer_path=/usr/bin/llvm-symbolizer"
    export ASAN_OPTIONS="$options:detect_stack_use_after_return=1:strict_string_checks=1"
    export UBSAN_OPTIONS="$options:halt_on_error=1:print_stacktrace=1"
    export TSAN_OPTIONS="$options:suppressions=$root/tests/support/tsan.supp"
    export LOSOS_SIEGE_SECONDS=10
    "${@:2}"
)

sanitize_run() {
    catch2_run sanitize clang-asan unit
    catch2_run sanitize clang-asan golden
    integration_run sanitize clang-asan
}

fuzz_run() {
    record fuzz "$results/fuzz.xml" "$python" -B tests/fuzz/run build/clang-asan 10 \
        --junit "$results/fuzz.xml"
}

debian13_run() (
    within=(on_debian13)
    export LOSOS_SIEGE_SECONDS=10
    catch2_run debian13 debian13 unit
    catch2_run debian13 debian13 golden
    integration_run debian13 debian13
)

run_ring() {
    local within=()
    say "ring $1"
    case $1 in
        unit | golden) catch2_run "$1" gcc "$1" ;;
        integration) integration_run integration gcc ;;
        fuzz) fuzz_run ;;
        sanitize) with_sanitizer sanitize sanitize_run ;;
        tsan) with_sanitizer tsan integration_run tsan clang-tsan ;;
        debian13) debian13_run ;;
        system)
            LOSOS_SYSTEM_ROOT=$(system_root) LOSOS_DEBIAN13_ROOT=$(debian13_root) \
                LOSOS_IMAGE=$root/$(image_file) pytest_run system gcc system
            ;;
        *) pytest_run "$1" gcc "$1" ;;
    esac
}

# What the named rings need built, each once.
builds_for() {
    local ring
    for ring; do
        case $ring in
            fuzz | sanitize) echo clang-asan ;;
            tsan) echo clang-tsan ;;
            debian13) echo debian13 ;;
            e2e) echo gcc parts mesh ;;
            system) echo gcc parts system debian13 delivered ;;
            *) echo gcc ;;
        esac
    done | tr ' ' '\n' | sort -u
}

test_rings() {
    local ring needs
    [ $# -gt 0 ] || set -- "${all_rings[@]}"
    for ring; do
        case " ${all_rings[*]} " in *" $ring "*) ;; *) die "no ring is called '$ring': ${all_rings[*]}" ;; esac
    done
    mapfile -t needs < <(builds_for "$@")
    need_packages "${build_packages[@]}" "${test_packages[@]}" "${package_packages[@]}" \
        "${image_packages[@]}"

    results=build/results runs=build/results/runs
    rm -rf "$results"
    mkdir -p "$results"
    : > "$runs"
    # What is not built ran no test, and the sum says so ring by ring.
    (set -e; build_all "${needs[@]}") || say "not everything was built"
    export_parts
    for ring; do run_ring "$ring"; done
    "$python" -B tests/support/sum_up.py "$results" "$@"
}

