#include "core/domain_name.h"

#include "core/network.h"

#include <algorithm>
#include <utility>

namespace losos {
namespace {

/// The longest name there is, the dot at its end included.
constexpr std::size_t k_text_max = 254;
constexpr std::size_t k_name_max = 253;

Error refuse(const char* why) {
    return Error{Errc::failed, why};
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// RFC 5890 keeps such labels for what is yet to come; only xn-- has a meaning, and no
/// authority signs for another.
bool has_reserved_label(std::string_view name) {
    for (std::size_t at = 0; at != std::string_view::npos && at < name.size();) {
        const auto dot = name.find('.', at);
        const auto label = name.substr(at, dot == std::string_view::npos ? dot : dot - at);
        if (label.size() >= 4 && label.substr(2, 2) == "--" && !label.starts_with("xn--")) {
            return true;
        }
        at = dot == std::string_view::npos ? dot : dot + 1;
    }
    return false;
}

} // namespace

Result<CustomDomain> CustomDomain::parse(std::string_view text) {
    if (text.size() > k_text_max) {
        return refuse("a domain has at most 236 characters");
    }
    if (!is_ascii(text)) {
        return refuse("a domain is written in ASCII; write other letters in their xn-- form");
    }
    if (text.find('*') != std::string_view::npos) {
        return refuse("a wildcard is no domain; add each name by itself");
    }
    if (IpAddress::parse(text)) {
        return refuse("an IP address is no domain");
    }
    if (text.ends_with('.')) {
        text.remove_suffix(1);
    }
    auto name = DnsName::parse(text);
    if (!name) {
        return refuse("a domain is labels of a-z, 0-9 and -, joined by dots, without scheme, port "
                      "or path");
    }
    if (text.find('.') == std::string_view::npos) {
        return refuse("a domain has at least two labels, as in example.org");
    }
    if (reads_as_number(name->text())) {
        return refuse("an IP address is no domain");
    }
    if (has_reserved_label(name->text())) {
        return refuse("a label with hyphens in its third and fourth place starts with xn--");
    }
    if (k_challenge_prefix.size() + name->text().size() > k_name_max) {
        return refuse("a domain has at most 236 characters");
    }
    return CustomDomain(*std::move(name));
}

bool is_at_or_under(const DnsName& name, const DnsName& zone) {
    const std::string_view text = name.text();
    const std::string_view tail = zone.text();
    return text.ends_with(tail) &&
           (text.size() == tail.size() || text[text.size() - tail.size() - 1] == '.');
}

bool OwnNames::cover(const DnsName& name) const {
    return std::find(hosts.begin(), hosts.end(), name) != hosts.end() ||
           std::any_of(trees.begin(), trees.end(),
                       [&](const DnsName& tree) { return is_at_or_under(name, tree); });
}

} // namespace losos
