#include "core/check_registrar.h"

#include "base/format.h"

namespace losos {

namespace {

const std::string k_registrar = "registrar";

Check check_pulse(const RegistrarFacts& facts) {
    if (facts.has_stopped) {
        return check_failed(k_registrar, "it was stopped; type \"systemctl start "
                                         "losos-registrar\"");
    }
    switch (facts.verdict) {
    case LiveVerdict::fresh:
        return check_ok(k_registrar,
                        format("last reconcile {} s ago",
                               std::chrono::floor<std::chrono::seconds>(facts.age).count()));
    case LiveVerdict::stale:
        return check_failed(k_registrar,
                            format("it has done nothing for {} s: it is dead or stuck; see "
                                   "\"systemctl status losos-registrar\"",
                                   std::chrono::floor<std::chrono::seconds>(facts.age).count()));
    case LiveVerdict::other_boot:
    case LiveVerdict::no_list:
    case LiveVerdict::no_status:
        break;
    }
    return check_failed(k_registrar, "it has not run since this machine started; type \"systemctl "
                                     "start losos-registrar\"");
}

} // namespace

std::vector<Check> check_registrar(const RegistrarFacts& facts) {
    std::vector<Check> checks{check_pulse(facts)};
    if (checks.front().verdict == Verdict::ok) {
        for (const auto& fault : facts.faults) {
            checks.push_back(check_failed(k_registrar, fault));
        }
    }
    return checks;
}

} // namespace losos
