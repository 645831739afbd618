#include "core/uplink_plan.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <string>

using namespace losos;
using namespace losos::make;

namespace {

constexpr Duration k_ttl = std::chrono::seconds(120);
constexpr MonotonicTime k_now = std::chrono::hours(1);

RegistrarPulse pulse(Duration age) {
    return {"this-boot", k_now - age, k_ttl};
}

LiveBox live(std::string_view id, int number) {
    return {label(id), name(std::string(id) + ".acme.losos.cfd"), port(number), std::nullopt};
}

AcceptedBox accepted(std::string_view id) {
    return {label(id), name(std::string(id) + ".acme.losos.cfd"), port(29999)};
}

/// Services as `id port` texts.
std::vector<std::string> texts(const std::vector<RatholeClientService>& services) {
    std::vector<std::string> result;
    for (const auto& service : services) {
        CHECK(service.token.same_as(token('u')));
        result.push_back(service.id.text() + " " + service.local_port.text());
    }
    return result;
}

std::vector<std::string> after(const std::vector<LiveBox>& sent,
                               const std::vector<AcceptedBox>& boxes) {
    return texts(services_after_answer(label("acme"), token('u'), sent, {boxes, {}, {}}));
}

std::vector<std::string> without(const std::vector<LiveBox>& boxes,
                                 const std::vector<RowId>& kept) {
    return texts(services_without_answer(label("acme"), token('u'), boxes, kept));
}

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("a list is sent only beside a living registrar of this boot") {
    const auto judge = [](bool there, const std::optional<RegistrarPulse>& its_pulse) {
        return judge_live_list(there, its_pulse, "this-boot", k_now);
    };
    CHECK(judge(true, pulse(Duration{0})) == LiveVerdict::fresh);
    CHECK(judge(true, pulse(k_ttl)) == LiveVerdict::fresh);
    CHECK(judge(true, pulse(k_ttl + Duration{1})) == LiveVerdict::stale);
    CHECK(judge(true, pulse(Duration{-5000})) == LiveVerdict::fresh);
    CHECK(judge(true, pulse(Duration{-5001})) == LiveVerdict::stale);
    CHECK(judge(false, pulse(Duration{0})) == LiveVerdict::no_list);
    CHECK(judge(true, std::nullopt) == LiveVerdict::no_status);
    CHECK(judge_live_list(true, pulse(Duration{0}), "other-boot", k_now) ==
          LiveVerdict::other_boot);
    CHECK(judge_live_list(true, pulse(k_ttl * 2), "other-boot", k_now) == LiveVerdict::other_boot);
}

TEST_CASE("the first 64 boxes are sent and the rest named, in their order") {
    const auto count = GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{64}, std::size_t{65},
                                std::size_t{100});
    std::vector<LiveBox> boxes;
    for (std::size_t i = 0; i < count; ++i) {
        boxes.push_back(live("box" + std::to_string(i), 20000 + static_cast<int>(i)));
    }
    const auto selection = select_for_relay(boxes);
    CHECK(selection.sent.size() == std::min<std::size_t>(count, 64));
    auto joined = selection.sent;
    joined.insert(joined.end(), selection.left_out.begin(), selection.left_out.end());
    CHECK(joined == boxes);
}

TEST_CASE("only accepted boxes get a tunnel, on the port they have here") {
    CHECK(after({live("b", 2), live("a", 1), live("c", 3)}, {accepted("b"), accepted("a")}) ==
          Texts{"acme.a 1", "acme.b 2"});
    CHECK(after({live("a", 1)}, {}).empty());
}

TEST_CASE("a box the hub accepts unasked gets no tunnel") {
    CHECK(after({live("a", 1)}, {accepted("a"), accepted("z")}) == Texts{"acme.a 1"});
    CHECK(after({}, {accepted("z")}).empty());
}

TEST_CASE("without an answer boxes that are gone go and ports follow") {
    CHECK(without({live("a", 7), live("b", 2)}, {row_id("acme.a"), row_id("acme.gone")}) ==
          Texts{"acme.a 7"});
}

TEST_CASE("without an answer nothing is added") {
    CHECK(without({live("a", 1), live("b", 2)}, {}).empty());
}

TEST_CASE("tunnels of another gateway's name are not kept") {
    CHECK(without({live("a", 1)}, {row_id("old.a"), row_id("a")}).empty());
}
