#include "io/http_request_rules.h"

#include "support/catch.h"

#include <string>

using namespace losos;

namespace {

using Headers = std::vector<std::pair<std::string_view, std::string_view>>;

RequestHead post(Headers headers) {
    return {"POST", "/heartbeat", "HTTP/1.1", std::move(headers)};
}

int status_of(const RequestHead& head) {
    const auto refusal = check_head(head, 100);
    return refusal ? refusal->status : 0;
}

} // namespace

TEST_CASE("io/http_request_rules: a body has one length, or is in chunks") {
    CHECK(status_of(post({})) == 0);
    CHECK(status_of(post({{"content-length", "100"}})) == 0);
    CHECK(status_of(post({{"Content-Length", "101"}})) == 413);
    CHECK(status_of(post({{"Transfer-Encoding", "Chunked"}})) == 0);
    for (const auto* const odd : {"", "+1", "-1", " 1", "1 ", "0x1", "1,1", "1.0"}) {
        CHECK(status_of(post({{"Content-Length", odd}})) == 400);
    }
    for (const auto* const odd : {"", "gzip", "chunked, chunked", "chunked;a", "xchunked"}) {
        CHECK(status_of(post({{"Transfer-Encoding", odd}})) == 400);
    }
    CHECK(status_of(post({{"Content-Length", "1"}, {"content-length", "1"}})) == 400);
    CHECK(status_of(post({{"Content-Length", "1"}, {"Transfer-Encoding", "chunked"}})) == 400);
}

TEST_CASE("io/http_request_rules: the wish to close may stand among others, in any case") {
    for (const auto* const wish :
         {"close", "Close", " close", "keep-alive, close", "close,x", ",,CLOSE\t,"}) {
        CHECK(wants_close(post({{"connection", wish}})));
    }
    for (const auto* const wish : {"", "keep-alive", "closed", "x-close", "clo se", ","}) {
        CHECK_FALSE(wants_close(post({{"Connection", wish}})));
    }
    CHECK(wants_close(post({{"Connection", "x"}, {"Connection", "close"}})));
    CHECK_FALSE(wants_close(post({{"X-Connection", "close"}})));
}
