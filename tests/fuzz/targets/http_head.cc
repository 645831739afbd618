// The rules on a request's head: the request line, then a header a line.
#include "check.h"
#include "target.h"

#include "io/http_request_rules.h"

namespace losos::fuzz {
namespace {

std::string_view take(std::string_view& text, char end) {
    const auto part = text.substr(0, text.find(end));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    return part;
}

void run(std::string_view input) {
    RequestHead head;
    auto first = take(input, '\n');
    head.method = take(first, ' ');
    head.target = take(first, ' ');
    head.version = first;
    std::size_t framings = 0;
    while (!input.empty()) {
        auto line = take(input, '\n');
        const auto name = take(line, ':');
        head.headers.emplace_back(name, line);
        framings += name == "Content-Length" || name == "Transfer-Encoding" ? 1 : 0;
    }
    const auto refusal = check_head(head, 1024);
    FUZZ_CHECK(refusal.has_value() == check_head(head, 1024).has_value());
    if (refusal) {
        FUZZ_CHECK(refusal->status >= 400 && refusal->status <= 499);
        check_sentence(refusal->sentence);
        return;
    }
    FUZZ_CHECK(head.target.starts_with('/') && framings <= 1);
    // A smaller server never takes what a larger one refuses.
    FUZZ_CHECK(!check_head(head, 4096));
}

const Known k_known({"http-head", "heads of HTTP requests", k_file, "", run});

} // namespace
} // namespace losos::fuzz
