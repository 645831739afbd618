// What each call of a box starts from, read anew every time.
#pragma once

#include "announce_options.h"
#include "last_good.h"

#include "core/relay_pass.h"
#include "core/token.h"

#include <optional>
#include <string>

namespace losos {

struct BoxInputs {
    HttpUrl edge;
    Token token;
    std::optional<RelayPass> pass;
    /// nullopt says nothing.
    std::optional<bool> idle;
};

class InputReader {
public:
    explicit InputReader(const AnnounceOptions& options) : m_options(options) {}

    /// Fails with Errc::unusable only while edge or token have never been readable.
    Result<BoxInputs> read();

private:
    Result<HttpUrl> read_edge() const;
    Result<Token> read_token() const;
    std::optional<RelayPass> read_pass();
    std::optional<bool> read_idleness() const;

    const AnnounceOptions& m_options;
    LastGood<HttpUrl> m_edge;
    LastGood<Token> m_token;
    std::string m_pass_fault;
};

} // namespace losos
