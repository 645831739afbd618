// Whole histories of bindings: gateways that list what they like with whatever passes they could
// ever have seen, under a clock that also steps back.
#include "core/relay_bindings.h"

#include "unit/core/make_passes.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using namespace losos;
using namespace losos::make;

namespace {

constexpr int k_histories = 60;
constexpr int k_relays = 120;

/// The same numbers on every machine.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : m_state(seed * 2 + 1) {}
    std::uint64_t below(std::uint64_t limit) {
        m_state = m_state * 6364136223846793005U + 1442695040888963407U;
        return (m_state >> 33U) % limit;
    }

private:
    std::uint64_t m_state;
};

/// One `/relay` and what stood before and after it.
struct Step {
    DnsLabel spoke;
    std::vector<ListedPass> listed;
    std::map<RowId, RegistryRow> rows_before;
    Bindings before;
    Bindings after;
    BindingNews news;
    UnixTime now;

    /// The hour of the good pass the list has for a box.
    std::optional<PassHour> good_hour(const DnsLabel& box) const {
        for (const auto& each : listed) {
            if (each.box == box && each.pass &&
                pass_key().check(box, *each.pass, now) == PassVerdict::good) {
                return each.pass->hour();
            }
        }
        return std::nullopt;
    }

    bool shows_the_future(const DnsLabel& box) const {
        return std::any_of(listed.begin(), listed.end(), [&](const ListedPass& each) {
            return each.box == box && each.pass &&
                   pass_key().check(box, *each.pass, now) == PassVerdict::from_the_future;
        });
    }

    bool listed_before(const DnsLabel& box) const {
        return rows_before.contains(RowId::relayed(spoke, box));
    }
};

ListedPass random_entry(Dice& dice, const DnsLabel& box, UnixTime now) {
    const auto hour = pass_hour_of(now).count() + static_cast<long long>(dice.below(7)) - 4;
    switch (dice.below(8)) {
    case 0:
        return {box, std::nullopt, false};
    case 1:
        return {box, std::nullopt, true};
    case 2:
        return {box, pass(std::to_string(hour)), false};
    case 3:
        return {box, true_pass("another", hour), false};
    default:
        return with_pass(box.text(), hour);
    }
}

UnixTime random_clock(Dice& dice, UnixTime now) {
    switch (dice.below(12)) {
    case 0:
        return now - UnixTime(static_cast<long long>(dice.below(5 * 3600)));
    case 1:
        return now + UnixTime(static_cast<long long>(dice.below(5 * 3600)));
    default:
        return now + UnixTime(static_cast<long long>(dice.below(1800)));
    }
}

std::vector<Step> history(std::uint64_t seed) {
    const std::vector<DnsLabel> spokes{label("acme"), label("beta"), label("gamma")};
    const std::vector<DnsLabel> boxes{label("a"), label("b"), label("c"), label("d")};
    Dice dice(seed);
    Bindings bindings;
    std::map<RowId, RegistryRow> rows;
    UnixTime now = k_hour_500000;
    std::vector<Step> steps;
    for (int i = 0; i < k_relays; ++i) {
        now = random_clock(dice, now);
        Step step{spokes[dice.below(spokes.size())], {}, rows, bindings, {}, {}, now};
        for (const auto& box : boxes) {
            if (dice.below(3) > 0) {
                step.listed.push_back(random_entry(dice, box, now));
            }
        }
        step.news = judge_passes(bindings, step.spoke, step.listed, rows, pass_key(), now);
        step.after = bindings;
        std::erase_if(rows, [&](const auto& row) { return row.first.spoke() == step.spoke; });
        for (const auto& each : step.listed) {
            rows.emplace(RowId::relayed(step.spoke, each.box),
                         RegistryRow{name("h.test"), port(1)});
        }
        steps.push_back(std::move(step));
    }
    return steps;
}

/// The binding that counts.
std::optional<Binding> holds(const Bindings& bindings, const DnsLabel& box, UnixTime now) {
    const auto known = bindings.find(box);
    return known == bindings.end() || has_expired(known->second.epoch, now)
               ? std::nullopt
               : std::optional(known->second);
}

