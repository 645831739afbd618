// The file with which this edge proves itself to the mesh's API server. The operator writes it, or
// whoever renews it.
#pragma once

#include "core/bearer_token.h"

#include <cstddef>
#include <string>

namespace losos::kube_token_file {

inline constexpr std::size_t k_limit = std::size_t{16} * 1024;

/// Fails (Errc::failed) when the file is missing, empty or otherwise faulty; the sentence names the
/// file and the fault, never the content.
Result<BearerToken> load(const std::string& path);

} // namespace losos::kube_token_file
