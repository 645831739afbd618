#include "base/format.h"
#include "base/json_reader.h"
#include "base/utf8.h"

#include <algorithm>
#include <limits>

namespace losos {
namespace {

Error must_be(std::string_view name, std::string_view what, std::size_t offset) {
    return fail(Errc::failed, "field {} must be {} (byte {})", in_quotes(name), what, offset);
}

Error missing(std::string_view name, std::size_t offset) {
    return fail(Errc::failed, "field \"{}\" is missing (byte {})", name, offset);
}

} // namespace

Error Json::fault_in(std::string_view name, const Error& fault) const {
    return fail(fault.code, "field \"{}\" (byte {}): {}", name, m_offset, fault.what);
}

Result<const std::vector<Json>*> Json::items(std::string_view name) const {
    if (m_kind != Kind::array) {
        return must_be(name, "a list", m_offset);
    }
    return &m_items;
}

Result<const std::vector<Json::Member>*> Json::members(std::string_view name) const {
    if (m_kind != Kind::object) {
        return must_be(name, "an object", m_offset);
    }
    return &m_members;
}

Result<void> Json::check_entry_of(std::string_view list) const {
    if (m_kind != Kind::object) {
        return fail(Errc::failed, "an entry of {} must be an object (byte {})", in_quotes(list),
                    m_offset);
    }
    return {};
}

Result<std::string_view> Json::text(std::string_view name) const {
    if (m_kind != Kind::string) {
        return must_be(name, "a text", m_offset);
    }
    return std::string_view(m_text);
}

Result<std::int64_t> Json::whole(std::string_view name, std::int64_t low, std::int64_t high) const {
    if (m_kind != Kind::integer || m_integer < low || m_integer > high) {
        using Limits = std::numeric_limits<std::int64_t>;
        const bool any = low == Limits::min() && high == Limits::max();
        return must_be(name,
                       any ? "a whole number" : format("a whole number from {} to {}", low, high),
                       m_offset);
    }
    return m_integer;
}

bool Json::has(std::string_view key) const {
    return std::any_of(m_members.begin(), m_members.end(),
                       [key](const Member& member) { return member.first == key; });
}

const Json* Json::find(std::string_view key) const {
    const auto is_wanted = [key](const Member& member) {
        return member.first == key;
    };
    const auto found = std::find_if(m_members.begin(), m_members.end(), is_wanted);
    return found == m_members.end() || found->second.m_kind == Kind::null ? nullptr
                                                                          : &found->second;
}

Result<std::string_view> Json::required_text(std::string_view key) const {
    const Json* const value = find(key);
    return value == nullptr ? missing(key, m_offset) : value->text(key);
}

Result<std::optional<std::string_view>> Json::optional_text(std::string_view key) const {
    const Json* const value = find(key);
    if (value == nullptr) {
        return std::optional<std::string_view>();
    }
    TRY_ASSIGN(const auto text, value->text(key));
    return std::optional(text);
}

Result<bool> Json::boolean_or(std::string_view key, bool otherwise) const {
    TRY_ASSIGN(const auto value, optional_boolean(key));
    return value.value_or(otherwise);
}

Result<std::optional<bool>> Json::optional_boolean(std::string_view key) const {
    const Json* const value = find(key);
    if (value == nullptr) {
        return std::optional<bool>();
    }
    if (value->m_kind != Kind::boolean) {
        return must_be(key, "true or false", value->m_offset);
    }
    return std::optional(value->m_boolean);
}

Result<std::int64_t> Json::required_whole(std::string_view key, std::int64_t low,
                                          std::int64_t high) const {
    const Json* const value = find(key);
    return value == nullptr ? missing(key, m_offset) : value->whole(key, low, high);
}

Result<const std::vector<Json>*> Json::required_items(std::string_view key) const {
    const Json* const value = find(key);
    return value == nullptr ? missing(key, m_offset) : value->items(key);
}

Result<const std::vector<Json::Member>*> Json::required_members(std::string_view key) const {
    const Json* const value = find(key);
    return value == nullptr ? missing(key, m_offset) : value->members(key);
}

} // namespace losos
