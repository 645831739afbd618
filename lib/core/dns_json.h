// What a resolver answers over HTTPS as application/dns-json, read as what it is: text from
// somebody else about records that a stranger wrote.
#pragma once

#include "base/result.h"
#include "core/network.h"

#include <string>
#include <string_view>
#include <vector>

namespace losos {

/// The types of record that are asked for, by their numbers in DNS.
enum class DnsType { a = 1, cname = 5, txt = 16, aaaa = 28 };

/// What is asked.
struct DnsQuestion {
    /// In lower case, without the dot at the end.
    std::string name;
    DnsType type;
    friend bool operator==(const DnsQuestion&, const DnsQuestion&) = default;
};

/// One record; of one that was not asked for only name and type are kept.
struct DnsRecord {
    /// In lower case, without the dot at the end.
    std::string name;
    int type = 0;
    /// A name like `name`, an address as it came, or a text without its quotes.
    std::string data;
    friend bool operator==(const DnsRecord&, const DnsRecord&) = default;
};

/// What there is; nothing, where the name does not exist.
struct DnsAnswer {
    std::vector<DnsRecord> records;
    friend bool operator==(const DnsAnswer&, const DnsAnswer&) = default;
};

/// Fails when the resolver could not answer (SERVFAIL and the like), cut the answer short, or sent
/// what is no answer: then nothing is known.
Result<DnsAnswer> parse_dns_json(std::string_view body);

/// The names a question's name stands for, itself first, then along its CNAMEs.
std::vector<std::string> aliases_of(const DnsAnswer& answer, const std::string& name);

/// The data of the records of that type at a name or at what it stands for.
std::vector<std::string> data_at(const DnsAnswer& answer, const std::string& name, DnsType type);

/// Where a resolver is asked: an http(s) URL with a path and without user, query or fragment.
class DnsCheckUrl {
public:
    static Result<DnsCheckUrl> parse(std::string_view text);

    const HttpUrl& server() const { return m_server; }
    std::string text() const { return m_server.text() + m_path; }
    /// What is asked of the server.
    std::string path_of(const DnsQuestion& question) const;
    friend bool operator==(const DnsCheckUrl&, const DnsCheckUrl&) = default;

private:
    DnsCheckUrl(HttpUrl server, std::string path)
        : m_server(std::move(server)), m_path(std::move(path)) {}
    HttpUrl m_server;
    std::string m_path;
};

} // namespace losos
