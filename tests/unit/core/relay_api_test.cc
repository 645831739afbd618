#include "core/relay_api.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <string>

using namespace losos;
using namespace losos::make;

namespace {

std::string call_with(const std::string& tenants) {
    return R"({"appliance_id": "acme", "token": "secret", "tenants": )" + tenants + "}";
}

std::string rows(int count, const std::string& row) {
    std::string text = "[";
    for (int i = 0; i < count; ++i) {
        text += (i == 0 ? "" : ",") + row;
    }
    return text + "]";
}

std::string accepted_row(const std::string& id) {
    return R"({"id": ")" + id + R"(", "hostname": "a.acme.losos.cfd", "rathole_port": 20000})";
}

} // namespace

TEST_CASE("a relay call lists boxes with or without a pass") {
    const auto given = pass("483000");
    const auto call = sound(parse_relay_call(
        call_with(R"([{"id": "a", "hostname": "A.z"}, {"id": "b", "hostname": "b.z", "pass": ")" +
                  given.text() + R"(", "more": 1}])")));
    CHECK(call.appliance_id == "acme");
    CHECK(call.token == "secret");
    CHECK(call.tenants == std::vector<RelayedBox>{{"a", "A.z", std::nullopt}, {"b", "b.z", given}});
}

TEST_CASE("a relayed pass of another shape or type counts as absent") {
    const auto* value = GENERATE("null", "7", R"("")", R"("v1.1.ab")", "{}", "[]", "false");
    const auto call = sound(parse_relay_call(
        call_with(std::string(R"([{"id": "a", "hostname": "b", "pass": )") + value + "}]")));
    CHECK(call.tenants.front().pass == std::nullopt);
}

TEST_CASE("a relay call may list no box and odd names: the rules refuse those") {
    CHECK(sound(parse_relay_call(call_with("[]"))).tenants.empty());
    CHECK(parse_relay_call(call_with(R"([{"id": "", "hostname": ""}])")).has_value());
}

TEST_CASE("a relay call lists at most 64 boxes") {
    const std::string row = R"({"id": "a", "hostname": "b"})";
    CHECK(sound(parse_relay_call(call_with(rows(64, row)))).tenants.size() == 64);
    const auto parsed = parse_relay_call(call_with(rows(65, row)));
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().what == "tenants holds more than 64 boxes");
}

TEST_CASE("a relay call that lacks a field or has a wrong type names the field") {
    struct Case {
        std::string body;
        const char* field;
    };
    const auto sample =
        GENERATE(Case{R"({"token": "secret", "tenants": []})", "appliance_id"},
                 Case{R"({"appliance_id": "i", "tenants": []})", "token"},
                 Case{R"({"appliance_id": "i", "token": "secret"})", "tenants"},
                 Case{call_with("{}"), "tenants"}, Case{call_with("null"), "tenants"},
                 Case{call_with(R"(["a"])"), "tenants[0]"}, Case{call_with("[[]]"), "tenants[0]"},
                 Case{call_with(R"([{"id": "a", "hostname": "b"}, {"id": "c"}])"), "tenants[1]"},
                 Case{call_with(R"([{"hostname": "b"}])"), "id"},
                 Case{call_with(R"([{"id": 1, "hostname": "b"}])"), "id"},
                 Case{call_with(R"([{"id": "a", "hostname": {}}])"), "hostname"});
    const auto parsed = parse_relay_call(sample.body);
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().what.find(sample.field) != std::string::npos);
    CHECK(parsed.error().what.find("secret") == std::string::npos);
}

TEST_CASE("the largest legal relay call fits into 64 KiB") {
    RelayCall call{std::string(63, 'i'), std::string(1024, 't'), {}};
    for (int i = 0; i < 64; ++i) {
        call.tenants.push_back(
            {std::string(63, 'b'), std::string(253, 'h'), pass("12345678901234567890")});
    }
    const auto text = render_relay_call(call);
    CHECK(text.size() < 64U * 1024U);
    CHECK(sound(parse_relay_call(text)).tenants == call.tenants);
}

TEST_CASE("a rendered relay answer is read back the same") {
    const RelayAnswer answer{{{label("mattbox"), name("mattbox.acme.losos.cfd"), port(20001)}},
                             {{"other", "the hostname is \"reserved\"\n"}},
                             {{"mattbox", "shop.example"}}};
    const auto back = sound(parse_relay_answer(render_relay_answer(answer)));
    CHECK(back.accepted == answer.accepted);
    CHECK(back.refused == answer.refused);
    CHECK(back.routes == answer.routes);
}

