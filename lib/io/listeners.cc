#include "io/listeners.h"

#include "base/file.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

namespace losos {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_table_limit = std::size_t{1} << 30;
constexpr std::size_t k_line_limit = 4096;
constexpr std::string_view k_listening = "0A";

using PortOfSocket = std::map<std::string, std::uint16_t>;

/// Adds the sockets of one table: `sl local remote state queues timer retransmits uid timeout
/// inode`.
void add_listening(const char* table, PortOfSocket& sockets) {
    const auto text = read_file(table, k_table_limit);
    if (!text || !*text) {
        return;
    }
    std::istringstream lines(**text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string slot;
        std::string local;
        std::string remote;
        std::string state;
        std::string skipped;
        std::string inode;
        words >> slot >> local >> remote >> state >> skipped >> skipped >> skipped >> skipped >>
            skipped >> inode;
        const auto colon = local.rfind(':');
        if (state != k_listening || colon == std::string::npos) {
            continue;
        }
        std::uint16_t port = 0;
        std::from_chars(local.data() + colon + 1, local.data() + local.size(), port, 16);
        sockets[inode] = port;
    }
}

std::string first_line(const fs::path& path) {
    const auto text = read_file(path.string(), k_line_limit);
    return text && *text ? (*text)->substr(0, (*text)->find('\n')) : std::string();
}

/// Of lines like `0::/system.slice/losos-traefik.service`, one for each hierarchy of groups.
std::string unit_of(const fs::path& process) {
    const auto groups = read_file((process / "cgroup").string(), k_line_limit);
    std::istringstream lines(groups && *groups ? **groups : std::string());
    std::string unit;
    for (std::string line; std::getline(lines, line);) {
        for (const auto& part : fs::path(line)) {
            const auto name = part.string();
            unit = name.ends_with(".service") ? name : unit;
        }
    }
    return unit;
}

ListeningProgram describe(const fs::path& process) {
    return {first_line(process / "comm"), process.filename().string(), unit_of(process)};
}

/// The inode of `socket:[123]`.
std::optional<std::string> socket_of(const fs::path& descriptor) {
    constexpr std::string_view k_prefix = "socket:[";
    std::error_code fault;
    const auto target = fs::read_symlink(descriptor, fault).string();
    if (fault || !target.starts_with(k_prefix)) {
        return std::nullopt;
    }
    return target.substr(k_prefix.size(), target.size() - k_prefix.size() - 1);
}

} // namespace

std::map<std::uint16_t, std::vector<ListeningProgram>> read_listeners() {
    PortOfSocket sockets;
    add_listening("/proc/net/tcp", sockets);
    add_listening("/proc/net/tcp6", sockets);
    std::map<std::uint16_t, std::vector<ListeningProgram>> listeners;
    for (const auto& [_, port] : sockets) {
        listeners[port];
    }
    std::error_code fault;
    for (const auto& process : fs::directory_iterator("/proc", fault)) {
        const auto name = process.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) {
            continue;
        }
        std::error_code hidden;
        for (const auto& descriptor : fs::directory_iterator(process.path() / "fd", hidden)) {
            const auto socket = socket_of(descriptor.path());
            const auto found = socket ? sockets.find(*socket) : sockets.end();
            if (found == sockets.end()) {
                continue;
            }
            auto& programs = listeners[found->second];
            const bool is_known = std::any_of(programs.begin(), programs.end(),
                                              [&](const auto& one) { return one.pid == name; });
            if (!is_known) {
                programs.push_back(describe(process.path()));
            }
        }
    }
    return listeners;
}

} // namespace losos
