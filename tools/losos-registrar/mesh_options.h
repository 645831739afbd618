// The flags of `losos-registrar serve` about the mesh (losos-registrar(8)).
#pragma once

#include "base/options.h"
#include "core/network.h"

#include <optional>
#include <string>

namespace losos {

struct MeshOptions {
    std::optional<std::string> agent_token_file;
    /// What a new member is told to join.
    std::optional<std::string> server_addr;
    std::optional<HttpUrl> kube_api;
    std::optional<std::string> kube_token_file;
    std::optional<std::string> kube_ca_file;
    std::optional<std::string> windows_file;
};

/// Binds the flags to `options`.
void add_mesh_flags(Command& command, MeshOptions& options);

/// Whether everything is given that letting somebody join takes.
bool can_join(const MeshOptions& options);

/// Fails with Errc::usage when only a part of that is given.
Result<void> check_mesh_options(const MeshOptions& options);

} // namespace losos
