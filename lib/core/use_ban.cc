#include "core/use_ban.h"

#include <algorithm>

namespace losos {

std::string_view describe(NoUse reason) {
    switch (reason) {
    case NoUse::wrong_key:
        return "its Noise key is not the pinned one";
    case NoUse::refused:
        return "it refuses this box";
    case NoUse::busy:
        return "it has answered this box with nothing but 503 for 30 s";
    case NoUse::no_tunnel:
        return "its tunnel port has taken no connection for 30 s";
    }
    return {};
}

void UseBan::strike(NoUse reason, MonotonicTime now) {
    if (in_force(now)) {
        return;
    }
    m_length = m_length == Duration{0} ? k_ban_first : std::min(m_length * 2, k_ban_longest);
    m_reason = reason;
    m_until = now + m_length;
}

std::optional<NoUse> UseBan::in_force(MonotonicTime now) const {
    if (m_length == Duration{0} || now >= m_until) {
        return std::nullopt;
    }
    return m_reason;
}

} // namespace losos
