// Text grown piece by piece. A file of ten thousand rows is rendered with it in a fraction of what
// a formatted string for each row would cost.
#pragma once

#include <string>
#include <string_view>

namespace losos {

/// Appends every piece, in order.
template <class... Pieces>
void append(std::string& text, const Pieces&... pieces) {
    (text.append(std::string_view(pieces)), ...);
}

/// Appends an item to a list for people: after a comma, unless it is the first.
template <class... Pieces>
void append_item(std::string& list, const Pieces&... pieces) {
    append(list, list.empty() ? "" : ", ", pieces...);
}

} // namespace losos
