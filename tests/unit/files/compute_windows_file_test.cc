#include "files/compute_windows_file.h"

#include "support/catch.h"
#include "unit/core/make.h"
#include "unit/files/scratch_dir.h"

#include <algorithm>

using namespace losos;
using namespace losos::make;
using namespace losos::test;

TEST_CASE("files/compute_windows_file: what is rendered is read back, in any order the same") {
    std::vector<ComputeNode> nodes{{label("anna"), {true, "22:00", "06:00", "Europe/Berlin"}, true},
                                   {label("zoe"), {}, false}};
    const auto text = compute_windows_file::render(nodes);
    CHECK(sound(compute_windows_file::parse(text)) == nodes);
    std::reverse(nodes.begin(), nodes.end());
    CHECK(compute_windows_file::render(nodes) == text);
    CHECK(compute_windows_file::render({}) == "{\n  \"nodes\": []\n}\n");
}

TEST_CASE("files/compute_windows_file: only its owner reads it") {
    const ScratchDir scratch;
    const auto path = scratch / "compute-windows.json";
    CHECK(sound(compute_windows_file::store(path, {})) == Change::changed);
    CHECK(mode_of(path) == 0600);
    CHECK(sound(compute_windows_file::load(path)) == std::vector<ComputeNode>{});
}
