// What `losos-edge status` says first and last: how this edge is, in one sentence, and what its
// operator might do next.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace losos {

struct EdgeSummaryFacts {
    enum class Kind { hub, gateway };
    Kind kind = Kind::hub;

    enum class Registrar {
        down,
        runs,
        /// What it says of itself cannot be used.
        unknown,
        /// This user may not read it.
        denied,
    };
    Registrar registrar = Registrar::down;
    /// What the registrar cannot use right now.
    std::size_t faults = 0;
    /// Gateways and boxes of the tenants file.
    std::size_t listed = 0;
    /// Boxes that came by themselves, and those that gateways brought.
    std::size_t live_direct = 0;
    std::size_t live_relayed = 0;

    enum class Uplink {
        not_set,
        /// Its file cannot be used.
        unusable,
        /// This user may not read it.
        denied,
        /// There was no pass yet.
        untried,
        /// The last pass went wrong, or nothing was sent.
        failing,
        well,
    };
    Uplink uplink = Uplink::not_set;
    std::size_t relaying = 0;
    /// Boxes the hub does not take, or that were not asked for.
    std::size_t not_taken = 0;
};

/// One sentence, without a full stop.
std::string summarize_edge(const EdgeSummaryFacts& facts);

/// Never empty: with nothing to do it says so.
std::vector<std::string> next_steps(const EdgeSummaryFacts& facts);

/// `1 box`, `2 boxes`.
std::string count_boxes(std::size_t count);

} // namespace losos
