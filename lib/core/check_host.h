// Whether the machine itself is fit: its clock, its names, its ports. Rules of `losos-edge doctor`.
#pragma once

#include "base/duration.h"
#include "core/doctor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos {

/// Whether the clock shows a year in which this program can run.
Check check_clock(UnixTime now);

/// Whether it shows what another machine's clock shows; `theirs` is the Date of its answer, if it
/// answered and had one.
Check check_clock_against(std::string_view peer, UnixTime now, std::optional<UnixTime> theirs);

/// What looking a name up came to: its addresses, or why there are none.
struct NameFacts {
    std::vector<std::string> addresses;
    std::string fault;
};

/// Whether this machine can turn the name into an address; `whose` says whom it leads to.
Check check_name(const std::string& name, std::string_view whose, const NameFacts& facts);

/// Who listens on a port.
struct PortFacts {
    struct Program {
        std::string name;
        std::string pid;
        /// The service it runs in; empty when it runs in none.
        std::string unit;
    };
    bool is_taken = false;
    /// Empty when this user may not see whose it is.
    std::vector<Program> programs;
};

/// Who should.
struct PortWish {
    std::uint16_t port = 0;
    /// The name of the program, as the kernel cuts it.
    std::string program;
    std::string unit;
    /// What does not work without it.
    std::string purpose;
};

Check check_port(const PortWish& wish, const PortFacts& facts);

} // namespace losos
