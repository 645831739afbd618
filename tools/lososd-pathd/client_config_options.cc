#include "client_config.h"

#include "files/paths.h"

namespace losos {

void add_client_config_flags(Command& command, ClientConfigOptions& options) {
    command.required("--appliance-id", "ID", "this box's id", options.appliance_id,
                     DnsLabel::parse);
    command.value("--path-env", "FILE",
                  "the path to the edge; while there is none, the configured edge is dialled",
                  options.path_env, parse_path, std::string(k_edge_path_env));
    add_box_flags(command, options.box);
    command.value("--output", "FILE", "the configuration, for rathole", options.output, parse_path,
                  std::string(k_rathole_client));
}

} // namespace losos
