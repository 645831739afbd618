// The registry: which tenants and relayed boxes are registered, on which loopback port, and which
// freed ports still rest (registry.json(5)).
#pragma once

#include "base/duration.h"
#include "core/names.h"
#include "core/port.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace losos {

/// One registered tenant or relayed box.
struct RegistryRow {
    DnsName hostname;
    Port port;
    friend bool operator==(const RegistryRow&, const RegistryRow&) = default;
};

/// A port somebody gave up: nobody else may have it before `until`.
struct RestingPort {
    RowId id;
    UnixTime until;
    friend bool operator==(const RestingPort&, const RestingPort&) = default;
};

/// When a member of the mesh lends its processors.
struct ComputeWindow {
    bool share_compute = false;
    std::string window_start;
    std::string window_end;
    std::string tz = "UTC";
    friend bool operator==(const ComputeWindow&, const ComputeWindow&) = default;
};

/// What survives a restart of the registrar.
struct Registry {
    std::map<RowId, RegistryRow> rows;
    std::map<DnsLabel, ComputeWindow> compute_windows;
    std::map<Port, RestingPort> resting;
    friend bool operator==(const Registry&, const Registry&) = default;
};

/// One entry of a stored registry before it is believed.
struct StoredRow {
    std::string id;
    std::string hostname;
    long long port = 0;
    std::optional<std::string> via;
};

/// A registry made of believable rows, and a warning for each one that was dropped.
struct ValidatedRows {
    std::map<RowId, RegistryRow> rows;
    std::vector<std::string> dropped;
};

/// Drops rows with an empty or odd id or hostname, a `via` that is not the id's spoke, a port
/// outside `range`, or a port that a lower-sorting id already claims (registry.json(5)).
ValidatedRows validate_rows(std::vector<StoredRow> stored, const PortRange& range);

} // namespace losos
