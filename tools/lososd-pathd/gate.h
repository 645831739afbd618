// `lososd-pathd gate sharing|market`: whether something may be turned on, by edge.json.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace losos {

enum class GateKind { sharing, market };

/// The name of a gate.
Result<GateKind> parse_gate(std::string_view text);

/// Success while the gate is open; Errc::refused and the reason while it is not; Errc::unusable
/// without a document to judge by.
Result<void> ask_gate(GateKind kind, const std::string& run_dir);

} // namespace losos
