// What time and the operator's files do to an edge's state; what calls do is in edge_state_test.cc.
#include "core/edge_state.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <limits>
#include <string>
#include <vector>

using namespace losos;
using namespace losos::make;

namespace {

using Rows = std::map<RowId, RegistryRow>;

constexpr UnixTime k_unix{1'700'000'000};
constexpr Instant k_start{MonotonicTime{5'000'000}, k_unix};

Instant after_start(long long ms) {
    return {k_start.monotonic + MonotonicTime{ms}, k_unix + UnixTime{ms / 1000}};
}

EdgeRules rules(Duration port_rest = Duration{120'000}) {
    return {.ports = port_range("100-109"),
            .port_rest = port_rest,
            .reserved = {name("www.acme.test")},
            .enrolment_open = false,
            .enrol_max = 0};
}

RegistryRow row(std::string_view host, int number) {
    return {name(host), port(number)};
}

ListedWithToken listed(std::string_view id, std::optional<DnsName> zone = std::nullopt) {
    return {{label(id), name(std::string(id) + ".example"), "/t", false, false, std::move(zone)},
            token('t')};
}

Roster roster(std::string_view zone = "acme.test") {
    return merge_roster({listed("alpha"), listed("acme", name(zone))},
                        {{{label("first"), name("first.lan")}, token('f')}});
}

EdgeState state_of(Rows rows) {
    return {roster(), std::move(rows), {}, {}};
}

/// What is left of a rest that ends at `until`, as the first pass of a start finds it.
EdgeState restored(UnixTime until, const std::vector<Port>& routed = {},
                   Duration port_rest = Duration{120'000}) {
    Registry stored;
    stored.resting.emplace(port(105), RestingPort{row_id("alpha"), until});
    auto state = restore_state(stored, roster(), rules(port_rest), k_start);
    advance_resting(state, routed, rules(port_rest), k_start);
    return state;
}

/// The state once a row went and Traefik's file stands without its router.
EdgeState resting_since_start() {
    auto state = state_of({{row_id("alpha"), row("alpha.example", 100)}});
    remove_row(state, row_id("alpha"), rules(), k_start);
    advance_resting(state, {}, rules(), k_start);
    return state;
}

} // namespace

TEST_CASE("a stored registry comes back as it was") {
    Registry stored;
    stored.rows = {{row_id("alpha"), row("alpha.example", 100)},
                   {row_id("acme.a"), row("a.acme.test", 101)}};
    stored.compute_windows = {{label("alpha"), ComputeWindow{true, "22:00", "06:00", "UTC"}}};
    stored.resting = {{port(102), RestingPort{row_id("first"), k_unix + UnixTime{60}}}};
    const auto state = restore_state(stored, roster(), rules(), k_start);
    CHECK(state.roster.size() == 3);
    CHECK(registry_of(state) == stored);
}

TEST_CASE("a state is stored as it is only while nothing of it differs") {
    Registry stored;
    stored.rows = {{row_id("alpha"), row("alpha.example", 100)}};
    stored.compute_windows = {{label("alpha"), ComputeWindow{true, "22:00", "06:00", "UTC"}}};
    stored.resting = {{port(102), RestingPort{row_id("first"), k_unix + UnixTime{60}}}};
    const auto state = restore_state(stored, roster(), rules(), k_start);
    CHECK(is_stored_as(state, stored));

    auto other = stored;
    other.rows.at(row_id("alpha")).port = port(101);
    CHECK_FALSE(is_stored_as(state, other));
    other = stored;
    other.compute_windows.clear();
    CHECK_FALSE(is_stored_as(state, other));
    other = stored;
    other.resting.at(port(102)).until += UnixTime{1};
    CHECK_FALSE(is_stored_as(state, other));
    other = stored;
    other.resting.clear();
    CHECK_FALSE(is_stored_as(state, other));
}

TEST_CASE("a rest goes on for what remains of it, at most for --port-rest") {
    struct Case {
        UnixTime until;
        long long remaining_ms;
        long long until_s;
    };
    // A second more than the difference of two moments that both lack a part of one.
    const auto sample = GENERATE(
        Case{k_unix, 1000, 0}, Case{k_unix + UnixTime{1}, 2000, 1},
        Case{k_unix + UnixTime{60}, 61'000, 60}, Case{k_unix + UnixTime{119}, 120'000, 119},
        Case{k_unix + UnixTime{120}, 120'000, 120}, Case{k_unix + UnixTime{121}, 120'000, 120},
        // The clock was stepped back by a year, or the file holds anything at all.
        Case{k_unix + UnixTime{31'536'000}, 120'000, 120}, Case{UnixTime::max(), 120'000, 120});
    const auto state = restored(sample.until);
    REQUIRE(state.resting.count(port(105)) == 1);
    const auto& rest = state.resting.at(port(105));
    CHECK(rest.id == row_id("alpha"));
    CHECK(rest.free_at == k_start.monotonic + MonotonicTime{sample.remaining_ms});
    CHECK(rest.until == k_unix + UnixTime{sample.until_s});
}

TEST_CASE("a rest shorter than a second is not made longer by a start") {
    const auto state = restored(k_unix + UnixTime{1}, {}, Duration{300});
    CHECK(state.resting.at(port(105)).free_at == k_start.monotonic + MonotonicTime{300});
}

TEST_CASE("a rest that is over, or whose end the clock was stepped past, is over at a start") {
    const auto until = GENERATE(UnixTime{0}, UnixTime{-1}, UnixTime::min(), k_unix - UnixTime{1});
    CHECK(restored(until).resting.empty());
}

TEST_CASE("a rest whose router still stands at a start has not begun") {
    const auto until = GENERATE(UnixTime{0}, k_unix + UnixTime{5}, k_unix + UnixTime{120});
    auto state = restored(until, {port(105)});
    REQUIRE(state.resting.count(port(105)) == 1);
    CHECK(state.resting.at(port(105)).free_at == std::nullopt);
    advance_resting(state, {}, rules(), after_start(2000));
    CHECK(state.resting.at(port(105)).free_at == k_start.monotonic + MonotonicTime{122'000});
}

TEST_CASE("a port that a stored row holds does not rest") {
    Registry stored;
    stored.rows = {{row_id("alpha"), row("alpha.example", 100)}};
    stored.resting = {{port(100), RestingPort{row_id("first"), k_unix + UnixTime{60}}},
                      {port(101), RestingPort{row_id("first"), k_unix + UnixTime{60}}}};
    const auto state = restore_state(stored, roster(), rules(), k_start);
    CHECK(state.resting.size() == 1);
    CHECK(state.resting.count(port(101)) == 1);
}

TEST_CASE("a row that goes leaves a port that rests; an unknown row leaves none") {
    auto state = state_of({{row_id("alpha"), row("alpha.example", 100)}});
    remove_row(state, row_id("first"), rules(), k_start);
    CHECK(state.resting.empty());
    remove_row(state, row_id("alpha"), rules(), k_start);
    CHECK(state.rows.empty());
    CHECK(registry_of(state).resting ==
          std::map<Port, RestingPort>{
              {port(100), RestingPort{row_id("alpha"), k_unix + UnixTime{120}}}});
}

TEST_CASE("a part of a second counts as one in the file") {
    auto state = state_of({{row_id("alpha"), row("alpha.example", 100)}});
    remove_row(state, row_id("alpha"), rules(Duration{1500}), k_start);
    CHECK(state.resting.at(port(100)).until == k_unix + UnixTime{2});
}

TEST_CASE("a rest begins only once the router is gone") {
    auto state = state_of({{row_id("alpha"), row("alpha.example", 100)}});
    remove_row(state, row_id("alpha"), rules(), k_start);
    advance_resting(state, {port(100), port(107)}, rules(), after_start(1000));
    CHECK(state.resting.at(port(100)).free_at == std::nullopt);
    advance_resting(state, {port(100)}, rules(), after_start(500'000));
    CHECK(state.resting.at(port(100)).free_at == std::nullopt);
    advance_resting(state, {port(107)}, rules(), after_start(600'000));
    CHECK(state.resting.at(port(100)).free_at == k_start.monotonic + MonotonicTime{720'000});
    CHECK(state.resting.at(port(100)).until == k_unix + UnixTime{720});
}

TEST_CASE("a rest ends on time and is not begun again meanwhile") {
    auto state = resting_since_start();
    advance_resting(state, {}, rules(), after_start(60'000));
    CHECK(state.resting.at(port(100)).free_at == k_start.monotonic + MonotonicTime{120'000});
    advance_resting(state, {}, rules(), after_start(119'999));
    CHECK(state.resting.size() == 1);
    advance_resting(state, {}, rules(), after_start(120'000));
    CHECK(state.resting.empty());
}

TEST_CASE("a rest runs on the monotonic clock") {
    const auto stepped = GENERATE(UnixTime{-1'000'000}, UnixTime{1'000'000});
    auto state = resting_since_start();
    auto now = after_start(119'999);
    now.unix += stepped;
    advance_resting(state, {}, rules(), now);
    CHECK(state.resting.size() == 1);
    now.monotonic += MonotonicTime{1};
    advance_resting(state, {}, rules(), now);
    CHECK(state.resting.empty());
}

TEST_CASE("each port rests for itself") {
    auto state = state_of(
        {{row_id("alpha"), row("alpha.example", 100)}, {row_id("first"), row("first.lan", 101)}});
    remove_row(state, row_id("alpha"), rules(), k_start);
    remove_row(state, row_id("first"), rules(), k_start);
    advance_resting(state, {port(101)}, rules(), k_start);
    advance_resting(state, {}, rules(), after_start(100'000));
    advance_resting(state, {}, rules(), after_start(120'000));
    CHECK(state.resting.size() == 1);
    CHECK(state.resting.count(port(101)) == 1);
}

TEST_CASE("rows somebody vouches for are no orphans") {
    const auto state = state_of({{row_id("alpha"), row("alpha.example", 100)},
                                 {row_id("first"), row("elsewhere.lan", 101)},
                                 {row_id("acme"), row("acme.example", 102)},
                                 {row_id("acme.a"), row("a.acme.test", 103)}});
    CHECK(find_orphans(state, rules()).empty());
}

TEST_CASE("a tenant without a sound token is refused, but keeps its rows") {
    auto state = state_of({{row_id("alpha"), row("alpha.example", 100)},
                           {row_id("acme.a"), row("a.acme.test", 101)}});
    state.roster.at(label("alpha")).token.reset();
    state.roster.at(label("acme")).token.reset();
    CHECK(find_orphans(state, rules()).empty());
}

TEST_CASE("rows nobody vouches for are orphans") {
    struct Case {
        const char* id;
        const char* host;
    };
    const auto sample =
        GENERATE(Case{"gone", "gone.example"},       // its tenant is in no list
                 Case{"gone.a", "a.acme.test"},      // nor is its spoke
                 Case{"alpha.a", "a.acme.test"},     // its spoke has no zone, or no longer
                 Case{"first.a", "a.acme.test"},     // an enrolled box is no spoke
                 Case{"acme.a", "a.elsewhere.test"}, // the spoke's zone is another now
                 Case{"acme.a", "b.a.acme.test"},    // not one label under it
                 Case{"acme.a", "acme.test"},        // the zone itself
                 Case{"acme.www", "www.acme.test"}); // reserved meanwhile
    CAPTURE(sample.id, sample.host);
    const auto state = state_of({{row_id(sample.id), row(sample.host, 100)},
                                 {row_id("acme.sound"), row("sound.acme.test", 101)}});
    CHECK(find_orphans(state, rules()) == std::vector<RowId>{row_id(sample.id)});
}

TEST_CASE("an enrolled box whose name is reserved by now is dropped, a listed one is not") {
    const auto state = state_of(
        {{row_id("alpha"), row("alpha.example", 100)}, {row_id("first"), row("first.lan", 101)}});
    auto reserving = rules();
    reserving.reserved = {name("alpha.example"), name("first.lan")};
    CHECK(find_orphans(state, reserving) == std::vector<RowId>{row_id("first")});
}

TEST_CASE("why a row is an orphan is said by what it was") {
    const auto state = state_of({});
    CHECK(explain_orphan(state, row_id("gone")) == "it is neither listed nor enrolled any more");
    CHECK(explain_orphan(state, row_id("first")) == "its hostname is reserved by now");
    CHECK(explain_orphan(state, row_id("acme.a")) == "its gateway may not bring it any more");
    CHECK(explain_orphan(state, row_id("gone.a")) == "its gateway may not bring it any more");
}

TEST_CASE("a direct row follows the hostname of the roster, a relayed one does not") {
    auto state = state_of({{row_id("alpha"), row("before.example", 100)},
                           {row_id("first"), row("before.lan", 101)},
                           {row_id("acme.alpha"), row("alpha.acme.test", 102)},
                           {row_id("gone"), row("gone.example", 103)}});
    follow_roster_hostnames(state);
    CHECK(state.rows == Rows{{row_id("alpha"), row("alpha.example", 100)},
                             {row_id("first"), row("first.lan", 101)},
                             {row_id("acme.alpha"), row("alpha.acme.test", 102)},
                             {row_id("gone"), row("gone.example", 103)}});
}

TEST_CASE("a port that Traefik's file still leads to rests although the registry forgot it") {
    EdgeState state;
    state.rows = {{row_id("alpha"), row("alpha.example", 100)}};
    state.resting = {{port(101), Resting{row_id("beta"), k_unix, k_start.monotonic}}};
    rest_forgotten(state,
                   {{port(100), row_id("first")},
                    {port(101), row_id("first")},
                    {port(102), row_id("first")},
                    {port(110), row_id("outside")}},
                   rules(), k_start);
    REQUIRE(state.resting.size() == 2);
    CHECK(state.resting.at(port(101)).id == row_id("beta"));
    CHECK(state.resting.at(port(102)).id == row_id("first"));
    CHECK(state.resting.at(port(102)).free_at == std::nullopt);
    CHECK(state.resting.at(port(102)).until == k_unix + UnixTime{120});
}
