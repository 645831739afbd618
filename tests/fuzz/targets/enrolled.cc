// enrolled/tenants.json.
#include "check.h"
#include "target.h"

#include "files/enrolled_rows.h"

namespace losos::fuzz {
namespace {

std::string render(const std::vector<enrolled_rows::Row>& rows) {
    return enrolled_rows::render(rows, "enrolled");
}

void run(std::string_view input) {
    (void)check_codec(input, enrolled_rows::parse, render);
}

const Known k_known({"enrolled", "enrolled/tenants.json", k_file, "tenants/*.json", run});

} // namespace
} // namespace losos::fuzz
