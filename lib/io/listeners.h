// Which programs listen on which TCP ports of this machine, as far as this user may see.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace losos {

struct ListeningProgram {
    /// As the kernel cuts it: at most 15 bytes.
    std::string name;
    std::string pid;
    /// The systemd service it runs in; empty when it runs in none.
    std::string unit;
};

/// For each port that anybody listens on, on any address, the programs; none for a port whose
/// programs are another user's.
std::map<std::uint16_t, std::vector<ListeningProgram>> read_listeners();

} // namespace losos
