// An edge with custom domains in tests: its table, rules, and the moves boxes and resolvers make.
#pragma once

#include "unit/core/make_domains.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace losos::domain_world {

using namespace losos::make;

inline constexpr Instant k_now{MonotonicTime{5'000'000}, UnixTime{1'800'000'000}};
inline constexpr Duration k_second{1000};
inline constexpr Duration k_day = std::chrono::hours(24);

/// The same moment on both clocks, that much later.
inline Instant later(Duration passed) {
    return {k_now.monotonic + passed, k_now.unix + std::chrono::duration_cast<UnixTime>(passed)};
}

/// An edge, its rules, and boxes that are all vouched for.
struct Edge {
    DomainTable table;
    DomainRules rules{Duration{30'000}, Duration{3'600'000}, OwnNames{{name("losos.example")}, {}}};
    HostnameSet hostnames{"anna.test", "box.acme.test"};
    Voucher one = voucher();

    DomainAddition add(std::string_view box, const std::string& text, Instant now = k_now) {
        return add_domain(table, label(box), text, &one, hostnames, rules, now).what;
    }
    std::optional<ClaimStatus> check(std::string_view box, std::string_view text,
                                     const DomainFinding& finding, Instant now = k_now) {
        return take_check(table, {label(box), domain(text), one}, finding, hostnames, rules, now);
    }
    const TrackedClaim& at(std::string_view box, std::string_view text) const {
        return table.at({domain(text), label(box)});
    }
    std::vector<DnsName> served(std::string_view box) const {
        const auto all = served_domains(table, hostnames, rules);
        const auto found = all.find(label(box));
        return found == all.end() ? std::vector<DnsName>() : found->second;
    }
};

inline std::string numbered(int number) {
    return "d" + std::to_string(number) + ".example.org";
}

} // namespace losos::domain_world
