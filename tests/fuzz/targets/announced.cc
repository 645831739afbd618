// announced.json.
#include "check.h"
#include "target.h"

#include "files/announced_file.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    const auto announced = check_codec(input, announced_file::parse, announced_file::render);
    if (announced) {
        FUZZ_CHECK(announced->at.count() >= 0);
    }
}

const Known k_known({"announced", "announced.json", k_file, "announced/*.json", run});

} // namespace
} // namespace losos::fuzz
