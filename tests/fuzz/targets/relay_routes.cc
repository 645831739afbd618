// relay-routes.json, of which a hub reads its bindings back.
#include "check.h"
#include "target.h"

#include "files/relay_routes_file.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    const auto loaded =
        check_codec(input, relay_routes_file::parse, [](const relay_routes_file::Loaded& each) {
            return relay_routes_file::render(each.bindings, {});
        });
    if (!loaded) {
        return;
    }
    for (const auto& sentence : loaded->dropped) {
        check_sentence(sentence);
    }
    for (const auto& [box, binding] : loaded->bindings) {
        FUZZ_CHECK(binding.epoch >= PassHour(0) && binding.epoch < PassHour(1'000'000'000));
    }
}

const Known k_known({"relay-routes", "relay-routes.json", k_file, "relay-routes/*.json", run});

} // namespace
} // namespace losos::fuzz
