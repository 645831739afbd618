// Names to numeric addresses, and why an address takes no connection, each before a deadline.
#pragma once

#include "base/duration.h"
#include "base/result.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace losos {

/// The numeric addresses of a name or numeric address, in the resolver's order; never empty. Fails
/// with the bare cause, for a sentence of the caller's. Ends soon once `abandoned` is true.
Result<std::vector<std::string>> resolve_host(const std::string& host, MonotonicTime deadline,
                                              const std::atomic<bool>* abandoned = nullptr);

/// Why a numeric address takes no connection, in a few words; empty when it takes one.
std::string connection_fault(const std::string& address, std::uint16_t port,
                             MonotonicTime deadline);

} // namespace losos
