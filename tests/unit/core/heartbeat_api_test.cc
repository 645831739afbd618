#include "core/heartbeat_api.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <string>

using namespace losos;
using namespace losos::make;

TEST_CASE("a heartbeat may say whether the box is idle") {
    const auto idle_of = [](const std::string& rest) {
        return sound(parse_heartbeat_call(R"({"appliance_id": "i", "token": "t")" + rest + "}"))
            .idle;
    };
    CHECK(idle_of("") == std::nullopt);
    CHECK(idle_of(R"(, "idle": null)") == std::nullopt);
    CHECK(idle_of(R"(, "idle": true)") == true);
    CHECK(idle_of(R"(, "idle": false)") == false);
}

TEST_CASE("a heartbeat that lacks a field or has a wrong type names the field") {
    struct Case {
        const char* body;
        const char* field;
    };
    const auto sample = GENERATE(
        Case{R"({"token": "secret"})", "appliance_id"}, Case{R"({"appliance_id": "i"})", "token"},
        Case{R"({"appliance_id": "i", "token": 5})", "token"},
        Case{R"({"appliance_id": "i", "token": "secret", "idle": "yes"})", "idle"},
        Case{R"({"appliance_id": "i", "token": "secret", "idle": 1})", "idle"});
    const auto parsed = parse_heartbeat_call(sample.body);
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().what.find(sample.field) != std::string::npos);
    CHECK(parsed.error().what.find("secret") == std::string::npos);
}

TEST_CASE("a rendered heartbeat is read back the same") {
    const auto idle =
        GENERATE(std::optional<bool>{}, std::optional<bool>{true}, std::optional<bool>{false});
    const HeartbeatCall call{"mattbox", "t\n", idle,
                             PassUpdate{PassUpdate::What::clear, std::nullopt}};
    const auto back = sound(parse_heartbeat_call(render_heartbeat_call(call)));
    CHECK(back.appliance_id == call.appliance_id);
    CHECK(back.token == call.token);
    CHECK(back.idle == call.idle);
    CHECK(back.relay_pass == call.relay_pass);
}

TEST_CASE("a deregister call is an id and a token") {
    const auto call = sound(parse_deregister_call(render_deregister_call({"mattbox", "t"})));
    CHECK(call.appliance_id == "mattbox");
    CHECK(call.token == "t");
    const auto* bad = GENERATE("", "{}", "[]", R"({"appliance_id": "i"})", R"({"token": "t"})",
                               R"({"appliance_id": "i", "token": false})");
    CHECK_FALSE(parse_deregister_call(bad).has_value());
}
