// domains.json of a registrar and of a box, and the vouch file.
#include "check.h"
#include "target.h"

#include "files/domains_file.h"
#include "files/public_names_file.h"
#include "files/vouch_file.h"

namespace losos::fuzz {
namespace {

void check_vouched(std::string_view input) {
    const auto list = vouch_file::parse(input);
    if (!list) {
        check_error(list.error(), input);
        return;
    }
    for (const auto& row : list->faulty) {
        check_sentence(row.fault);
    }
    const auto again = vouch_file::parse(vouch_file::render(*list));
    FUZZ_CHECK(again.has_value() && again->faulty.empty());
    FUZZ_CHECK(again->sellers == list->sellers);
    FUZZ_CHECK(vouchers_of(*list).size() <= list->sellers.size());
}

void run(std::string_view input) {
    check_vouched(input);
    static_cast<void>(check_codec(input, domains_file::parse, domains_file::render));
    if (const auto names = public_names_file::parse(input)) {
        const auto again = public_names_file::parse(public_names_file::render(*names));
        FUZZ_CHECK(again.has_value() && again->size() <= names->size());
    }
}

const Known k_known({"domain-files", "files about domains", k_file,
                     "domains-file/*.json vouched/*.json public-names/*.json", run});

} // namespace
} // namespace losos::fuzz
