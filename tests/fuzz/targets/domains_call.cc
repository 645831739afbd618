// The bodies of POST /domains/list, add and remove.
#include "check.h"
#include "target.h"

#include "core/domains_api.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    for (const auto action : {DomainsAction::list, DomainsAction::add, DomainsAction::remove}) {
        const auto call = check_codec(
            input, [action](std::string_view body) { return parse_domains_call(action, body); },
            render_domains_call);
        FUZZ_CHECK(!call || action != DomainsAction::list || call->domain.empty());
    }
}

const Known k_known({"domains-call", "bodies of /domains", k_body,
                     "domains/list.json domains/add.json", run});

} // namespace
} // namespace losos::fuzz
