// Open enrolment: whether an unknown box becomes a tenant, and whether a known one may rename
// itself (losos-registrar(8)).
#pragma once

#include "core/names.h"
#include "core/roster.h"

#include <cstddef>
#include <vector>

namespace losos {

/// Whether a box may hold a hostname.
enum class HostnameVerdict { free, held };

/// `held` when another tenant of the roster has it or it is one of the reserved names.
HostnameVerdict check_hostname(const Roster& roster, const std::vector<DnsName>& reserved,
                               const DnsLabel& id, const DnsName& hostname);

/// Whether a box nobody knows may enrol.
enum class EnrolmentVerdict { enrol, hostname_held, full };

EnrolmentVerdict check_enrolment(const Roster& roster, const std::vector<DnsName>& reserved,
                                 const DnsLabel& id, const DnsName& hostname, std::size_t limit);

} // namespace losos
