// The shape of a relay pass. Whether one is good is the hub's verdict: relay_pass_key.h.
#pragma once

#include "base/result.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace losos {

/// Hours since 1970, UTC: the hour in which a pass was made.
using PassHour = std::chrono::duration<long long, std::ratio<3600>>;

/// `v1.<hour>.<64 lower-case hex>`, hour 1-20 digits, at most 96 characters.
class RelayPass {
public:
    static Result<RelayPass> parse(std::string_view text);

    const std::string& text() const { return m_text; }
    /// nullopt where the digits are no hour as a hub writes it: zeros in front, or far too many.
    std::optional<PassHour> hour() const;
    /// The 64 hex digits.
    std::string_view code() const;
    friend bool operator==(const RelayPass&, const RelayPass&) = default;

private:
    explicit RelayPass(std::string text) : m_text(std::move(text)) {}
    std::string m_text;
};

} // namespace losos
