#include "core/register_api.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <string>

using namespace losos;
using namespace losos::make;

TEST_CASE("a register call is read field by field") {
    const auto call = sound(parse_register_call(
        R"({"appliance_id": "mattbox", "token": "t", "hostname": "H.example", "new": [1]})"));
    CHECK(call.appliance_id == "mattbox");
    CHECK(call.token == "t");
    CHECK(call.hostname == "H.example");
    CHECK(call.relay_pass == PassUpdate{});
}

TEST_CASE("empty texts pass the reading: the rules refuse them") {
    CHECK(parse_register_call(R"({"appliance_id": "", "token": "", "hostname": ""})").has_value());
}

TEST_CASE("a register call that lacks a field or has a wrong type names the field") {
    struct Case {
        const char* body;
        const char* field;
    };
    const auto sample =
        GENERATE(Case{R"({"token": "secret", "hostname": "h"})", "appliance_id"},
                 Case{R"({"appliance_id": "i", "hostname": "h"})", "token"},
                 Case{R"({"appliance_id": "i", "token": "secret"})", "hostname"},
                 Case{R"({"appliance_id": 7, "token": "secret", "hostname": "h"})", "appliance_id"},
                 Case{R"({"appliance_id": "i", "token": ["secret"], "hostname": "h"})", "token"},
                 Case{R"({"appliance_id": "i", "token": "secret", "hostname": null})", "hostname"});
    const auto parsed = parse_register_call(sample.body);
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().what.find(sample.field) != std::string::npos);
    CHECK(parsed.error().what.find("secret") == std::string::npos);
}

TEST_CASE("what is no JSON object is no register call") {
    const auto* body = GENERATE("", "x", "[]", "null", "7", R"("text")", "{", R"({"token")");
    CHECK_FALSE(parse_register_call(body).has_value());
}

TEST_CASE("an odd pass does not spoil a register call") {
    const auto call = sound(parse_register_call(
        R"({"appliance_id": "i", "token": "t", "hostname": "h", "relay_pass": {"a": 1}})"));
    CHECK(call.relay_pass.what == PassUpdate::What::clear);
}

TEST_CASE("a rendered register call is read back the same") {
    const RegisterCall call{"mattbox", "a\"b\\c\xc3\xbc", "mattbox.acme.losos.cfd",
                            PassUpdate{PassUpdate::What::set, pass("483000")}};
    const auto back = sound(parse_register_call(render_register_call(call)));
    CHECK(back.appliance_id == call.appliance_id);
    CHECK(back.token == call.token);
    CHECK(back.hostname == call.hostname);
    CHECK(back.relay_pass == call.relay_pass);
}

TEST_CASE("a register answer carries the port") {
    CHECK(sound(parse_register_answer(render_register_answer(port(20000)))) == port(20000));
    CHECK(sound(parse_register_answer(R"({"rathole_port": 1, "more": {}})")) == port(1));
    const auto* bad = GENERATE("", "{}", "[]", R"({"rathole_port": 0})",
                               R"({"rathole_port": 65536})", R"({"rathole_port": "20000"})",
                               R"({"rathole_port": 1.5})", R"({"rathole_port": null})");
    CHECK_FALSE(parse_register_answer(bad).has_value());
}
