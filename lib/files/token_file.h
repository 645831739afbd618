// A file that holds one token. Who writes it depends on whose token it is: the operator, the
// registrar for enrolled boxes, losos-edge for the uplink, lososd-pathd for a box.
#pragma once

#include "base/file.h"
#include "core/token.h"

#include <cstddef>
#include <optional>
#include <string>

namespace losos::token_file {

inline constexpr std::size_t k_limit = 4 * 1024;

/// Fails (Errc::unusable) when what should name a token file is a token itself: nobody may be shown
/// it. What reads or makes a file here asks first.
Result<void> check_path(const std::string& path);

/// Fails (Errc::failed) when the file is missing, empty, short or otherwise faulty; the sentence
/// names the file and the fault, never the content, nor a token that stands in place of the name.
Result<Token> load(const std::string& path);

/// The same, or nullopt when there is no such file.
Result<std::optional<Token>> load_if_there(const std::string& path);

Result<Change> store(const std::string& path, const Token& token);

/// Never overwrites a token: `unchanged` when a file is there. Makes its directory (0700), and no
/// file whose name is a token.
Result<Change> create(const std::string& path, const Token& token);

Result<Change> remove(const std::string& path);

} // namespace losos::token_file
