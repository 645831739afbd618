#include "core/zone_text.h"

#include "base/append.h"
#include "base/format.h"
#include "core/domain_name.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

namespace losos {
namespace {

constexpr std::string_view k_head = "; The zone of this edge's boxes. losos-registrar writes this "
                                    "file; what is added by hand goes.\n$TTL 300\n";
constexpr std::string_view k_serial_mark = " ; serial\n";
constexpr std::size_t k_usual_line = 96;
/// Longer than Knot takes to load a zone and a second server to fetch it.
constexpr Duration k_settles{3000};

void append_record(std::string& text, std::string_view name, std::string_view type,
                   std::string_view data) {
    append(text, name, ". IN ", type, " ", data, "\n");
}

void append_addresses(std::string& text, const DnsName& name,
                      const std::vector<IpAddress>& addresses) {
    for (const IpAddress& address : addresses) {
        append_record(text, name.text(), address.is_v6() ? "AAAA" : "A", address.text());
    }
}

template <class T>
std::vector<T> sorted(std::vector<T> values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

/// IPv4 first, each family in order.
std::vector<IpAddress> sorted_addresses(std::vector<IpAddress> addresses) {
    addresses = sorted(std::move(addresses));
    std::stable_partition(addresses.begin(), addresses.end(),
                          [](const IpAddress& address) { return !address.is_v6(); });
    return addresses;
}

void append_soa(std::string& text, const ZoneRules& rules, ZoneSerial serial) {
    append(text, rules.zone.text(), ". IN SOA ", rules.nameservers.front().text(), ". ",
           rules.hostmaster.text(), ". (\n");
    append(text, "    ", format("{}", serial), k_serial_mark);
    append(text,
           "    3600 ; refresh\n    600 ; retry\n    1209600 ; expire\n    300 ) ; negative\n");
}

std::string ns_data(const DnsName& nameserver) {
    return nameserver.text() + ".";
}

} // namespace

std::string render_zone(const ZoneRules& rules, const ZoneContent& content, ZoneSerial serial) {
    const auto addresses = sorted_addresses(rules.addresses);
    const auto nameservers = sorted(rules.nameservers);
    std::string text(k_head);
    text.reserve(text.size() + k_usual_line * (content.hosts.size() * addresses.size() + 16));
    append_soa(text, rules, serial);
    std::set<DnsName> hosts;
    for (const DnsName& nameserver : nameservers) {
        append_record(text, rules.zone.text(), "NS", ns_data(nameserver));
        if (is_at_or_under(nameserver, rules.zone)) {
            hosts.insert(nameserver);
        }
    }
    if (content.official) {
        hosts.insert(rules.zone);
        for (const DnsName& host : content.hosts) {
            if (is_at_or_under(host, rules.zone)) {
                hosts.insert(host);
            }
        }
    }
    for (const DnsName& host : hosts) {
        append_addresses(text, host, addresses);
    }
    for (const DnsName& zone : sorted(content.challenge_zones)) {
        if (!content.official || !is_at_or_under(zone, rules.zone)) {
            continue;
        }
        for (const DnsName& nameserver : nameservers) {
            append_record(text, "_acme-challenge." + zone.text(), "NS", ns_data(nameserver));
        }
    }
    return text;
}

std::optional<ZoneSerial> parse_zone_serial(std::string_view text) {
    const auto end = text.find(k_serial_mark);
    const auto line = text.substr(0, end).rfind('\n');
    if (end == std::string_view::npos || line == std::string_view::npos) {
        return std::nullopt;
    }
    const auto from = text.find_first_not_of(' ', line + 1);
    if (from >= end) {
        return std::nullopt;
    }
    ZoneSerial serial = 0;
    const auto* last = text.data() + end;
    const auto [stop, fault] = std::from_chars(text.data() + from, last, serial);
    return fault == std::errc{} && stop == last ? std::optional(serial) : std::nullopt;
}

bool comes_after(ZoneSerial b, ZoneSerial a) {
    constexpr ZoneSerial k_half = 0x80000000U;
    return a != b && b - a < k_half;
}

ZoneSerial next_serial(std::optional<ZoneSerial> last, UnixTime now) {
    const auto moment = static_cast<ZoneSerial>(now.count());
    if (!last) {
        return moment;
    }
    const ZoneSerial next = *last + 1;
    return comes_after(moment, next) ? moment : next;
}

ZonePlan plan_zone(const ZoneRules& rules, const ZoneContent& content,
                   const std::optional<std::string>& standing, std::optional<ZoneSerial> last,
                   UnixTime now) {
    const auto stands = standing ? parse_zone_serial(*standing) : std::nullopt;
    if (stands) {
        if (auto text = render_zone(rules, content, *stands); text == *standing) {
            return {std::move(text), *stands};
        }
    }
    auto newest = stands;
    if (last && (!newest || comes_after(*last, *newest))) {
        newest = last;
    }
    const auto serial = next_serial(newest, now);
    return {render_zone(rules, content, serial), serial};
}

void ZoneSettling::follow(const std::vector<DnsName>& hosts,
                          const std::optional<std::string>& found, MonotonicTime now) {
    const bool first = std::exchange(m_first, false);
    const auto known = std::exchange(m_settles_at, {});
    for (const DnsName& host : hosts) {
        const auto before = known.find(host);
        const bool was_found =
            first && found && found->find("\n" + host.text() + ". IN ") != std::string::npos;
        const auto fresh = was_found ? now : now + k_settles;
        m_settles_at.emplace(host, before == known.end() ? fresh : before->second);
    }
}

bool ZoneSettling::is_settled(const DnsName& host, MonotonicTime now) const {
    const auto found = m_settles_at.find(host);
    return found != m_settles_at.end() && found->second <= now;
}

std::optional<MonotonicTime> ZoneSettling::next(MonotonicTime now) const {
    std::optional<MonotonicTime> next;
    for (const auto& [_, moment] : m_settles_at) {
        if (moment > now && (!next || moment < *next)) {
            next = moment;
        }
    }
    return next;
}

} // namespace losos
