// What an edge's HTTP answer means to the tool that asked, and how it is quoted in a message.
#pragma once

#include "base/result.h"
#include "core/token.h"

#include <string>
#include <string_view>

namespace losos {

/// An answer as far as rules look at it.
struct EdgeAnswer {
    int status = 0;
    std::string body;
};

/// What a status says of the call.
enum class AnswerKind {
    /// 2xx.
    good,
    /// 401, 403, 409: the edge will not, until somebody changes something.
    refused,
    /// 5xx and 429: it cannot now.
    unavailable,
    /// Anything else, redirects included: this is not what an edge says.
    odd,
};

AnswerKind classify_status(int status);

/// Whether GET /health was answered as an edge does: 200 and `ok`.
bool is_healthy(const EdgeAnswer& answer);

/// The code of an error made of such an answer; `good` stands for a body that made no sense.
Errc code_of(AnswerKind kind);

/// The answer's first line, at most 200 bytes of it.
std::string quote_answer(std::string_view body);

/// What to make of an answer that nobody hoped for, to follow what is quoted of it; mostly nothing.
std::string_view advise_on(int status);

/// The text with `<secret>` wherever the token stood in it, or what looks like the hex of a key or
/// of a relay pass.
std::string without_secret(std::string text, const Token& token);

} // namespace losos
