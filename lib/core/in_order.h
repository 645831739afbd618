// How a renderer makes the same text of the same entries, whatever their order.
#pragma once

#include <algorithm>
#include <vector>

namespace losos {

/// The entries in the order of `less`, one of those that `same` takes for one: a table that stands
/// twice in a file would cost everybody all of it. The entries stay where they are.
template <class Entry, class Less, class Same>
std::vector<const Entry*> in_order(const std::vector<Entry>& entries, Less less, Same same) {
    std::vector<const Entry*> ordered;
    ordered.reserve(entries.size());
    for (const Entry& entry : entries) {
        ordered.push_back(&entry);
    }
    const auto is_before = [&less](const Entry* a, const Entry* b) {
        return less(*a, *b);
    };
    // Mostly they come in order.
    if (!std::is_sorted(ordered.begin(), ordered.end(), is_before)) {
        std::sort(ordered.begin(), ordered.end(), is_before);
    }
    const auto end = std::unique(ordered.begin(), ordered.end(),
                                 [&](const Entry* a, const Entry* b) { return same(*a, *b); });
    ordered.erase(end, ordered.end());
    return ordered;
}

/// One entry for each id, where `less` orders by id first.
template <class Entry, class Less>
std::vector<const Entry*> in_order(const std::vector<Entry>& entries, Less less) {
    return in_order(entries, less, [](const Entry& a, const Entry& b) { return a.id == b.id; });
}

} // namespace losos
