// uplink.json: the hub this spoke relays its boxes to. losos-edge writes it; losos-uplink and
// losos-edge read it. uplink.json(5).
#pragma once

#include "base/file.h"
#include "core/names.h"
#include "core/network.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace losos {

/// Which hub, as whom, and with which secrets.
struct UplinkConfig {
    HttpUrl registrar_url;
    Endpoint rathole_endpoint;
    DnsLabel id;
    std::string token_file;
    std::optional<std::string> bootstrap_token_file;
    std::optional<std::string> noise_public_key_file;
    friend bool operator==(const UplinkConfig&, const UplinkConfig&) = default;
};

} // namespace losos

namespace losos::uplink_file {

inline constexpr std::size_t k_limit = 64 * 1024;

/// Fails with a sentence that names the field and its byte offset.
Result<UplinkConfig> parse(std::string_view text);

std::string render(const UplinkConfig& uplink);

/// Loaded, absent (nullopt: no uplink is set), or Errc::unusable.
Result<std::optional<UplinkConfig>> load(const std::string& path);

Result<Change> store(const std::string& path, const UplinkConfig& uplink);

Result<Change> remove(const std::string& path);

/// The lock a pass and losos-edge hold while they work on the uplink.
std::string lock_path(const std::string& path);

} // namespace losos::uplink_file
