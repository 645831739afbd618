#include "core/public_host.h"

#include "support/catch.h"

using namespace losos;

TEST_CASE("what can only be on this machine or its own network is not public") {
    for (const char* host :
         {"127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.1.1", "[::1]", "[fe80::1]",
          "[fd00::1]", "localhost", "hub", "hub.local", "hub.lan", "a.b.internal", "hub.home.arpa",
          "hub.localhost", "HUB.LOCAL"}) {
        CAPTURE(host);
        CHECK_FALSE(may_be_public(*Endpoint::parse(std::string(host) + ":80")));
    }
}

TEST_CASE("everything else may be on the internet") {
    for (const char* host :
         {"8.8.8.8", "172.32.0.1", "100.64.0.1", "[2001:db8::1]", "hub.losos.example",
          "local.example", "hub.notlocal", "arpa.hub.com"}) {
        CAPTURE(host);
        CHECK(may_be_public(*Endpoint::parse(std::string(host) + ":80")));
    }
}
