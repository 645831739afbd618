// The text of enrolled/tenants.json: a tenants file whose order is that of enrolment. Rows are kept
// as they stand, so that a row nobody understands survives the next write.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace losos::enrolled_rows {

/// One row, not yet believed.
struct Row {
    std::string id;
    std::string hostname;
    friend bool operator==(const Row&, const Row&) = default;
};

/// The rows in the order of the text. Fails with a byte offset.
Result<std::vector<Row>> parse(std::string_view text);

/// The rows in the order given, their tokens in `directory`.
std::string render(const std::vector<Row>& rows, std::string_view directory);

} // namespace losos::enrolled_rows
