// How many new names of a box may go live within a day: each costs an order at the authority that
// signs, whose limits all boxes of an edge share. Pure.
#pragma once

#include "base/duration.h"
#include "core/names.h"

#include <cstddef>
#include <map>
#include <vector>

namespace losos {

inline constexpr std::size_t k_first_lives_max = 20;
inline constexpr Duration k_first_lives_term = std::chrono::hours(24);

/// When names of each box went live that never had before. It starts anew with the process.
class FirstLives {
public:
    bool has_room(const DnsLabel& box, MonotonicTime now) const;
    void add(const DnsLabel& box, MonotonicTime now);

private:
    std::map<DnsLabel, std::vector<MonotonicTime>> m_lives;
};

} // namespace losos
