// A rendered text against the file it must equal. LOSOS_ACCEPT_GOLDEN=1 rewrites the file instead.
#pragma once

#include "support/catch.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace losos::golden {

/// The path of a golden file, `<contract>/<case>`.
inline std::string path_of(std::string_view name) {
    return std::string(LOSOS_GOLDEN_DIR) + "/" + std::string(name);
}

/// The bytes of a golden file; the test fails when it is not there.
inline std::string text_of(std::string_view name) {
    std::ifstream file(path_of(name), std::ios::binary);
    if (!file) {
        FAIL("cannot read " << path_of(name));
    }
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Fails unless the golden file holds exactly `text`.
inline void check(std::string_view name, const std::string& text) {
    const char* accept = std::getenv("LOSOS_ACCEPT_GOLDEN");
    if (accept != nullptr && std::string_view(accept) == "1") {
        std::ofstream(path_of(name), std::ios::binary | std::ios::trunc) << text;
    }
    CAPTURE(path_of(name));
    CHECK(text_of(name) == text);
}

} // namespace losos::golden
