#include "core/view_machine.h"

#include "unit/core/make.h"

#include "support/catch.h"

using namespace losos;
using namespace losos::make;

namespace {

constexpr double k_none = 0;
constexpr double k_full = 1;
constexpr MonotonicTime k_start{1'000'000};

MonotonicTime after(Duration duration) {
    return k_start + duration;
}

ViewMachine official_machine(EarlierPass earlier = EarlierPass::none) {
    ViewMachine machine(earlier, k_start);
    machine.hub_is_official(true);
    return machine;
}

/// Asked and answered at the start.
ViewMachine answered_machine(ViewReply reply, double jitter = k_full,
                             PassFate fate = PassFate::kept) {
    auto machine = official_machine();
    machine.asked(k_start);
    machine.answered(reply, fate, k_start, jitter);
    return machine;
}

} // namespace

TEST_CASE("a hub is asked as soon as it is official, and never before") {
    ViewMachine machine(EarlierPass::none, k_start);
    CHECK_FALSE(machine.should_ask(after(k_view_period)));
    CHECK_FALSE(machine.due());
    machine.hub_is_official(true);
    CHECK(machine.due() == k_start);
    CHECK(machine.should_ask(k_start));
    machine.hub_is_official(false);
    CHECK_FALSE(machine.should_ask(after(k_view_period)));
}

TEST_CASE("a hub that answered is asked again two minutes later, whatever it said") {
    const auto reply =
        GENERATE(ViewReply::shown, ViewReply::refused, ViewReply::odd, ViewReply::no_token);
    const auto machine = answered_machine(reply, k_none);
    CHECK_FALSE(machine.should_ask(after(k_view_period - Duration(1))));
    CHECK(machine.should_ask(after(k_view_period)));
    CHECK(machine.due() == after(k_view_period));
}

TEST_CASE("boxes that a hub could not answer come back spread over a minute") {
    const auto reply = GENERATE(ViewReply::unavailable, ViewReply::silent, ViewReply::unproven);
    CHECK(answered_machine(reply, k_none).due() == after(k_view_period / 2));
    CHECK(answered_machine(reply, k_full).due() == after(k_view_period));
    CHECK(answered_machine(reply, 7).due() == after(k_view_period));
}

TEST_CASE("a changed path asks at once, but not more often than every five seconds") {
    auto machine = answered_machine(ViewReply::shown);
    machine.path_changed();
    CHECK(machine.due() == after(k_view_pause));
    machine.asked(after(k_view_pause));
    machine.answered(ViewReply::shown, PassFate::kept, after(k_view_pause), k_full);
    CHECK(machine.due() == after(k_view_pause + k_view_period));
}

TEST_CASE("a changed path puts off nothing that is due anyway") {
    auto machine = official_machine();
    machine.path_changed();
    CHECK(machine.should_ask(k_start));
    machine = answered_machine(ViewReply::shown);
    machine.asked(after(k_view_period));
    machine.answered(ViewReply::shown, PassFate::kept, after(k_view_period), k_full);
    machine.path_changed();
    CHECK(machine.due() == after(k_view_period + k_view_pause));
}

TEST_CASE("one request at a time: a path that changes meanwhile asks once more after it") {
    auto machine = official_machine();
    machine.asked(k_start);
    CHECK_FALSE(machine.should_ask(after(k_view_period)));
    CHECK_FALSE(machine.due());
    machine.path_changed();
    machine.path_changed();
    CHECK_FALSE(machine.should_ask(after(k_view_period)));
    const auto answer = after(Duration(4000));
    machine.answered(ViewReply::shown, PassFate::kept, answer, k_full);
    CHECK(machine.due() == after(k_view_pause));
    machine.asked(after(k_view_pause));
    machine.answered(ViewReply::shown, PassFate::kept, after(k_view_pause), k_full);
    CHECK(machine.due() == after(k_view_pause + k_view_period));
}

TEST_CASE("a path that changes while the hub is not official is not forgotten") {
    auto machine = answered_machine(ViewReply::shown);
    machine.hub_is_official(false);
    machine.path_changed();
    CHECK_FALSE(machine.due());
    machine.hub_is_official(true);
    CHECK(machine.due() == after(k_view_pause));
}

TEST_CASE("only a view changes the pass") {
    CHECK(fate_of_pass(ViewReply::shown, pass("500000")) == PassFate::replaced);
    CHECK(fate_of_pass(ViewReply::shown, std::nullopt) == PassFate::dropped);
    const auto other = GENERATE(ViewReply::refused, ViewReply::unavailable, ViewReply::silent,
                                ViewReply::unproven, ViewReply::odd, ViewReply::no_token);
    CHECK(fate_of_pass(other, pass("500000")) == PassFate::kept);
}

TEST_CASE("a pass that is not replaced lapses once, three hours after it came") {
    auto machine = answered_machine(ViewReply::shown, k_full, PassFate::replaced);
    CHECK_FALSE(machine.take_lapse(after(k_pass_kept - Duration(1))));
    machine.hub_is_official(false);
    CHECK(machine.due() == after(k_pass_kept));
    CHECK(machine.take_lapse(after(k_pass_kept)));
    CHECK_FALSE(machine.take_lapse(after(k_pass_kept)));
    CHECK_FALSE(machine.due());
}

TEST_CASE("an answer that is no view does not make a pass last longer, and a new pass does") {
    auto machine = answered_machine(ViewReply::shown, k_full, PassFate::replaced);
    machine.answered(ViewReply::silent, PassFate::kept, after(k_view_period), k_full);
    CHECK(machine.take_lapse(after(k_pass_kept)));
    machine.answered(ViewReply::shown, PassFate::replaced, after(k_view_period), k_full);
    CHECK_FALSE(machine.take_lapse(after(k_pass_kept)));
    CHECK(machine.take_lapse(after(k_view_period + k_pass_kept)));
}

TEST_CASE("a pass of an earlier run lasts three hours from the start, and a dropped one is gone") {
    auto machine = official_machine(EarlierPass::left);
    CHECK(machine.due() == k_start);
    CHECK_FALSE(machine.take_lapse(after(k_pass_kept - Duration(1))));
    CHECK(machine.take_lapse(after(k_pass_kept)));
    machine = official_machine(EarlierPass::left);
    machine.answered(ViewReply::shown, PassFate::dropped, k_start, k_full);
    CHECK_FALSE(machine.take_lapse(after(k_pass_kept)));
    CHECK_FALSE(official_machine().take_lapse(after(k_pass_kept)));
}

TEST_CASE("an answer is a view only with 200 and a sound body") {
    const Result<BoxView> view = BoxView{};
    const Result<BoxView> none = Error{Errc::failed, "nonsense"};
    CHECK(classify_view(200, view) == ViewReply::shown);
    CHECK(classify_view(200, none) == ViewReply::odd);
    CHECK(classify_view(201, view) == ViewReply::odd);
    for (const int status : {301, 302, 400, 404, 405}) {
        CHECK(classify_view(status, view) == ViewReply::odd);
    }
    for (const int status : {401, 403, 409}) {
        CHECK(classify_view(status, view) == ViewReply::refused);
    }
    for (const int status : {429, 500, 502, 503}) {
        CHECK(classify_view(status, none) == ViewReply::unavailable);
    }
}
