// Addresses, ports, endpoints and URLs.
#include "check.h"
#include "target.h"

#include "core/network.h"
#include "core/path_env.h"
#include "core/public_host.h"

namespace losos::fuzz {
namespace {

void check_endpoint(const Endpoint& endpoint) {
    FUZZ_CHECK(!endpoint.host().empty() && endpoint.host().size() <= 253);
    FUZZ_CHECK(endpoint.host().find_first_of("/@?# []%\\") == std::string::npos);
    FUZZ_CHECK(*Endpoint::parse(endpoint.text()) == endpoint);
    const auto address = IpAddress::parse(endpoint.host());
    FUZZ_CHECK(!address || !address->is_private() || !may_be_public(endpoint));
    const auto pin = pin_file_name(endpoint);
    FUZZ_CHECK(pin.find('/') == std::string::npos && !pin.starts_with('.'));
}

void run(std::string_view input) {
    if (const auto address = check_text<IpAddress>(input)) {
        FUZZ_CHECK(!address->is_loopback() || address->is_private());
        FUZZ_CHECK(IpAddress::parse(address->text()) && address->text().size() < 46);
    }
    if (const auto socket = check_codec(input, SocketAddress::parse,
                                        [](const SocketAddress& each) { return each.text(); })) {
        FUZZ_CHECK(*SocketAddress::parse(socket->text()) == *socket);
    }
    if (const auto endpoint = check_text<Endpoint>(input)) {
        check_endpoint(*endpoint);
    }
    if (const auto url = check_text<HttpUrl>(input)) {
        FUZZ_CHECK(*HttpUrl::parse(url->text()) == *url);
        FUZZ_CHECK(url->text().starts_with(url->is_https() ? "https://" : "http://"));
        check_endpoint(url->endpoint());
    }
    if (const auto port = check_text<Port>(input)) {
        FUZZ_CHECK(port->text() == input && port->number() > 0);
    }
    if (const auto range = check_text<PortRange>(input)) {
        FUZZ_CHECK(range->text() == input && range->size() > 0 && range->contains(range->last()));
    }
}

const Known k_known({"network", "addresses and URLs", 512, "", run});

} // namespace
} // namespace losos::fuzz
