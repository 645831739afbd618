// `losos-registrar enrol list|forget`.
#pragma once

#include "core/names.h"

#include <string>

namespace losos {

/// Prints `id hostname` a line, in the order of enrolment.
Result<void> enrol_list(const std::string& directory);

/// Fails when no such box is enrolled.
Result<void> enrol_forget(const std::string& directory, const DnsLabel& id);

} // namespace losos