template <class Check>
void over_histories(Check check) {
    for (int seed = 0; seed < k_histories; ++seed) {
        CAPTURE(seed);
        for (const Step& step : history(static_cast<std::uint64_t>(seed))) {
            check(step);
        }
    }
}

template <class Check>
void over_held(const Bindings& bindings, Check check) {
    for (const auto& [box, binding] : bindings) {
        check(box, binding);
    }
}

} // namespace

TEST_CASE("core/relay_bindings: whoever gets a box showed a good pass for it in that very list") {
    std::size_t moved = 0;
    over_histories([&](const Step& step) {
        over_held(step.after, [&](const DnsLabel& box, const Binding& binding) {
            const auto known = step.before.find(box);
            if (known != step.before.end() && known->second == binding) {
                return;
            }
            ++moved;
            CHECK(binding.spoke == step.spoke);
            CHECK(step.good_hour(box) == binding.epoch);
        });
    });
    CHECK(moved > 500);
}

TEST_CASE("core/relay_bindings: who takes a box from another has a newer pass, or is new to it") {
    std::size_t taken = 0;
    over_histories([&](const Step& step) {
        over_held(step.before, [&](const DnsLabel& box, const Binding&) {
            const auto before = holds(step.before, box, step.now);
            const auto after = holds(step.after, box, step.now);
            if (!before || before->spoke == step.spoke) {
                return;
            }
            // It is never lost by another gateway's list, only taken over.
            REQUIRE(after);
            if (after->spoke == before->spoke) {
                CHECK(*after == *before);
                return;
            }
            ++taken;
            CHECK((after->epoch > before->epoch ||
                   (after->epoch == before->epoch && !step.listed_before(box))));
        });
    });
    CHECK(taken > 100);
}

TEST_CASE(
    "core/relay_bindings: a good pass that was refused was older, or had been listed before") {
    std::size_t refused = 0;
    over_histories([&](const Step& step) {
        for (const auto& listed : step.listed) {
            const auto hour = step.good_hour(listed.box);
            const auto after = holds(step.after, listed.box, step.now);
            if (!hour || after->spoke == step.spoke) {
                continue;
            }
            ++refused;
            CHECK((*hour < after->epoch ||
                   (*hour == after->epoch && step.listed_before(listed.box))));
        }
    });
    CHECK(refused > 100);
}

TEST_CASE("core/relay_bindings: what a gateway keeps it lists with a pass this hub made") {
    over_histories([](const Step& step) {
        over_held(step.after, [&](const DnsLabel& box, const Binding& binding) {
            if (binding.spoke == step.spoke) {
                CHECK((step.good_hour(box) || step.shows_the_future(box)));
            }
        });
    });
}

TEST_CASE("core/relay_bindings: an epoch that counts never falls while the box stays") {
    over_histories([](const Step& step) {
        over_held(step.before, [&](const DnsLabel& box, const Binding&) {
            const auto before = holds(step.before, box, step.now);
            const auto after = step.after.find(box);
            if (before && after != step.after.end()) {
                CHECK(after->second.epoch >= before->epoch);
            }
        });
    });
}

TEST_CASE("core/relay_bindings: the news are exactly what changed hands") {
    over_histories([](const Step& step) {
        Bindings replayed = step.before;
        std::erase_if(replayed,
                      [&](const auto& entry) { return has_expired(entry.second.epoch, step.now); });
        for (const auto& move : step.news.moves) {
            const auto held = replayed.find(move.box);
            CHECK(move.from ==
                  (held == replayed.end() ? std::nullopt : std::optional(held->second.spoke)));
            CHECK(move.from != move.to);
            if (move.to) {
                replayed.insert_or_assign(move.box, Binding{*move.to, PassHour(0)});
            } else {
                replayed.erase(move.box);
            }
        }
        over_held(step.after, [&](const DnsLabel& box, const Binding& binding) {
            if (!has_expired(binding.epoch, step.now)) {
                REQUIRE(replayed.contains(box));
                CHECK(replayed.at(box).spoke == binding.spoke);
                replayed.erase(box);
            }
        });
        CHECK(replayed.empty());
    });
}
