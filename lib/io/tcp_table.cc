#include "io/tcp_table.h"

#include "base/file.h"
#include "base/format.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

namespace losos {

namespace {

constexpr const char* k_table = "/proc/net/tcp";
// 150 bytes a connection: enough for more connections than a machine has descriptors for.
constexpr std::size_t k_limit = std::size_t{1} << 30;
constexpr std::string_view k_established = "01";

/// The next word of a line that words are taken from.
std::string_view take_word(std::string_view& line) {
    const auto start = std::min(line.find_first_not_of(' '), line.size());
    const auto end = std::min(line.find(' ', start), line.size());
    const auto word = line.substr(start, end - start);
    line.remove_prefix(end);
    return word;
}

} // namespace

Result<std::set<std::uint16_t>> connected_loopback_ports() {
    TRY_ASSIGN(const auto table, read_existing_file(k_table, k_limit));
    // The kernel prints the address as the number it is in memory.
    const auto loopback = format("{:08X}:", htonl(INADDR_LOOPBACK));
    std::set<std::uint16_t> ports;
    std::string_view rest = table;
    while (!rest.empty()) {
        auto line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        take_word(line);
        const auto local = take_word(line);
        take_word(line);
        if (local.substr(0, loopback.size()) != loopback || take_word(line) != k_established) {
            continue;
        }
        std::uint16_t port = 0;
        const auto digits = local.substr(loopback.size());
        std::from_chars(digits.data(), digits.data() + digits.size(), port, 16);
        ports.insert(port);
    }
    return ports;
}

} // namespace losos
