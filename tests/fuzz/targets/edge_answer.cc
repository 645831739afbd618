// Any answer of an edge as messages quote it: a status in the first line, and the body.
#include "check.h"
#include "target.h"

#include "core/announce_machine.h"
#include "core/edge_answer.h"

#include <charconv>

namespace losos::fuzz {
namespace {

constexpr std::size_t k_longest_quote = 203;

void check_status(int status) {
    const auto kind = classify_status(status);
    FUZZ_CHECK((code_of(kind) == Errc::refused) == (kind == AnswerKind::refused));
    for (const auto call : {AnnounceCall::register_box, AnnounceCall::heartbeat}) {
        const auto reply = classify_reply(call, status);
        FUZZ_CHECK((reply == AnnounceReply::taken) == (kind == AnswerKind::good));
    }
}

void run(std::string_view input) {
    const auto line = input.substr(0, input.find('\n'));
    int status = 0;
    std::from_chars(line.data(), line.data() + line.size(), status);
    check_status(status);

    const auto body = input.substr(std::min(line.size() + 1, input.size()));
    const auto quote = quote_answer(body);
    FUZZ_CHECK(quote.size() <= k_longest_quote);
    FUZZ_CHECK(quote.find_first_of("\r\n") == std::string::npos);
    FUZZ_CHECK(quote_answer(quote) == quote || quote.ends_with("..."));

    if (const auto token = Token::parse(body.substr(0, body.find('\n')))) {
        const auto clean = without_secret(std::string(body), *token);
        FUZZ_CHECK(clean.find(token->reveal()) == std::string::npos);
        FUZZ_CHECK(without_secret(clean, *token) == clean);
    }
}

const Known k_known({"edge-answer", "answers of an edge", k_file, "", run});

} // namespace
} // namespace losos::fuzz
