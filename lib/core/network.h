// Where things are reached: numeric socket addresses, host:port endpoints, and http(s) URLs.
#pragma once

#include "base/result.h"
#include "core/port.h"

#include <string>
#include <string_view>

namespace losos {

/// A numeric IPv4 or IPv6 address in canonical text, without brackets. No scope.
class IpAddress {
public:
    static Result<IpAddress> parse(std::string_view text);

    const std::string& text() const { return m_text; }
    bool is_v6() const { return m_text.find(':') != std::string::npos; }
    bool is_loopback() const;
    /// Whether nobody on the internet can be behind it: loopback, RFC 1918, link-local, RFC 4193.
    bool is_private() const;
    friend auto operator<=>(const IpAddress&, const IpAddress&) = default;

private:
    explicit IpAddress(std::string text) : m_text(std::move(text)) {}
    std::string m_text;
};

/// Whether resolvers and browsers take a DNS name for a number: 10.1, 0x7f000001, 1.2.3.08.
bool reads_as_number(std::string_view name);

/// `<address>:<port>`, IPv6 in brackets. What a server listens on.
struct SocketAddress {
    IpAddress address;
    Port port;

    static Result<SocketAddress> parse(std::string_view text);
    std::string text() const;
    friend bool operator==(const SocketAddress&, const SocketAddress&) = default;
};

/// A DNS name (any case, folded) or a numeric address, and a port. What a client dials.
class Endpoint {
public:
    /// `host:port`, IPv6 in brackets; fails on anything else.
    static Result<Endpoint> parse(std::string_view text);
    static Endpoint of(std::string host, Port port);

    /// Without brackets.
    const std::string& host() const { return m_host; }
    Port port() const { return m_port; }
    std::string text() const;
    friend bool operator==(const Endpoint&, const Endpoint&) = default;

private:
    Endpoint(std::string host, Port port) : m_host(std::move(host)), m_port(port) {}
    std::string m_host;
    Port m_port;
};

/// `http://host[:port]` or `https://host[:port]`, at most one trailing slash; no user, path, query
/// or fragment. The base of a registrar's API.
class HttpUrl {
public:
    static Result<HttpUrl> parse(std::string_view text);

    bool is_https() const { return m_https; }
    const Endpoint& endpoint() const { return m_endpoint; }
    /// Canonical: lower case, no slash at the end, no default port.
    std::string text() const;
    friend bool operator==(const HttpUrl&, const HttpUrl&) = default;

private:
    HttpUrl(bool https, Endpoint endpoint) : m_https(https), m_endpoint(std::move(endpoint)) {}
    bool m_https;
    Endpoint m_endpoint;
};

} // namespace losos
