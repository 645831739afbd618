// `losos-edge ssh on|off`.
#pragma once

#include "edge_files.h"

#include "base/result.h"

namespace losos {

enum class SshWish { on, off };

/// Has systemd start the machine's SSH server, now and at every boot, or neither any more.
Result<void> switch_ssh(const EdgeFiles& files, SshWish wish);

} // namespace losos
