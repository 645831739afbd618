// hub-routes.json, of which a gateway reads what it wrote the last time.
#include "check.h"
#include "target.h"

#include "files/hub_routes_file.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    [[maybe_unused]] const auto routes =
        check_codec(input, hub_routes_file::parse, hub_routes_file::render);
}

const Known k_known({"hub-routes", "hub-routes.json", k_file, "hub-routes/*.json", run});

} // namespace
} // namespace losos::fuzz
