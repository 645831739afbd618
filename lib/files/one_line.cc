#include "files/one_line.h"

namespace losos::one_line {

std::string_view without_line_end(std::string_view text) {
    for (const char end : {'\n', '\r'}) {
        if (text.ends_with(end)) {
            text.remove_suffix(1);
        }
    }
    return text;
}

} // namespace losos::one_line
