// registry.json.
#include "check.h"
#include "target.h"

#include "files/registry_file.h"

#include <set>

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    const PortRange range = *PortRange::parse("20000-29999");
    const auto parse = [&](std::string_view text) {
        return registry_file::parse(text, range);
    };
    const auto loaded = check_codec(input, parse, [](const registry_file::Loaded& each) {
        return registry_file::render(each.registry);
    });
    if (!loaded) {
        return;
    }
    const auto again = parse(registry_file::render(loaded->registry));
    FUZZ_CHECK(again->registry == loaded->registry && again->dropped.empty());
    std::set<Port> ports;
    for (const auto& [id, row] : loaded->registry.rows) {
        FUZZ_CHECK(range.contains(row.port) && ports.insert(row.port).second);
    }
    for (const auto& [port, rest] : loaded->registry.resting) {
        FUZZ_CHECK(ports.insert(port).second);
    }
    for (const auto& sentence : loaded->dropped) {
        check_sentence(sentence);
    }
}

const Known k_known({"registry", "registry.json", k_file, "registry/*.json", run});

} // namespace
} // namespace losos::fuzz
