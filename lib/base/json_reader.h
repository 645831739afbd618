// The one place that touches simdjson: a bounded, strict reading of a JSON text into values that
// know where they stood, so that an error names the field and the byte. A key that stands twice in
// one object, invalid UTF-8, more than 32 levels and anything after the value are refused.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace losos {

/// One JSON value. Readers of a shape call the typed getters; each failure is an Error that names
/// the field and its byte offset.
class Json {
public:
    enum class Kind { null, boolean, integer, number, string, array, object };
    using Member = std::pair<std::string, Json>;

    /// The value a whole text holds. Fails with the byte offset of the first fault.
    static Result<Json> parse(std::string_view text);

    Kind kind() const { return m_kind; }
    /// Bytes from the start of the text to this value.
    std::size_t offset() const { return m_offset; }

    /// The elements of an array; fails on any other kind. `name` is what the error calls it.
    Result<const std::vector<Json>*> items(std::string_view name) const;
    /// The members of an object, in the order of the text; fails on any other kind.
    Result<const std::vector<Member>*> members(std::string_view name) const;
    /// Fails unless this is an object, which the error calls an entry of that list.
    Result<void> check_entry_of(std::string_view list) const;
    /// The text of a string value; fails on any other kind.
    Result<std::string_view> text(std::string_view name) const;
    /// What `reader` makes of such a text; its own fault comes with the name and the byte offset.
    template <class Reader>
    auto text_as(std::string_view name, Reader reader) const
        -> std::invoke_result_t<Reader, std::string_view>;
    /// A whole number from `low` to `high`; fails on any other kind or value.
    Result<std::int64_t> whole(std::string_view name, std::int64_t low, std::int64_t high) const;

    /// The member of an object, or nullptr when it is absent or null or this is no object.
    const Json* find(std::string_view key) const;

    /// Whether this is an object with such a member, null or not.
    bool has(std::string_view key) const;

    /// Members of an object by key: a required one that is absent or null fails; an optional one
    /// may be absent or null; a wrong type always fails.
    Result<std::string_view> required_text(std::string_view key) const;
    Result<std::optional<std::string_view>> optional_text(std::string_view key) const;
    Result<bool> boolean_or(std::string_view key, bool otherwise) const;
    Result<std::optional<bool>> optional_boolean(std::string_view key) const;
    Result<std::int64_t> required_whole(std::string_view key, std::int64_t low,
                                        std::int64_t high) const;
    Result<const std::vector<Json>*> required_items(std::string_view key) const;
    Result<const std::vector<Member>*> required_members(std::string_view key) const;

private:
    friend class JsonTreeBuilder;

    Error fault_in(std::string_view name, const Error& fault) const;

    Kind m_kind = Kind::null;
    bool m_boolean = false;
    std::size_t m_offset = 0;
    std::int64_t m_integer = 0;
    std::string m_text;
    std::vector<Json> m_items;
    std::vector<Member> m_members;
};

template <class Reader>
auto Json::text_as(std::string_view name, Reader reader) const
    -> std::invoke_result_t<Reader, std::string_view> {
    TRY_ASSIGN(const std::string_view own, text(name));
    auto value = reader(own);
    if (!value) {
        return fault_in(name, value.error());
    }
    return value;
}

} // namespace losos
