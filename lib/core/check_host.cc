#include "core/check_host.h"

#include "base/format.h"
#include "core/http_date.h"

#include <algorithm>

namespace losos {

namespace {

// 2026-01-01 and 2100-01-01.
constexpr UnixTime k_earliest{1767225600};
constexpr UnixTime k_latest{4102444800};
// Relay passes and certificates bear this much.
constexpr UnixTime k_drift{300};

constexpr std::string_view k_set_clock =
    "set it, with \"timedatectl set-ntp true\" where a time server can be reached";

const std::string k_clock = "clock";

std::string list_of(const std::vector<PortFacts::Program>& programs) {
    std::string list;
    for (const auto& program : programs) {
        list += format("{}{} (process {}{}{})", list.empty() ? "" : ", ", program.name, program.pid,
                       program.unit.empty() ? "" : " of ", program.unit);
    }
    return list;
}

} // namespace

Check check_clock(UnixTime now) {
    if (now < k_earliest || now >= k_latest) {
        return check_failed(k_clock, format("it shows {}, which cannot be; {}: certificates are "
                                            "judged by it",
                                            render_utc(now), k_set_clock));
    }
    return check_ok(k_clock, render_utc(now));
}

Check check_clock_against(std::string_view peer, UnixTime now, std::optional<UnixTime> theirs) {
    const auto what = format("clock against {}", peer);
    if (!theirs) {
        return check_not_made(what, "no answer of it tells the time");
    }
    const auto apart = std::max(now - *theirs, *theirs - now);
    if (apart > k_drift) {
        return check_failed(what, format("this machine's clock is {} s {}: here it is {}, there "
                                         "{}; {} on the one that is wrong",
                                         apart.count(), now > *theirs ? "ahead" : "behind",
                                         render_utc(now), render_utc(*theirs), k_set_clock));
    }
    return check_ok(what, format("{} s apart", apart.count()));
}

Check check_name(const std::string& name, std::string_view whose, const NameFacts& facts) {
    const auto what = format("name {}", name);
    if (facts.addresses.empty()) {
        return check_failed(what, format("{} is not found by that name: {}; see \"resolvectl "
                                         "status\" or the file resolv.conf for who is asked, and "
                                         "whether the name is right",
                                         whose, facts.fault));
    }
    return check_ok(what, facts.addresses.front());
}

Check check_port(const PortWish& wish, const PortFacts& facts) {
    const auto what = format("port {}", wish.port);
    if (!facts.is_taken) {
        return check_failed(what, format("nobody listens on it, so {}; see \"systemctl status {}\"",
                                         wish.purpose, wish.unit));
    }
    if (facts.programs.empty()) {
        return check_not_made(what, "it is taken, and only root may see by whom");
    }
    const bool is_ours = std::any_of(
        facts.programs.begin(), facts.programs.end(), [&](const PortFacts::Program& program) {
            return program.unit == wish.unit || program.name == wish.program;
        });
    if (!is_ours) {
        return check_failed(what,
                            format("{} has it, not {}, so {}; stop that program or give it "
                                   "another port, then type \"systemctl restart {}\"",
                                   list_of(facts.programs), wish.program, wish.purpose, wish.unit));
    }
    return check_ok(what, format("{} listens", list_of(facts.programs)));
}

} // namespace losos
