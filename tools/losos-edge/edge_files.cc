#include "edge_files.h"

#include "files/paths.h"

#include <cstdio>

namespace losos {

std::string EdgeFiles::uplink() const {
    return in_directory(edge_dir, k_uplink);
}

std::string EdgeFiles::uplink_token() const {
    return in_directory(edge_dir, k_uplink_token);
}

std::string EdgeFiles::uplink_bootstrap_token() const {
    return in_directory(edge_dir, k_uplink_bootstrap_token);
}

std::string EdgeFiles::hub_noise_pub() const {
    return in_directory(edge_dir, k_hub_noise_pub);
}

std::string EdgeFiles::registry() const {
    return in_directory(state_dir, k_registry);
}

std::string EdgeFiles::enrolled() const {
    return enrol_dir ? *enrol_dir : in_directory(state_dir, k_enrol_dir);
}

std::string EdgeFiles::status() const {
    return in_directory(run_dir, k_status);
}

std::string EdgeFiles::uplink_status() const {
    return in_directory(run_dir, k_uplink_status);
}

void add_shared_flags(Command& command, EdgeFiles& files) {
    command.add_switch("--json", "print one JSON document", files.json);
    command.value("--edge-dir", "DIR", "where the uplink is kept", files.edge_dir, parse_path,
                  std::string(k_edge_dir));
    command.value("--state-dir", "DIR", "where the registrar keeps its registry", files.state_dir,
                  parse_path, std::string(k_registrar_state_dir));
    command.value("--run-dir", "DIR", "where registrar and uplink say how they are", files.run_dir,
                  parse_path, std::string(k_registrar_run_dir));
    command.optional(
        "--enrol-dir", "DIR",
        "where enrolled boxes are kept; not given, \"enrolled\" in the state directory",
        files.enrol_dir, parse_path);
    command.value("--uplink-rathole-config", "FILE", "the tunnels to the hub", files.rathole_uplink,
                  parse_path, std::string(k_rathole_uplink));
}

void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

} // namespace losos
