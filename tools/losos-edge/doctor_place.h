// Where an examination looks, and what all its parts share: flags, files, and what the machine's
// systemd and kernel say.
#pragma once

#include "edge_files.h"
#include "edge_report.h"

#include "base/options.h"
#include "core/check_units.h"
#include "core/doctor.h"
#include "io/listeners.h"
#include "io/service_manager.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace losos {

/// The flags of `doctor`.
struct DoctorOptions {
    std::optional<Machine> machine;
    std::string box_run_dir;
    std::string secrets_dir;
    std::string rathole_client;
    std::string rathole_server;
    std::string traefik_dir;
    std::string advert;
    std::optional<Port> https_port;
    std::optional<Port> http_port;
    Duration timeout{0};
};

/// Binds the flags of `doctor` to `options`.
void add_doctor_flags(Command& command, DoctorOptions& options);

using Checks = std::vector<Check>;
using Listeners = std::map<std::uint16_t, std::vector<ListeningProgram>>;

struct DoctorPlace {
    const EdgeFiles& files;
    const DoctorOptions& options;
    EdgeReport report;
    /// nullopt when systemd cannot be asked, for this reason.
    std::optional<ServiceManager> manager;
    std::string manager_fault;
    Listeners listeners;

    /// systemd's words on a unit; all empty when it cannot be asked.
    UnitFacts unit(const std::string& name) const;
};

/// Adds the one to the other.
void append(Checks& checks, Checks more);

// Each part of an examination asks what it has to and judges by the rules of core.
Checks examine_units(const DoctorPlace& place, Machine machine);
Checks examine_edge_files(const DoctorPlace& place, Machine machine);
Checks examine_box_files(const DoctorPlace& place);
/// The registrar itself, its ports, and each hop of its visitors.
Checks examine_edge(const DoctorPlace& place, Machine machine);
/// A gateway's way to its hub.
Checks examine_uplink(const DoctorPlace& place);
/// What a hub needs to offer custom domains; nothing where it offers none.
Checks examine_zone(const DoctorPlace& place);
/// What a gateway tells its LAN.
Checks examine_advert(const DoctorPlace& place);
/// A box's path, its edge, and its web server.
Checks examine_box(const DoctorPlace& place);

} // namespace losos
