#include "core/box_view.h"

#include "unit/core/make_domains.h"

#include "core/domains_api.h"

#include "support/catch.h"

using namespace losos;
using namespace losos::make;

namespace {

std::string entry(std::string_view domain, std::string_view status) {
    return R"({"domain":")" + std::string(domain) + R"(","status":")" + std::string(status) +
           R"("})";
}

std::string with_domains(const std::string& entries) {
    return R"({"domains":[)" + entries + "]}";
}

} // namespace

TEST_CASE("a box takes the live domains and the pass out of its view") {
    DomainsView view;
    view.domains = {{.domain = domain("cloud.example.org"),
                     .status = ClaimStatus::live,
                     .txt_name = "a",
                     .txt_value = "b",
                     .problem = std::nullopt,
                     .checked_at = std::nullopt,
                     .verified_at = std::nullopt},
                    {.domain = domain("www.example.net"),
                     .status = ClaimStatus::waiting,
                     .txt_name = "a",
                     .txt_value = "b",
                     .problem = DomainProblem::txt_missing,
                     .checked_at = std::nullopt,
                     .verified_at = std::nullopt}};
    CHECK(sound(parse_box_view(render_domains_view(view))) ==
          BoxView{{domain("cloud.example.org")}, std::nullopt});
    view.relay_pass = pass("500000");
    CHECK(sound(parse_box_view(render_domains_view(view))).pass == pass("500000"));
}

TEST_CASE("what a box does not need of its view may be anything") {
    CHECK(sound(parse_box_view(
              R"({"domains":[],"addresses":7,"eligible":[],"relay_pass":null})")) == BoxView{});
    const auto view = sound(parse_box_view(
        R"({"domains":[{"domain":"Cloud.Example.org.","status":"live","checked_at":"noon"},)"
        R"({"domain":"*","status":"parked"}]})"));
    CHECK(view.live == std::vector{domain("cloud.example.org")});
}

TEST_CASE("a view with a field of another kind is no view") {
    const auto* const text = GENERATE(
        "", "[]", "null", R"({})", R"({"domains":null})", R"({"domains":{}})", R"({"domains":[7]})",
        R"({"domains":[{"domain":"a.b"}]})", R"({"domains":[{"status":"live"}]})",
        R"({"domains":[{"domain":7,"status":"waiting"}]})",
        R"({"domains":[{"domain":"a.b","status":1}]})",
        R"({"domains":[{"domain":"localhost","status":"live"}]})",
        R"({"domains":[{"domain":"*.a.b","status":"live"}]})",
        R"({"domains":[{"domain":"192.0.2.7","status":"live"}]})",
        R"({"domains":[],"relay_pass":7})", R"({"domains":[],"relay_pass":""})",
        R"({"domains":[],"relay_pass":"v1.500000.00"})", R"({"domains":[]} and more)");
    CAPTURE(text);
    CHECK_FALSE(parse_box_view(text).has_value());
}

TEST_CASE("a hundred domains are a view, and one more are none") {
    std::string entries = entry("d.example.org", "live");
    for (std::size_t count = 1; count < k_view_domains_max; ++count) {
        entries += "," + entry("d" + std::to_string(count) + ".example.org", "live");
    }
    CHECK(sound(parse_box_view(with_domains(entries))).live.size() == k_view_domains_max);
    CHECK_FALSE(parse_box_view(with_domains(entries + "," + entry("e.example.org", "waiting")))
                    .has_value());
}

TEST_CASE("the live domains of a view come in the order of their names, each once") {
    const auto view = sound(
        parse_box_view(with_domains(entry("b.example", "live") + "," + entry("a.example", "live") +
                                    "," + entry("B.example.", "live"))));
    CHECK(view.live == std::vector{domain("a.example"), domain("b.example")});
}

TEST_CASE("what is wrong with a view is said without its content") {
    const auto* const text = GENERATE(R"({"domains":[{"domain":"geheim","status":"live"}]})",
                                      R"({"domains":[],"relay_pass":"v1.500000.geheim"})");
    const auto view = parse_box_view(text);
    REQUIRE_FALSE(view.has_value());
    CHECK(view.error().what.find("(byte ") != std::string::npos);
    CHECK(view.error().what.find("geheim") == std::string::npos);
}
