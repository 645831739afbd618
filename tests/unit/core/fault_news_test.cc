#include "core/fault_news.h"

#include "support/catch.h"

#include <set>
#include <string>
#include <vector>

using namespace losos;

namespace {

using Faults = std::set<std::string>;
using List = std::vector<std::string>;

} // namespace

TEST_CASE("faults that come, stay and go are told apart") {
    const auto news = compare_faults({"a: x", "b: x", "no cause"}, {"b: x", "c: x"});
    CHECK(news.arrived == List{"c: x"});
    CHECK(news.gone == List{"a: x", "no cause"});
}

TEST_CASE("a fault with another cause is new, and not gone") {
    const auto news =
        compare_faults({"cannot write /a: No space left on device"},
                       {"cannot write /a: Read-only file system", "cannot write /b: 5"});
    CHECK(news.arrived == List{"cannot write /a: Read-only file system", "cannot write /b: 5"});
    CHECK(news.gone.empty());
}

TEST_CASE("nothing is new in the same faults") {
    const Faults faults{"a: x", "b"};
    CHECK(compare_faults(faults, faults).arrived.empty());
    CHECK(compare_faults(faults, faults).gone.empty());
}
