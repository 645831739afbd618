// `losos-registrar vouch set|list|remove` (losos-custom-domains(7)).
#pragma once

#include "base/options.h"
#include "core/vouching.h"

#include <optional>
#include <string>
#include <string_view>

namespace losos {

/// The flags of all three; each command binds those it has.
struct VouchOptions {
    std::optional<std::string> file;
    std::optional<DnsLabel> id;
    std::optional<AccountId> account_id;
    std::optional<BoxUuid> box_uuid;
    bool not_ready = false;
};

/// Adds the three commands.
void add_vouch_commands(Options& options, VouchOptions& vouch);

/// Runs one of them; nullopt when `command` is none of them.
std::optional<Result<void>> run_vouch_command(std::string_view command,
                                              const VouchOptions& options);

} // namespace losos
