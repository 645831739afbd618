#include "core/local_host.h"

#include "support/catch.h"

using namespace losos;

TEST_CASE("core/local_host: this machine's own names mean it, with any port or none") {
    for (const auto* const host : {"localhost", "LocalHost", "localhost:8082", "127.0.0.1",
                                   "127.0.0.1:1", "[::1]", "[::1]:65535"}) {
        CAPTURE(host);
        CHECK(names_this_machine(host));
    }
}

TEST_CASE("core/local_host: any other name is somebody else's page") {
    for (const auto* const host : {"",
                                   "evil.example",
                                   "evil.example:8082",
                                   "localhost.evil.example",
                                   "localhost.",
                                   "localhost:",
                                   "localhost:0",
                                   "localhost:65536",
                                   "localhost:80:80",
                                   "localhost:8 0",
                                   "127.0.0.1.nip.io",
                                   "127.0.0.2",
                                   "::1",
                                   "[::1",
                                   "[::1]x",
                                   "[::1]8082",
                                   "[::2]:80",
                                   "a@localhost",
                                   "localhost/",
                                   " localhost",
                                   "0.0.0.0",
                                   "[::ffff:127.0.0.1]"}) {
        CAPTURE(host);
        CHECK_FALSE(names_this_machine(host));
    }
}
