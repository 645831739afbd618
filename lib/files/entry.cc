#include "files/entry.h"

#include "base/utf8.h"

namespace losos::entry {
namespace {

constexpr std::int64_t k_highest_port = 65535;

Result<std::string> parse_file_name(std::string_view text) {
    if (text.empty()) {
        return fail(Errc::failed, "it is empty");
    }
    // The system would read the name only up to it, and open another file.
    if (text.find('\0') != std::string_view::npos) {
        return fail(Errc::failed, "it holds a NUL");
    }
    return std::string(text);
}

} // namespace

Error fault_in(std::string_view name, const Json& json, const Error& fault) {
    return fail(fault.code, "entry {} at byte {}: {}", in_quotes(name), json.offset(), fault.what);
}

Result<Port> port(const Json& object, std::string_view key) {
    TRY_ASSIGN(const auto number, object.required_whole(key, 1, k_highest_port));
    return Port::from_number(number);
}

Result<std::string> path(const Json& object, std::string_view key) {
    return parsed(object, key, parse_file_name);
}

Result<std::optional<std::string>> optional_path(const Json& object, std::string_view key) {
    if (object.find(key) == nullptr) {
        return std::optional<std::string>();
    }
    TRY_ASSIGN(std::string name, path(object, key));
    return std::optional(std::move(name));
}

} // namespace losos::entry
