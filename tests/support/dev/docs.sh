# The man pages and docs/ as a static site. Sourced by dev.
# shellcheck shell=bash
# shellcheck disable=SC2154  # variables are shared with dev

docs_packages=(mandoc python3 python3-markdown)

docs() {
    local site=${1:-build/site}
    need_packages "${docs_packages[@]}"
    # An old page would hide a link that leads nowhere any more.
    rm -rf "$site.new"
    "$python" -B tests/support/losos_site.py "$site.new" || die "the site has faults"
    rm -rf "$site"
    mv "$site.new" "$site"
    say "the site: $site/index.html"
}
