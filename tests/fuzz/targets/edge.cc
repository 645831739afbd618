// edge.json.
#include "check.h"
#include "target.h"

#include "files/edge_file.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    (void)check_codec(input, edge_file::parse, edge_file::render);
}

const Known k_known({"edge", "edge.json", k_file, "edge/*.json", run});

} // namespace
} // namespace losos::fuzz
