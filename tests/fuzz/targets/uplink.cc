// uplink.json.
#include "check.h"
#include "target.h"

#include "files/uplink_file.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    const auto uplink = check_codec(input, uplink_file::parse, uplink_file::render);
    if (uplink) {
        FUZZ_CHECK(!uplink->token_file.empty());
        FUZZ_CHECK(uplink->token_file.find('\0') == std::string::npos);
    }
}

const Known k_known({"uplink", "uplink.json", k_file, "uplink/*.json", run});

} // namespace
} // namespace losos::fuzz
