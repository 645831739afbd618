#include "serve_options.h"

#include "base/env_file.h"
#include "base/format.h"
#include "files/paths.h"

namespace losos {

namespace {

constexpr Duration k_interval_min{100};
constexpr Duration k_interval_max{std::chrono::minutes(10)};

Result<SocketAddress> parse_listen(std::string_view text) {
    TRY_ASSIGN(auto address, SocketAddress::parse(text));
    if (!address.address.is_loopback()) {
        return fail(Errc::usage, "must be a loopback address: the API is for this box alone");
    }
    return address;
}

Result<Duration> parse_interval(std::string_view text) {
    TRY_ASSIGN(const auto interval, parse_duration(text));
    if (interval < k_interval_min || interval > k_interval_max) {
        return fail(Errc::usage, "must be from {} to {}", render_duration(k_interval_min),
                    render_duration(k_interval_max));
    }
    return interval;
}

} // namespace

std::string ServeOptions::path_env_file() const {
    return in_directory(run_dir, k_edge_path_env);
}

std::string ServeOptions::edge_none_file() const {
    return in_directory(run_dir, k_edge_none);
}

std::string ServeOptions::edge_json_file() const {
    return in_directory(run_dir, k_edge_json);
}

std::string ServeOptions::refused_file() const {
    return in_directory(run_dir, k_refused);
}

std::string ServeOptions::relay_pass_file() const {
    return in_directory(run_dir, k_relay_pass);
}

std::optional<EdgeWay> ServeOptions::configured_way() const {
    if (!box.registrar_url || !box.edge_rathole_endpoint) {
        return std::nullopt;
    }
    return EdgeWay{PathSource::configured, box.registrar_url->endpoint(), *box.registrar_url,
                   *box.edge_rathole_endpoint};
}

void add_serve_flags(Command& command, ServeOptions& options) {
    add_box_flags(command, options.box);
    command.value("--listen", "ADDRESS:PORT", "where the API answers; on loopback only",
                  options.listen, parse_listen, "127.0.0.1:8082");
    command.optional("--appliance-id", "ID", "this box's id; not given, no pass is asked for",
                     options.appliance_id, DnsLabel::parse);
    command.value("--run-dir", "DIR", "where the path, edge.json and the pass go", options.run_dir,
                  parse_path, std::string(k_box_run_dir));
    command.optional("--root-key-file", "FILE",
                     "the root's public key; not given, no edge is official", options.root_key_file,
                     parse_path);
    command.value("--probe-interval", "DURATION", "how often the edge in use is asked",
                  options.probe_interval, parse_interval, "2s");
    command.value("--public-names-file", "FILE", "where this box's live custom domains go",
                  options.public_names_file, parse_path, std::string(k_public_names));
    command.add_switch("--no-drive", "write edge.json and answer the API, and nothing else",
                       options.no_drive);
}

Result<void> check_serve_options(const ServeOptions& options) {
    if (options.box.registrar_url.has_value() != options.box.edge_rathole_endpoint.has_value()) {
        return fail(Errc::usage, "--registrar-url and --edge-rathole-endpoint describe one edge: "
                                 "give both or neither");
    }
    const auto check_quoting = [](std::string_view flag, const std::string& path) -> Result<void> {
        if (!needs_no_quoting(path)) {
            return fail(Errc::usage,
                        "{}: the path stands unquoted in {}, so it can hold no blanks, quotes, "
                        "backslashes and none of $ # ;",
                        flag, "edge-path.env");
        }
        return {};
    };
    TRY(check_quoting("--pins-dir", options.box.pins_dir));
    return check_quoting("--noise-public-key-file", options.box.noise_public_key_file);
}

} // namespace losos
