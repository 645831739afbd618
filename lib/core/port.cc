#include "core/port.h"

#include <algorithm>
#include <charconv>

namespace losos {
namespace {

constexpr long long k_port_max = 65535;
constexpr std::size_t k_port_digits = 5;

} // namespace

Result<Port> Port::parse(std::string_view text) {
    const bool digits =
        std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (text.empty() || text.size() > k_port_digits || !digits || text.front() == '0') {
        return from_number(0);
    }
    long long number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return from_number(number);
}

Result<Port> Port::from_number(long long number) {
    if (number < 1 || number > k_port_max) {
        return Error{Errc::failed, "a port is a whole number from 1 to 65535"};
    }
    return Port(static_cast<std::uint16_t>(number));
}

Result<PortRange> PortRange::parse(std::string_view text) {
    const auto hyphen = text.find('-');
    if (hyphen == std::string_view::npos) {
        return Error{Errc::failed, "a port range is <first>-<last>"};
    }
    TRY_ASSIGN(const auto first, Port::parse(text.substr(0, hyphen)));
    TRY_ASSIGN(const auto last, Port::parse(text.substr(hyphen + 1)));
    if (last < first) {
        return Error{Errc::failed, "a port range ends no lower than it starts"};
    }
    return PortRange(first, last);
}

bool PortRange::overlaps(const PortRange& other) const {
    return m_first <= other.m_last && other.m_first <= m_last;
}

std::string PortRange::text() const {
    return m_first.text() + "-" + m_last.text();
}

} // namespace losos
