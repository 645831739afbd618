// Custom domains, vouchers and resolvers' answers in tests.
#pragma once

#include "core/domain_table.h"

#include "unit/core/make.h"

#include <string>
#include <string_view>
#include <vector>

namespace losos::make {

inline constexpr std::string_view k_uuid = "5e1b7d0c-3a55-4c8e-9d52-1f0a7c3e9b10";
inline constexpr std::string_view k_other_uuid = "00000000-0000-0000-0000-000000000000";

inline CustomDomain domain(std::string_view text) {
    return sound(CustomDomain::parse(text));
}

inline IpAddress address(std::string_view text) {
    return sound(IpAddress::parse(text));
}

inline Voucher voucher(std::string_view uuid = k_uuid, std::string_view account = "acct_1Abc") {
    return {sound(AccountId::parse(account)), sound(BoxUuid::parse(uuid))};
}

/// One record of a resolver's answer.
inline DnsRecord record(std::string_view name, DnsType type, std::string_view data) {
    return {std::string(name), static_cast<int>(type), std::string(data)};
}

/// Both right.
inline constexpr DomainFinding k_right{TxtFinding::right, PointingFinding::here};
inline constexpr DomainFinding k_no_proof{TxtFinding::missing, PointingFinding::here};
inline constexpr DomainFinding k_silence{TxtFinding::no_answer, PointingFinding::no_answer};

} // namespace losos::make
