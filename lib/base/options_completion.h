// What a shell completes for a tool, written from the same table as its help.
#pragma once

#include "base/options_model.h"

#include <optional>
#include <string>
#include <string_view>

namespace losos {

/// The completion file of `tool` for bash, zsh or fish; none for another shell.
std::optional<std::string> render_completion(const ToolModel& tool, std::string_view shell);

} // namespace losos