TEST_CASE("a relay answer without routes has none") {
    const auto* rest = GENERATE("", R"(, "routes": null)", R"(, "routes": [])");
    const auto answer =
        sound(parse_relay_answer(std::string(R"({"accepted": [], "refused": [])") + rest + "}"));
    CHECK(answer.routes.empty());
}

TEST_CASE("names in a relay answer are folded") {
    const auto answer = sound(parse_relay_answer(
        R"({"accepted": [{"id": "a", "hostname": "A.Z", "rathole_port": 1}], "refused": [],)"
        R"( "routes": [{"id": "a", "domain": "Shop.Example"}]})"));
    CHECK(answer.accepted.front().hostname == name("a.z"));
    CHECK(answer.routes.front().domain == "shop.example");
}

TEST_CASE("a relay answer with a row that makes no sense fails") {
    const auto accepted = [](const std::string& list) {
        return R"({"accepted": )" + list + R"(, "refused": []})";
    };
    const auto refused = [](const std::string& list) {
        return R"({"accepted": [], "refused": )" + list + "}";
    };
    const auto routes = [](const std::string& list) {
        return R"({"accepted": [], "refused": [], "routes": )" + list + "}";
    };
    const std::string body = GENERATE_COPY(
        std::string(), std::string("[]"), std::string("{}"), std::string(R"({"accepted": []})"),
        std::string(R"({"refused": []})"), accepted("{}"), accepted("[7]"), accepted("[{}]"),
        accepted("[" + accepted_row("A") + "]"), accepted("[" + accepted_row("") + "]"),
        accepted("[" + accepted_row("a.b") + "]"),
        accepted("[" + accepted_row("a") + "," + accepted_row("a") + "]"),
        accepted(R"([{"id": "a", "hostname": "a_b", "rathole_port": 1}])"),
        accepted(R"([{"id": "a", "hostname": "b", "rathole_port": 0}])"),
        accepted(R"([{"id": "a", "hostname": "b", "rathole_port": 70000}])"),
        accepted(R"([{"id": "a", "hostname": "b", "rathole_port": "1"}])"),
        accepted(R"([{"id": "a", "hostname": "b"}])"), refused("null"), refused(R"(["a"])"),
        refused(R"([{"id": "a"}])"), refused(R"([{"id": "a", "reason": 7}])"),
        refused(R"([{"id": "../a", "reason": "r"}])"), routes("7"), routes("[7]"),
        routes(R"([{"id": "a"}])"), routes(R"([{"id": "A", "domain": "b"}])"),
        routes(R"([{"id": "a", "domain": "b c"}])"));
    INFO(body);
    CHECK_FALSE(parse_relay_answer(body).has_value());
}

TEST_CASE("a relay answer names at most 64 boxes a list") {
    std::string accepted = "[";
    for (int i = 0; i < 65; ++i) {
        accepted += (i == 0 ? "" : ",") + accepted_row("box" + std::to_string(i));
    }
    CHECK_FALSE(parse_relay_answer(R"({"accepted": )" + accepted + R"(], "refused": []})"));
    const std::string row = R"({"id": "a", "reason": "r"})";
    CHECK(parse_relay_answer(R"({"accepted": [], "refused": )" + rows(64, row) + "}"));
    CHECK_FALSE(parse_relay_answer(R"({"accepted": [], "refused": )" + rows(65, row) + "}"));
}

TEST_CASE("what stands in the place of a relayed pass is told from none") {
    const auto* row = GENERATE(R"({"id": "a", "hostname": "b", "pass": ""})",
                               R"({"id": "a", "hostname": "b", "pass": 7})",
                               R"({"id": "a", "hostname": "b", "pass": [null]})");
    const auto call = make::sound(parse_relay_call(call_with(std::string("[") + row + "]")));
    CHECK(call.tenants.front().odd_pass);
    CHECK(make::sound(parse_relay_call(render_relay_call(call))).tenants == call.tenants);
    const auto* none = GENERATE(R"({"id": "a", "hostname": "b", "pass": null})",
                                R"({"id": "a", "hostname": "b"})");
    CHECK_FALSE(make::sound(parse_relay_call(call_with(std::string("[") + none + "]")))
                    .tenants.front()
                    .odd_pass);
}
