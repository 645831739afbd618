#include "core/network.h"

#include "core/ascii.h"
#include "core/names.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace losos {
namespace {

constexpr std::string_view k_http = "http://";
constexpr std::string_view k_https = "https://";
constexpr long long k_http_port = 80;
constexpr long long k_https_port = 443;
/// Longer than any name, port and scheme together: nothing beyond it is looked at.
constexpr std::size_t k_text_max = 300;

using V4 = std::array<unsigned char, 4>;
using V6 = std::array<unsigned char, 16>;

template <class Bytes>
std::optional<Bytes> read_address(int family, std::string_view text) {
    Bytes bytes{};
    // inet_pton stops at a NUL, which must not hide what comes after it.
    if (text.find('\0') != std::string_view::npos ||
        inet_pton(family, std::string(text).c_str(), bytes.data()) != 1) {
        return std::nullopt;
    }
    return bytes;
}

template <class Bytes>
std::string write_address(int family, const Bytes& bytes) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    inet_ntop(family, bytes.data(), text.data(), static_cast<socklen_t>(text.size()));
    return text.data();
}

bool is_mapped_v4(const V6& bytes) {
    return std::all_of(bytes.begin(), bytes.begin() + 10, [](unsigned char b) { return b == 0; }) &&
           bytes[10] == 0xff && bytes[11] == 0xff;
}

/// The IPv4 address a text means, also inside an IPv4-mapped IPv6 one.
std::optional<V4> v4_of(std::string_view text) {
    if (auto bytes = read_address<V4>(AF_INET, text)) {
        return bytes;
    }
    const auto bytes = read_address<V6>(AF_INET6, text);
    if (!bytes || !is_mapped_v4(*bytes)) {
        return std::nullopt;
    }
    return V4{(*bytes)[12], (*bytes)[13], (*bytes)[14], (*bytes)[15]};
}

bool is_private_v4(const V4& b) {
    return b[0] == 127 || b[0] == 10 || (b[0] == 172 && b[1] >= 16 && b[1] <= 31) ||
           (b[0] == 192 && b[1] == 168) || (b[0] == 169 && b[1] == 254);
}

bool is_private_v6(const V6& b) {
    const bool link_local = b[0] == 0xfe && (b[1] & 0xc0) == 0x80;
    const bool unique_local = (b[0] & 0xfe) == 0xfc;
    return link_local || unique_local;
}

/// A host and what follows it: "", or a colon and a port.
struct HostAndRest {
    std::string host;
    std::string_view rest;
};

Result<HostAndRest> read_host(std::string_view text) {
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        if (end == std::string_view::npos) {
            return Error{Errc::failed, "an IPv6 address in brackets needs its closing one"};
        }
        TRY_ASSIGN(const auto address, IpAddress::parse(text.substr(1, end - 1)));
        if (!address.is_v6()) {
            return Error{Errc::failed, "only an IPv6 address stands in brackets"};
        }
        return HostAndRest{address.text(), text.substr(end + 1)};
    }
    const auto host = text.substr(0, text.find(':'));
    const auto rest = text.substr(host.size());
    if (const auto address = IpAddress::parse(host)) {
        return HostAndRest{address->text(), rest};
    }
    const auto name = DnsName::parse(host);
    if (!name || reads_as_number(name->text())) {
        return Error{Errc::failed,
                     "a host is a DNS name, an IPv4 address, or an IPv6 address in brackets"};
    }
    return HostAndRest{name->text(), rest};
}

Result<Port> read_port_after_colon(std::string_view rest) {
    if (!rest.starts_with(':')) {
        return Error{Errc::failed, "a colon and a port must follow the host"};
    }
    return Port::parse(rest.substr(1));
}

std::string bracketed(const std::string& host) {
    return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

} // namespace

Result<IpAddress> IpAddress::parse(std::string_view text) {
    if (text.size() < INET6_ADDRSTRLEN) {
        if (const auto v4 = read_address<V4>(AF_INET, text)) {
            return IpAddress(write_address(AF_INET, *v4));
        }
        if (const auto v6 = read_address<V6>(AF_INET6, text)) {
            return IpAddress(write_address(AF_INET6, *v6));
        }
    }
    return Error{Errc::failed, "an address is a numeric IPv4 or IPv6 address without a scope"};
}

bool IpAddress::is_loopback() const {
    if (const auto v4 = v4_of(m_text)) {
        return (*v4)[0] == 127;
    }
    return m_text == "::1";
}

bool IpAddress::is_private() const {
    if (const auto v4 = v4_of(m_text)) {
        return is_private_v4(*v4);
    }
    const auto v6 = read_address<V6>(AF_INET6, m_text);
    return is_loopback() || (v6 && is_private_v6(*v6));
}

bool reads_as_number(std::string_view name) {
    const auto last = name.substr(name.rfind('.') + 1);
    const auto only = [&last](std::string_view allowed, std::size_t from) {
        return last.find_first_not_of(allowed, from) == std::string_view::npos;
    };
    return only("0123456789", 0) || (last.starts_with("0x") && only("0123456789abcdef", 2));
}

Result<SocketAddress> SocketAddress::parse(std::string_view text) {
    TRY_ASSIGN(const auto endpoint, Endpoint::parse(text));
    TRY_ASSIGN(auto address, IpAddress::parse(endpoint.host()));
    return SocketAddress{std::move(address), endpoint.port()};
}

std::string SocketAddress::text() const {
    return bracketed(address.text()) + ":" + port.text();
}

Result<Endpoint> Endpoint::parse(std::string_view text) {
    TRY_ASSIGN(auto split, read_host(text.substr(0, k_text_max)));
    TRY_ASSIGN(const auto port, read_port_after_colon(split.rest));
    return Endpoint(std::move(split.host), port);
}

Endpoint Endpoint::of(std::string host, Port port) {
    return Endpoint(std::move(host), port);
}

std::string Endpoint::text() const {
    return bracketed(m_host) + ":" + m_port.text();
}

Result<HttpUrl> HttpUrl::parse(std::string_view text) {
    const auto folded = fold_ascii_case(text.substr(0, k_text_max));
    const std::string_view url = folded;
    const bool https = url.starts_with(k_https);
    if (!https && !url.starts_with(k_http)) {
        return Error{Errc::failed, "a URL starts with http:// or https://"};
    }
    auto authority = url.substr(https ? k_https.size() : k_http.size());
    if (authority.ends_with('/')) {
        authority.remove_suffix(1);
    }
    if (authority.find_first_of("/?#@") != std::string_view::npos) {
        return Error{Errc::failed, "a URL is only a scheme, a host and a port: no user, path, "
                                   "query or fragment"};
    }
    TRY_ASSIGN(auto split, read_host(authority));
    auto port = split.rest.empty() ? Port::from_number(https ? k_https_port : k_http_port)
                                   : read_port_after_colon(split.rest);
    TRY_ASSIGN(const auto sound_port, std::move(port));
    return HttpUrl(https, Endpoint::of(std::move(split.host), sound_port));
}

std::string HttpUrl::text() const {
    const auto scheme = std::string(m_https ? k_https : k_http);
    const bool default_port = m_endpoint.port().number() == (m_https ? k_https_port : k_http_port);
    return scheme + (default_port ? bracketed(m_endpoint.host()) : m_endpoint.text());
}

} // namespace losos
