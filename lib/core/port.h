// TCP ports, and the range an edge hands out.
#pragma once

#include "base/result.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace losos {

/// 1-65535.
class Port {
public:
    static Result<Port> parse(std::string_view text);
    static Result<Port> from_number(long long number);

    std::uint16_t number() const { return m_number; }
    std::string text() const { return std::to_string(m_number); }
    friend auto operator<=>(const Port&, const Port&) = default;

private:
    explicit Port(std::uint16_t number) : m_number(number) {}
    std::uint16_t m_number;
};

/// `<first>-<last>`, both included.
class PortRange {
public:
    static Result<PortRange> parse(std::string_view text);

    Port first() const { return m_first; }
    Port last() const { return m_last; }
    int size() const { return m_last.number() - m_first.number() + 1; }
    bool contains(Port port) const { return m_first <= port && port <= m_last; }
    bool overlaps(const PortRange& other) const;
    std::string text() const;
    friend bool operator==(const PortRange&, const PortRange&) = default;

private:
    PortRange(Port first, Port last) : m_first(first), m_last(last) {}
    Port m_first;
    Port m_last;
};

} // namespace losos
