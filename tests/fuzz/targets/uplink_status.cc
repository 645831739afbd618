// uplink-status.json.
#include "check.h"
#include "target.h"

#include "files/uplink_status_file.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    (void)check_codec(input, uplink_status_file::parse, uplink_status_file::render);
}

const Known k_known({"uplink-status", "uplink-status.json", k_file, "uplink-status/*.json", run});

} // namespace
} // namespace losos::fuzz
