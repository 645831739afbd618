// The TOML of /etc/losos/<tool>.toml as far as flags need it: `key = value` with texts, whole
// numbers, true and false, and lists of these. Tables, dates, fractions and texts of several lines
// are refused. Pure: options.h decides what the keys mean.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace losos {

/// What a file says about one flag.
struct FlagSetting {
    std::string key;
    /// As a command line would spell them. One, unless a list was written.
    std::vector<std::string> values;
    std::size_t line = 0;
};

/// The settings in their order. Fails, naming the line, on what is no such TOML and on a key that
/// stands twice.
Result<std::vector<FlagSetting>> parse_flag_file(std::string_view text);

} // namespace losos
