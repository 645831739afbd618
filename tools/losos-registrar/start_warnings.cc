#include "start_warnings.h"

#include "base/format.h"
#include "io/host.h"

namespace losos {

namespace {

/// What rathole's server holds open for one service, with room to spare.
constexpr long long k_descriptors_per_service = 16;

} // namespace

std::vector<std::string> start_warnings(const ServeOptions& options) {
    std::vector<std::string> warnings;
    if (!options.tenants_file && !options.enrol_dir) {
        warnings.emplace_back("nobody can register: give --tenants-file, or --lan-advertise and "
                              "--enrol-dir");
    }
    if (!options.rathole.config) {
        warnings.emplace_back("no tunnel is rendered: --rathole-config is not given, so this edge "
                              "keeps names but carries no traffic");
        return warnings;
    }
    if (const auto text = ephemeral_port_range()) {
        const auto ephemeral = PortRange::parse(*text);
        if (ephemeral && ephemeral->overlaps(*options.port_range)) {
            warnings.push_back(format(
                "--port-range {} overlaps the kernel's ephemeral ports {}: an outgoing connection "
                "can take a tunnel's port; choose a range outside",
                options.port_range->text(), ephemeral->text()));
        }
    }
    const long long needed = options.port_range->size() * k_descriptors_per_service;
    const long long allowed = descriptor_limit();
    if (needed > allowed) {
        warnings.push_back(format(
            "--port-range {} has {} ports, for which rathole needs {} open files and this machine "
            "allows {}: raise LimitNOFILE= of both services to {}, or make the range smaller",
            options.port_range->text(), options.port_range->size(), needed, allowed, needed));
    }
    return warnings;
}

} // namespace losos
