#include "core/first_lives.h"

#include <algorithm>
#include <iterator>

namespace losos {

namespace {

bool is_over(MonotonicTime life, MonotonicTime now) {
    return now - life >= k_first_lives_term;
}

} // namespace

bool FirstLives::has_room(const DnsLabel& box, MonotonicTime now) const {
    const auto lives = m_lives.find(box);
    return lives == m_lives.end() ||
           std::count_if(lives->second.begin(), lives->second.end(), [now](MonotonicTime life) {
               return !is_over(life, now);
           }) < static_cast<long>(k_first_lives_max);
}

void FirstLives::add(const DnsLabel& box, MonotonicTime now) {
    for (auto entry = m_lives.begin(); entry != m_lives.end();) {
        auto& lives = entry->second;
        std::erase_if(lives, [now](MonotonicTime life) { return is_over(life, now); });
        entry = lives.empty() ? m_lives.erase(entry) : std::next(entry);
    }
    m_lives[box].push_back(now);
}

} // namespace losos
