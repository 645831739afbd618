// Which rows a call is about: the caller's own, and those it relays.
#pragma once

#include "inbox.h"

#include "core/edge_state.h"

#include <map>
#include <string>

namespace losos {

const std::string& caller_of(const StateCall& call);

/// Whether a row is the caller's own or one it relays.
bool belongs_to(const std::string& caller, const RowId& row);

/// Whether what a join records is on the disk already, and neither found nor left a change.
bool window_unchanged(const StateCall& call, const Registry& on_disk, const EdgeState& before,
                      const EdgeState& after);

/// Whether a call neither found nor left a change of what its gateway holds that is not on the
/// disk.
bool bindings_unchanged(const StateCall& call, const Bindings& on_disk, const EdgeState& before,
                        const EdgeState& after);

/// Whether the rows a call is about are on the disk as they are to be, and its caller no news.
bool rows_unchanged(const StateCall& call, const std::map<RowId, RegistryRow>& on_disk,
                    const EdgeState& before, const EdgeState& after);

} // namespace losos
