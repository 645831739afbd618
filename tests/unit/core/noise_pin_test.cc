#include "core/noise_pin.h"

#include "support/catch.h"

#include <string>
#include <vector>

using namespace losos;

namespace {

const std::string k_one = "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=";
const std::string k_other = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";

NoiseKey key(const std::string& text) {
    return *NoiseKey::parse(text);
}

struct Case {
    const char* name;
    std::optional<NoiseKey> pin;
    std::optional<EdgeAnswer> key_answer;
    std::optional<EdgeAnswer> health;
    NoiseVerdict verdict;
    std::optional<NoiseKey> used;
};

} // namespace

TEST_CASE("the verdict on an edge's Noise key follows pin and answers") {
    const auto pin = key(k_one);
    const EdgeAnswer same{200, k_one + "\n"};
    const EdgeAnswer other{200, k_other};
    const EdgeAnswer none{404, "no key here"};
    const EdgeAnswer healthy{200, "ok\n"};
    const std::vector<Case> table = {
        {"first contact", {}, same, {}, NoiseVerdict::pin_now, pin},
        {"the same key", pin, same, {}, NoiseVerdict::same, pin},
        {"another key", pin, other, {}, NoiseVerdict::changed, pin},
        {"a pinned edge without a key", pin, none, {}, NoiseVerdict::changed, pin},
        {"a pinned edge without a key, healthy", pin, none, healthy, NoiseVerdict::changed, pin},
        {"no key and healthy", {}, none, healthy, NoiseVerdict::plain, {}},
        {"no key and silent", {}, none, {}, NoiseVerdict::no_answer, {}},
        {"no key, and ill", {}, none, EdgeAnswer{503, "ok"}, NoiseVerdict::no_answer, {}},
        {"no key, and a portal", {}, none, EdgeAnswer{200, "<html>"}, NoiseVerdict::no_answer, {}},
        {"silence at first", {}, {}, {}, NoiseVerdict::no_answer, {}},
        {"silence later", pin, {}, {}, NoiseVerdict::no_answer, pin},
        {"a portal at first", {}, EdgeAnswer{200, "<html>"}, {}, NoiseVerdict::no_answer, {}},
        {"a portal later", pin, EdgeAnswer{200, "<html>"}, {}, NoiseVerdict::no_answer, pin},
        {"ill at first", {}, EdgeAnswer{503, k_one}, {}, NoiseVerdict::no_answer, {}},
        {"ill later", pin, EdgeAnswer{503, k_other}, {}, NoiseVerdict::no_answer, pin},
        {"a redirect", pin, EdgeAnswer{302, k_other}, {}, NoiseVerdict::no_answer, pin},
    };
    for (const auto& one : table) {
        CAPTURE(one.name);
        const auto judgement = judge_noise_key(one.pin, one.key_answer, one.health);
        CHECK(judgement.verdict == one.verdict);
        CHECK((judgement.key == one.used));
    }
}

TEST_CASE("health is asked only about a 404 without a pin") {
    CHECK(needs_health({}, EdgeAnswer{404, ""}));
    CHECK_FALSE(needs_health(key(k_one), EdgeAnswer{404, ""}));
    CHECK_FALSE(needs_health({}, EdgeAnswer{200, k_one}));
    CHECK_FALSE(needs_health({}, {}));
}
