// The zone an edge serves for its boxes, as Knot reads it from a file (losos-custom-domains(7)):
// the text, and the rule of its serial.
#pragma once

#include "base/duration.h"
#include "core/names.h"
#include "core/network.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos {

/// What the operator decided by flags.
struct ZoneRules {
    DnsName zone;
    /// At least one; the first is the primary.
    std::vector<DnsName> nameservers;
    /// As a name: its first label is the mailbox.
    DnsName hostmaster;
    std::vector<IpAddress> addresses;
};

/// What stands in the zone beside its head.
struct ZoneContent {
    /// False while the edge is not official: then the zone is SOA, NS and glue.
    bool official = false;
    /// Names in the zone that lead to the edge; those outside it, and doubles, are left out.
    std::vector<DnsName> hosts;
    /// Zones whose wildcard certificates are proved in a zone of their own, to which one line each
    /// leads.
    std::vector<DnsName> challenge_zones;
};

using ZoneSerial = std::uint32_t;

/// The file's text; the same for the same input, whatever its order.
std::string render_zone(const ZoneRules& rules, const ZoneContent& content, ZoneSerial serial);

/// The serial of a text that render_zone made; nullopt for any other.
std::optional<ZoneSerial> parse_zone_serial(std::string_view text);

/// Whether `b` comes after `a` by RFC 1982, where numbers go round.
bool comes_after(ZoneSerial b, ZoneSerial a);

/// The serial of a change: its Unix time, or one more than the last if that is larger.
ZoneSerial next_serial(std::optional<ZoneSerial> last, UnixTime now);

/// What the file is to hold.
struct ZonePlan {
    std::string text;
    ZoneSerial serial;
};

/// `standing` is what the file holds, `last` the last serial this process gave out, if any. The
/// standing text stays where it says all there is to say.
ZonePlan plan_zone(const ZoneRules& rules, const ZoneContent& content,
                   const std::optional<std::string>& standing, std::optional<ZoneSerial> last,
                   UnixTime now);

/// Since when the zone has had a name. A certificate is not asked for in a name's first seconds:
/// the name servers may not have it yet, and the authority would not forget that so soon.
class ZoneSettling {
public:
    /// These hosts stand in the zone now. Those that stood in `found`, what a first look at the
    /// file gave, were there before.
    void follow(const std::vector<DnsName>& hosts, const std::optional<std::string>& found,
                MonotonicTime now);
    bool is_settled(const DnsName& host, MonotonicTime now) const;
    /// When the next host settles; nullopt when all have.
    std::optional<MonotonicTime> next(MonotonicTime now) const;

private:
    std::map<DnsName, MonotonicTime> m_settles_at;
    bool m_first = true;
};

} // namespace losos
