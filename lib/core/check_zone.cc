#include "core/check_zone.h"

#include "base/format.h"
#include "core/identity.h"

namespace losos {

Check check_served_zone(const ZoneFacts& facts) {
    auto what = format("zone {}", facts.name);
    if (!facts.written) {
        return check_not_made(std::move(what), format("{} has no serial to compare with what is "
                                                      "served",
                                                      facts.file));
    }
    if (!facts.served) {
        return check_failed(std::move(what),
                            format("no name server on this machine answers for it: {}; see that "
                                   "Knot's configuration names the zone, and \"systemctl status "
                                   "knot\"",
                                   facts.fault));
    }
    if (*facts.served == *facts.written) {
        return check_ok(std::move(what), format("serial {} is served", *facts.served));
    }
    if (comes_after(*facts.served, *facts.written)) {
        return check_ok(std::move(what), format("serial {} is served, ahead of {} in {}",
                                                *facts.served, *facts.written, facts.file));
    }
    return check_failed(std::move(what),
                        format("serial {} is served, but {} has {}; type \"systemctl start "
                               "losos-dns-reload\", and see \"journalctl -u losos-dns-reload\"",
                               *facts.served, facts.file, *facts.written));
}

Check check_official(std::optional<UnixTime> until, UnixTime now) {
    const std::string what = "identity";
    if (!until) {
        return check_failed(what, "this edge is not official, so it offers no domains and its zone "
                                  "is bare; losos-edge-identity(7) says how it becomes so");
    }
    const auto day = render_day(*until);
    if (*until < now) {
        return check_failed(what, format("its certificate expired on {}, so it offers no domains "
                                         "and its zone is bare; have the root sign a new one",
                                         day));
    }
    if (*until < now + k_certificate_notice) {
        return check_failed(
            what, format("its certificate expires on {}; have the root sign a new one", day));
    }
    return check_ok(what, format("certified until {}", day));
}

} // namespace losos
