#include "core/announce_machine.h"

#include "support/catch.h"

using namespace losos;

namespace {

constexpr Duration k_interval{30000};
constexpr double k_full = 1;

MonotonicTime at(long long ms) {
    return MonotonicTime{ms};
}

HttpUrl url(const char* text) {
    return *HttpUrl::parse(text);
}

AnnounceMachine machine() {
    return AnnounceMachine(url("http://gateway.local:8443"), k_interval, at(0));
}

AnnounceMachine registered_machine() {
    auto box = machine();
    box.answered(200, at(0), k_full);
    return box;
}

} // namespace

TEST_CASE("a box registers at once, then heartbeats at every interval") {
    auto box = machine();
    CHECK(box.next_call() == AnnounceCall::register_box);
    CHECK(box.due() == at(0));

    auto step = box.answered(200, at(10), k_full);
    CHECK(step.call == AnnounceCall::register_box);
    CHECK(step.reply == AnnounceReply::taken);
    CHECK(step.news);
    CHECK(box.next_call() == AnnounceCall::heartbeat);
    CHECK(box.due() == at(30010));

    step = box.answered(204, at(30011), k_full);
    CHECK(step.reply == AnnounceReply::taken);
    CHECK_FALSE(step.news);
    CHECK(box.due() == at(60011));
}

TEST_CASE("a heartbeat's 404 registers again at once, and a register's 404 is odd") {
    auto box = registered_machine();
    const auto step = box.answered(404, at(30000), k_full);
    CHECK(step.reply == AnnounceReply::unregistered);
    CHECK(step.news);
    CHECK_FALSE(step.refusal);
    CHECK(box.next_call() == AnnounceCall::register_box);
    CHECK(box.due() == at(30000));

    CHECK(box.answered(404, at(30001), k_full).reply == AnnounceReply::odd);
    CHECK(box.due() == at(90001));
}

TEST_CASE("a refusal is said once, noted every time and retried every minute") {
    for (const int status : {401, 403, 409}) {
        CAPTURE(status);
        auto box = registered_machine();
        auto step = box.answered(status, at(30000), k_full);
        CHECK(step.reply == AnnounceReply::refused);
        CHECK(step.news);
        CHECK(step.refusal == status);
        CHECK(box.next_call() == AnnounceCall::register_box);
        CHECK(box.due() == at(90000));

        step = box.answered(status, at(90000), k_full);
        CHECK_FALSE(step.news);
        CHECK(step.refusal == status);
        CHECK(box.due() == at(150000));
    }
}

TEST_CASE("another refusal than the last one is said too") {
    auto box = machine();
    CHECK(box.answered(401, at(0), k_full).news);
    CHECK(box.answered(409, at(60000), k_full).news);
    CHECK_FALSE(box.answered(409, at(120000), k_full).news);
    CHECK(box.answered(200, at(180000), k_full).news);
}

TEST_CASE("silence backs off to thirty seconds and is no refusal") {
    auto box = registered_machine();
    long long now = 30000;
    for (const long long pause : {1000, 2000, 4000, 8000, 16000, 30000, 30000}) {
        const auto step = box.answered(std::nullopt, at(now), k_full);
        CHECK(step.reply == AnnounceReply::silent);
        CHECK(step.news == (pause == 1000));
        CHECK_FALSE(step.refusal);
        CHECK(box.due() == at(now + pause));
        CHECK(box.next_call() == AnnounceCall::heartbeat);
        now += pause;
    }
    CHECK(box.answered(204, at(now), k_full).news);
    CHECK(box.due() == at(now) + k_interval);
    box.answered(std::nullopt, at(now), k_full);
    CHECK(box.due() == at(now + 1000));
}

TEST_CASE("nothing but 503 for thirty seconds is a refusal") {
    auto box = machine();
    CHECK_FALSE(box.answered(503, at(0), k_full).refusal);
    CHECK_FALSE(box.answered(503, at(29999), k_full).refusal);
    CHECK(box.answered(503, at(30000), k_full).refusal == 503);
    CHECK(box.answered(503, at(60000), k_full).refusal == 503);
}

TEST_CASE("anything else in between begins the thirty seconds anew") {
    for (const auto& other : {std::optional<int>(), std::optional<int>(204),
                              std::optional<int>(502), std::optional<int>(404)}) {
        auto box = machine();
        box.answered(503, at(0), k_full);
        CHECK_FALSE(box.answered(other, at(20000), k_full).refusal);
        CHECK_FALSE(box.answered(503, at(31000), k_full).refusal);
        CHECK(box.answered(503, at(61000), k_full).refusal == 503);
    }
}

TEST_CASE("another edge is registered with at once and begins with a clean slate") {
    auto box = machine();
    box.answered(503, at(0), k_full);
    box.answered(503, at(20000), k_full);
    box.aim_at(url("https://edge.losos.example"), at(25000));
    CHECK(box.next_call() == AnnounceCall::register_box);
    CHECK(box.due() == at(25000));
    const auto step = box.answered(503, at(31000), k_full);
    CHECK(step.news);
    CHECK_FALSE(step.refusal);
    CHECK(box.due() == at(32000));
}

TEST_CASE("the same edge again changes nothing") {
    auto box = registered_machine();
    box.aim_at(url("http://GATEWAY.local:8443/"), at(5));
    CHECK(box.next_call() == AnnounceCall::heartbeat);
    CHECK(box.due() == at(30000));
}

TEST_CASE("any other status is said once and retried every minute, but noted nowhere") {
    for (const int status : {302, 400, 405, 413}) {
        CAPTURE(status);
        auto box = machine();
        auto step = box.answered(status, at(0), k_full);
        CHECK(step.reply == AnnounceReply::odd);
        CHECK(step.news);
        CHECK_FALSE(step.refusal);
        CHECK(box.due() == at(60000));
        CHECK_FALSE(box.answered(status, at(60000), k_full).news);
    }
}
