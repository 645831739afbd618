// refused.json.
#include "check.h"
#include "target.h"

#include "files/refused_file.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    const auto refusals = check_codec(input, refused_file::parse, refused_file::render);
    if (refusals) {
        for (const Refusal& refusal : *refusals) {
            FUZZ_CHECK(refusal.status >= 100 && refusal.status <= 599 && refusal.at.count() >= 0);
        }
    }
}

const Known k_known({"refused", "refused.json", k_file, "refused/*.json", run});

} // namespace
} // namespace losos::fuzz
