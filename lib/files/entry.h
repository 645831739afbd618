// Readings of one JSON entry whose errors say which entry and field is at fault, and where.
#pragma once

#include "base/format.h"
#include "base/json_reader.h"
#include "base/result.h"
#include "core/port.h"

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace losos::entry {

/// The fault of an entry, with the entry's name and its byte offset.
Error fault_in(std::string_view name, const Json& json, const Error& fault);

/// What `parse` makes of a required text.
template <class Parse>
auto parsed(const Json& object, std::string_view key, Parse parse)
    -> std::invoke_result_t<Parse, std::string_view> {
    TRY(object.required_text(key));
    return object.find(key)->text_as(key, parse);
}

/// A required number that is a port.
Result<Port> port(const Json& object, std::string_view key);

/// A required text that is not empty and can name a file.
Result<std::string> path(const Json& object, std::string_view key);

/// The same, or nullopt when it is absent or null.
Result<std::optional<std::string>> optional_path(const Json& object, std::string_view key);

} // namespace losos::entry
