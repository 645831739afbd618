#include "files/relay_routes_file.h"

#include "unit/core/make_passes.h"
#include "unit/files/scratch_dir.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace losos;
using namespace losos::make;
using namespace losos::test;

namespace {

const Bindings k_bindings{{label("annabox"), binding("beta", 499'999)},
                          {label("mattbox"), binding("acme", 500'000)}};
const std::vector<DomainRoute> k_routes{{name("a.example.org"), label("mattbox"), label("acme")},
                                        {name("b.example.org"), label("annabox"), label("beta")}};

} // namespace

TEST_CASE("files/relay_routes_file: bindings are read back, routes are not looked at") {
    const ScratchDir dir;
    const std::string path = dir / "relay-routes.json";
    CHECK_FALSE(relay_routes_file::load(path).value().has_value());
    CHECK(relay_routes_file::store(path, k_bindings, k_routes).value() == Change::changed);
    CHECK(relay_routes_file::store(path, k_bindings, k_routes).value() == Change::unchanged);
    CHECK(mode_of(path) == 0644);
    const auto loaded = relay_routes_file::load(path).value();
    CHECK(loaded->bindings == k_bindings);
    CHECK(loaded->dropped.empty());
    spill(path, R"({"routes": 7, "more": [], "bindings": {"a": {"spoke": "b", "epoch": 0}}})");
    CHECK(relay_routes_file::load(path).value()->bindings ==
          Bindings{{label("a"), binding("b", 0)}});
}

TEST_CASE("files/relay_routes_file: the same routes give the same bytes in any order") {
    auto routes = k_routes;
    std::reverse(routes.begin(), routes.end());
    CHECK(relay_routes_file::render(k_bindings, routes) ==
          relay_routes_file::render(k_bindings, k_routes));
}

TEST_CASE("files/relay_routes_file: an odd binding costs only itself, and is named") {
    const auto* odd = GENERATE(
        R"("Odd": {"spoke": "acme", "epoch": 1})", R"("odd": {"spoke": "a.b", "epoch": 1})",
        R"("odd": {"spoke": "acme"})", R"("odd": {"epoch": 1})", R"("odd": 7)", R"("odd": null)",
        R"("odd": {"spoke": "acme", "epoch": -1})", R"("odd": {"spoke": "acme", "epoch": "1"})",
        R"("odd": {"spoke": "acme", "epoch": 1000000000})");
    const auto loaded = relay_routes_file::parse(std::string(R"({"bindings": {)") + odd +
                                                 R"(, "b": {"spoke": "acme", "epoch": 5}}})");
    REQUIRE(loaded);
    CHECK(loaded->bindings == Bindings{{label("b"), binding("acme", 5)}});
    REQUIRE(loaded->dropped.size() == 1);
    CHECK(loaded->dropped[0].find("dd\"") != std::string::npos);
}

TEST_CASE("files/relay_routes_file: a file that makes no sense is unusable") {
    const ScratchDir dir;
    const std::string path = dir / "relay-routes.json";
    spill(path, GENERATE("", "[]", "{}", R"({"bindings": []})", R"({"bindings": {)"));
    CHECK(relay_routes_file::load(path).error().code == Errc::unusable);
}
