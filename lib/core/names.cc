#include "core/names.h"

#include "base/format.h"
#include "core/ascii.h"

#include <algorithm>

namespace losos {
namespace {

constexpr std::size_t k_label_max = 63;
constexpr std::size_t k_name_max = 253;

bool is_label(std::string_view text) {
    const auto is_label_char = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    };
    return !text.empty() && text.size() <= k_label_max && text.front() != '-' &&
           text.back() != '-' && std::all_of(text.begin(), text.end(), is_label_char);
}

bool is_name(std::string_view text) {
    if (text.size() > k_name_max) {
        return false;
    }
    for (;;) {
        const auto dot = text.find('.');
        if (!is_label(text.substr(0, dot))) {
            return false;
        }
        if (dot == std::string_view::npos) {
            return true;
        }
        text.remove_prefix(dot + 1);
    }
}

} // namespace

Result<DnsLabel> DnsLabel::parse(std::string_view text) {
    if (!is_label(text)) {
        return fail(Errc::failed,
                    "a DNS label is 1 to {} of a-z, 0-9 and -, without a hyphen at "
                    "either end",
                    k_label_max);
    }
    return DnsLabel(std::string(text));
}

Result<DnsName> DnsName::parse(std::string_view text) {
    // The length comes first, so that folding a hostile text costs nothing.
    if (text.size() <= k_name_max) {
        auto folded = fold_ascii_case(text);
        if (is_name(folded)) {
            return DnsName(std::move(folded));
        }
    }
    return fail(Errc::failed, "a DNS name is DNS labels joined by dots, at most {} characters",
                k_name_max);
}

bool DnsName::is_one_label_under(const DnsName& zone) const {
    const auto dot = m_text.find('.');
    return dot != std::string::npos && std::string_view(m_text).substr(dot + 1) == zone.m_text;
}

RowId RowId::direct(const DnsLabel& id) {
    return RowId(id.text());
}

RowId RowId::relayed(const DnsLabel& spoke, const DnsLabel& box) {
    return RowId(spoke.text() + "." + box.text());
}

Result<RowId> RowId::parse(std::string_view text) {
    const auto dot = text.find('.');
    const bool sound = dot == std::string_view::npos
                           ? is_label(text)
                           : is_label(text.substr(0, dot)) && is_label(text.substr(dot + 1));
    if (!sound) {
        return Error{Errc::failed, "an id is one DNS label, or two joined by a dot"};
    }
    return RowId(std::string(text));
}

std::optional<DnsLabel> RowId::spoke() const {
    const auto dot = m_text.find('.');
    if (dot == std::string::npos) {
        return std::nullopt;
    }
    return DnsLabel(m_text.substr(0, dot));
}

DnsLabel RowId::box() const {
    const auto dot = m_text.find('.');
    return DnsLabel(m_text.substr(dot == std::string::npos ? 0 : dot + 1));
}

bool RowId::is_relayed() const {
    return m_text.find('.') != std::string::npos;
}

} // namespace losos
