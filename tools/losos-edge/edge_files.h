// The flags every command of losos-edge(8) shares, and the files they lead to.
#pragma once

#include "base/options.h"

#include <optional>
#include <string>

namespace losos {

/// How an answer is printed.
enum class OutputStyle { text, json };

struct EdgeFiles {
    std::string edge_dir;
    std::string state_dir;
    std::string run_dir;
    std::optional<std::string> enrol_dir;
    std::string rathole_uplink;
    bool json = false;

    OutputStyle style() const { return json ? OutputStyle::json : OutputStyle::text; }

    std::string uplink() const;
    std::string uplink_token() const;
    std::string uplink_bootstrap_token() const;
    std::string hub_noise_pub() const;
    std::string registry() const;
    std::string enrolled() const;
    std::string status() const;
    std::string uplink_status() const;
};

/// Binds the shared flags to `files`.
void add_shared_flags(Command& command, EdgeFiles& files);

/// Writes to standard output; whether that went well is seen when the tool ends.
void print(const std::string& text);

} // namespace losos
