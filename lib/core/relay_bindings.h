// Which gateway a hub reaches a box's own names through, and how a pass moves that
// (losos-registrar(8)). Pure.
#pragma once

#include "core/registry.h"
#include "core/relay_pass_key.h"
#include "core/roster.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace losos {

/// A gateway holds a box because of a pass of that hour.
struct Binding {
    DnsLabel spoke;
    PassHour epoch;
    friend bool operator==(const Binding&, const Binding&) = default;
};

/// By box. One whose epoch has expired is as if it were not there.
using Bindings = std::map<DnsLabel, Binding>;

/// A box of a `/relay` that was accepted, and what it was listed with.
struct ListedPass {
    DnsLabel box;
    std::optional<RelayPass> pass;
    /// Whether something else stood in the place of a pass.
    bool odd_pass = false;
};

/// Why a box that was listed was not bound.
enum class PassRefusal {
    missing,
    odd_shape,
    forged,
    expired,
    from_the_future,
    /// Another gateway holds the box by a pass of a later hour.
    older,
    /// Another one holds it by a pass of the same hour, and this one listed it before.
    same_hour,
};

struct RefusedPass {
    DnsLabel box;
    PassRefusal why;
    /// Who holds the box all the same.
    std::optional<DnsLabel> holder;
    friend bool operator==(const RefusedPass&, const RefusedPass&) = default;
};

/// A box that goes from one gateway to another; from nullopt when nobody held it, to nullopt when
/// it is released.
struct BindingMove {
    DnsLabel box;
    std::optional<DnsLabel> from;
    std::optional<DnsLabel> to;
    friend bool operator==(const BindingMove&, const BindingMove&) = default;
};

/// What one `/relay` did to the bindings.
struct BindingNews {
    std::vector<BindingMove> moves;
    std::vector<RefusedPass> refused;
    friend bool operator==(const BindingNews&, const BindingNews&) = default;
};

/// Binds, moves and releases what a gateway's list calls for. `rows_before` are the rows from
/// before this `/relay`: they say what the gateway's previous one listed.
BindingNews judge_passes(Bindings& bindings, const DnsLabel& spoke,
                         const std::vector<ListedPass>& listed,
                         const std::map<RowId, RegistryRow>& rows_before, const RelayPassKey& key,
                         UnixTime now);

/// Releases the boxes of gateways that are none any more.
std::vector<BindingMove> release_orphans(Bindings& bindings, const Roster& roster);

/// The bindings of a file that a start may believe: none is from the future.
Bindings without_future(Bindings bindings, UnixTime now);

/// As one line for the log.
std::string describe(const BindingMove& move);
std::string describe(const DnsLabel& spoke, const RefusedPass& refused);

} // namespace losos
