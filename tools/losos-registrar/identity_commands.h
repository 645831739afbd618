// `losos-registrar identity keygen|sign|install|show|verify` (losos-edge-identity(7)).
#pragma once

#include "base/options.h"
#include "core/identity.h"

#include <optional>
#include <string>
#include <string_view>

namespace losos {

/// The flags of all five; each command binds those it has.
struct IdentityOptions {
    std::optional<std::string> key_file;
    std::optional<std::string> cert_file;
    std::optional<std::string> root_key_file;
    std::optional<std::string> root_private_key_file;
    bool root = false;
    std::optional<IdentityName> name;
    std::optional<HttpUrl> url;
    std::optional<IdentityPublicKey> public_key;
    std::optional<int> days;
};

/// Adds the five commands.
void add_identity_commands(Options& options, IdentityOptions& identity);

/// Runs one of them; nullopt when `command` is none of them.
std::optional<Result<void>> run_identity_command(std::string_view command,
                                                 const IdentityOptions& options);

} // namespace losos
