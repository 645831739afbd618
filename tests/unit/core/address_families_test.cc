#include "core/address_families.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <string>

using namespace losos;
using namespace losos::make;

namespace {

constexpr HostFamilies k_v4{true, false, false};
constexpr HostFamilies k_v6{false, true, false};
constexpr HostFamilies k_both{true, true, false};

HostFamilies strict(HostFamilies host) {
    host.v6_only_by_default = true;
    return host;
}

std::optional<DarkFamily> dark(std::string_view listening, const HostFamilies& host,
                               V6Socket socket = V6Socket::as_the_kernel_says) {
    return find_dark_family("--listen", sound(SocketAddress::parse(listening)), socket, host);
}

bool says(const std::optional<DarkFamily>& found, std::string_view words) {
    return found && found->what.find(words) != std::string::npos;
}

} // namespace

TEST_CASE("an IPv4 wildcard leaves IPv6 in the dark where there is any") {
    CHECK_FALSE(dark("0.0.0.0:80", k_v4));
    const auto both = dark("0.0.0.0:80", k_both);
    CHECK(says(both, "--listen 0.0.0.0:80 takes IPv4 alone: who has only IPv6"));
    CHECK_FALSE(both->is_fault);
    const auto alone = dark("0.0.0.0:80", k_v6);
    CHECK(says(alone, "nobody on the network reaches it"));
    CHECK(alone->is_fault);
}

TEST_CASE("an IPv6 wildcard takes both, unless the kernel keeps them apart") {
    for (const auto& host : {k_v4, k_v6, k_both}) {
        CHECK_FALSE(dark("[::]:80", host));
        CHECK_FALSE(dark("[::]:80", strict(host), V6Socket::takes_v4));
    }
    CHECK_FALSE(dark("[::]:80", strict(k_v6)));
    const auto both = dark("[::]:80", strict(k_both));
    CHECK(says(both, "--listen [::]:80 takes IPv6 alone, for net.ipv6.bindv6only is 1: who has "
                     "only IPv4"));
    CHECK(both->is_fault);
    CHECK(says(dark("[::]:80", strict(k_v4)), "nobody on the network reaches it"));
}

TEST_CASE("who names one address means it") {
    for (const auto* address : {"127.0.0.1:80", "192.0.2.1:80", "[::1]:80", "[2001:db8::1]:80"}) {
        CHECK_FALSE(dark(address, strict(k_both)));
    }
}

TEST_CASE("a host without any address is in nobody's way") {
    CHECK_FALSE(dark("0.0.0.0:80", {}));
    CHECK_FALSE(dark("[::]:80", strict({})));
}
