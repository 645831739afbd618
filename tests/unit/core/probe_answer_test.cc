#include "core/probe_answer.h"

#include "support/catch.h"

using namespace losos;

namespace {

const std::string k_key = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
const std::string k_other_key = "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=";
const EdgeAnswer k_ok{200, "ok"};

std::optional<NoiseKey> pin(const std::string& text) {
    return *NoiseKey::parse(text);
}

} // namespace

TEST_CASE("core/probe_answer: health is 200 with the body ok, and nothing else") {
    CHECK(judge_health(k_ok) == ProbeResult::ok);
    CHECK(judge_health({200, "ok\n"}) == ProbeResult::ok);
    for (const EdgeAnswer& odd :
         {EdgeAnswer{200, ""}, EdgeAnswer{200, "okay"}, EdgeAnswer{200, "<html>ok</html>"},
          EdgeAnswer{204, "ok"}, EdgeAnswer{302, "ok"}, EdgeAnswer{500, "ok"}}) {
        CHECK(judge_health(odd) == ProbeResult::wrong_answer);
    }
}

TEST_CASE("core/probe_answer: an edge with another key than the pinned one is not that edge") {
    CHECK(judge_probed_key(std::nullopt, {200, k_key}, k_ok) == ProbeResult::ok);
    CHECK(judge_probed_key(pin(k_key), {200, k_key + "\n"}, k_ok) == ProbeResult::ok);
    CHECK(judge_probed_key(pin(k_key), {200, k_other_key}, k_ok) == ProbeResult::wrong_key);
    CHECK(judge_probed_key(pin(k_key), {404, ""}, k_ok) == ProbeResult::wrong_key);
}

TEST_CASE("core/probe_answer: an edge without Noise is one, an edge that hides its key is none") {
    CHECK(judge_probed_key(std::nullopt, {404, ""}, k_ok) == ProbeResult::ok);
    CHECK(judge_probed_key(std::nullopt, {500, ""}, k_ok) == ProbeResult::wrong_answer);
    CHECK(judge_probed_key(pin(k_key), {503, "busy"}, k_ok) == ProbeResult::wrong_answer);
    CHECK(judge_probed_key(std::nullopt, {200, "no key"}, k_ok) == ProbeResult::wrong_answer);
}
