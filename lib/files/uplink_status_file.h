// uplink-status.json: what came of the last pass of the uplink. losos-uplink writes it; losos-edge
// reads it.
#pragma once

#include "base/duration.h"
#include "base/file.h"
#include "core/names.h"
#include "core/relay_api.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos {

/// One pass and its outcome.
struct UplinkStatus {
    /// When the pass ended.
    UnixTime at{0};
    /// When the hub last answered with a list of accepted boxes, if it ever did.
    std::optional<UnixTime> answered_at;
    /// The hub's registrar URL and our id there.
    std::string hub;
    std::string id;
    /// The hub's last answer; kept over passes it did not answer.
    std::vector<AcceptedBox> accepted;
    std::vector<RefusedBox> refused;
    /// Boxes beyond the 64 one list may hold.
    std::vector<DnsLabel> left_out;
    /// Why nothing was sent, when this machine's own registrar is the reason.
    std::optional<std::string> held_back;
    /// What went wrong.
    std::optional<std::string> error;
    friend bool operator==(const UplinkStatus&, const UplinkStatus&) = default;
};

} // namespace losos

namespace losos::uplink_status_file {

inline constexpr std::size_t k_limit = 16 * 1024 * 1024;

/// Fails with a byte offset.
Result<UplinkStatus> parse(std::string_view text);

std::string render(const UplinkStatus& status);

/// Loaded, absent (nullopt), or Errc::unusable.
Result<std::optional<UplinkStatus>> load(const std::string& path);

Result<Change> store(const std::string& path, const UplinkStatus& status);

Result<Change> remove(const std::string& path);

} // namespace losos::uplink_status_file
