// What a hub answers to /domains, as a box reads it.
#include "check.h"
#include "target.h"

#include "core/domains_api.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    static_cast<void>(check_codec(input, parse_domains_view, render_domains_view));
}

const Known k_known({"domains-view", "answers of /domains", k_body, "domains/view*.json", run});

} // namespace
} // namespace losos::fuzz
