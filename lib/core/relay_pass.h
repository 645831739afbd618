// The shape of a relay pass. Whether one is good is the hub's verdict.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace losos {

/// `v1.<hour>.<64 lower-case hex>`, hour 1-20 digits, at most 96 characters.
class RelayPass {
public:
    static Result<RelayPass> parse(std::string_view text);

    const std::string& text() const { return m_text; }
    friend bool operator==(const RelayPass&, const RelayPass&) = default;

private:
    explicit RelayPass(std::string text) : m_text(std::move(text)) {}
    std::string m_text;
};

} // namespace losos
