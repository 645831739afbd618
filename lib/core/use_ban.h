// For how long an edge that was no use is no candidate: ten minutes, twice as long at each repeat
// up to a day.
#pragma once

#include "base/duration.h"

#include <optional>
#include <string_view>

namespace losos {

/// Why an edge was no use though it answers.
enum class NoUse {
    /// Its Noise key is not the pinned one.
    wrong_key,
    /// It answered announce with 401, 403 or 409.
    refused,
    /// It answered announce with nothing but 503 for half a minute.
    busy,
    /// Its tunnel port took no connection for half a minute.
    no_tunnel,
};

/// One sentence for a message.
std::string_view describe(NoUse reason);

inline constexpr Duration k_ban_first{std::chrono::minutes(10)};
inline constexpr Duration k_ban_longest{std::chrono::hours(24)};

class UseBan {
public:
    /// While a ban is in force, another reason changes nothing.
    void strike(NoUse reason, MonotonicTime now);
    /// The advert or the pin changed: whatever was is of somebody else.
    void forget() { *this = UseBan(); }

    /// The reason, while the ban is in force.
    std::optional<NoUse> in_force(MonotonicTime now) const;
    /// When it ends; meaningless unless it is in force.
    MonotonicTime until() const { return m_until; }

private:
    NoUse m_reason = NoUse::wrong_key;
    Duration m_length{0};
    MonotonicTime m_until{0};
};

} // namespace losos
