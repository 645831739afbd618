#include "mesh_options.h"

#include "base/append.h"
#include "base/format.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace losos {

namespace {

/// It goes to the box as it stands, whose mesh knows what to make of it.
Result<std::string> parse_server_addr(std::string_view text) {
    constexpr std::size_t k_longest = 300;
    const bool plain =
        !text.empty() && text.size() <= k_longest &&
        std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
    if (!plain) {
        return fail(Errc::usage, "must be at most {} printable characters without a blank",
                    k_longest);
    }
    return std::string(text);
}

/// Never in the clear: a token goes there.
Result<HttpUrl> parse_kube_api(std::string_view text) {
    TRY_ASSIGN(auto url, HttpUrl::parse(text));
    if (!url.is_https()) {
        return fail(Errc::usage, "must begin with https://");
    }
    return url;
}

std::array<std::pair<const char*, bool>, 5> parts_of(const MeshOptions& options) {
    return {{{"--mesh-agent-token-file", options.agent_token_file.has_value()},
             {"--mesh-server-addr", options.server_addr.has_value()},
             {"--kube-api", options.kube_api.has_value()},
             {"--kube-token-file", options.kube_token_file.has_value()},
             {"--kube-ca-file", options.kube_ca_file.has_value()}}};
}

} // namespace

void add_mesh_flags(Command& command, MeshOptions& options) {
    command.optional(
        "--mesh-agent-token-file", "FILE",
        "the token a new member joins the mesh with; with the next four boxes can join",
        options.agent_token_file, parse_path);
    command.optional("--mesh-server-addr", "ADDRESS", "where a new member joins, as rke2 takes it",
                     options.server_addr, parse_server_addr);
    command.optional("--kube-api", "URL",
                     "the mesh's API server, where a member's stale node is deleted",
                     options.kube_api, parse_kube_api);
    command.optional("--kube-token-file", "FILE", "with what this edge proves itself there",
                     options.kube_token_file, parse_path);
    command.optional("--kube-ca-file", "FILE",
                     "who signed that server's certificate; nobody else is believed",
                     options.kube_ca_file, parse_path);
    command.optional("--compute-windows-file", "FILE",
                     "where it is written when members lend their processors, and who is idle",
                     options.windows_file, parse_path);
}

bool can_join(const MeshOptions& options) {
    const auto parts = parts_of(options);
    return std::all_of(parts.begin(), parts.end(), [](const auto& part) { return part.second; });
}

Result<void> check_mesh_options(const MeshOptions& options) {
    const auto parts = parts_of(options);
    std::string missing;
    for (const auto& [flag, is_given] : parts) {
        if (!is_given) {
            append_item(missing, flag);
        }
    }
    const bool any =
        std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.second; });
    if (any && !missing.empty()) {
        return fail(Errc::usage, "a mesh that boxes can join takes {} as well", missing);
    }
    return {};
}

} // namespace losos
