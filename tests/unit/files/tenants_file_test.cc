#include "files/tenants_file.h"

#include "support/catch.h"
#include "unit/files/scratch_dir.h"

using namespace losos;
using namespace losos::test;

TEST_CASE("files/tenants_file: every field is read, the rows are sorted") {
    const auto list = tenants_file::parse(R"({
        "mattbox": {"hostname": "MattBox.example.org", "token_file": "/secrets/mattbox"},
        "acme": {"hostname": "acme.example.org", "token_file": "acme.token", "cluster": true,
                 "market": true, "relay_zone": "Acme.example.org", "note": "unknown is ignored"}})");
    REQUIRE(list);
    REQUIRE(list->tenants.size() == 2);
    CHECK(list->faulty.empty());

    const ListedTenant& acme = list->tenants[0];
    CHECK(acme.id.text() == "acme");
    CHECK(acme.hostname.text() == "acme.example.org");
    CHECK(acme.token_file == "acme.token");
    CHECK(acme.cluster);
    CHECK(acme.market);
    REQUIRE(acme.relay_zone);
    CHECK(acme.relay_zone->text() == "acme.example.org");

    const ListedTenant& mattbox = list->tenants[1];
    CHECK(mattbox.hostname.text() == "mattbox.example.org");
    CHECK_FALSE(mattbox.cluster);
    CHECK_FALSE(mattbox.market);
    CHECK_FALSE(mattbox.relay_zone);
}

TEST_CASE("files/tenants_file: an empty or null zone is none") {
    const std::string zone = GENERATE(values<std::string>({R"("")", "null"}));
    const auto list = tenants_file::parse(
        R"({"a": {"hostname": "a.example.org", "token_file": "/t", "relay_zone": )" + zone + "}}");
    REQUIRE(list);
    REQUIRE(list->tenants.size() == 1);
    CHECK_FALSE(list->tenants[0].relay_zone);
}

TEST_CASE("files/tenants_file: a row that is not sound is faulty, the others go on") {
    const auto [id, row] = GENERATE(table<std::string, std::string>({
        {"", R"({"hostname": "b.example.org", "token_file": "/t"})"},
        {"B", R"({"hostname": "b.example.org", "token_file": "/t"})"},
        {"b.c", R"({"hostname": "b.example.org", "token_file": "/t"})"},
        {"b", R"("b.example.org")"},
        {"b", R"([])"},
        {"b", R"({"token_file": "/t"})"},
        {"b", R"({"hostname": "", "token_file": "/t"})"},
        {"b", R"({"hostname": "b_.example.org", "token_file": "/t"})"},
        {"b", R"({"hostname": 7, "token_file": "/t"})"},
        {"b", R"({"hostname": "b.example.org"})"},
        {"b", R"({"hostname": "b.example.org", "token_file": ""})"},
        {"b", R"({"hostname": "b.example.org", "token_file": "/t\u0000x"})"},
        {"b", R"({"hostname": "b.example.org", "token_file": "/t", "cluster": "yes"})"},
        {"b", R"({"hostname": "b.example.org", "token_file": "/t", "market": 1})"},
        {"b", R"({"hostname": "b.example.org", "token_file": "/t", "relay_zone": "-"})"},
        {"b", R"({"hostname": "b.example.org", "token_file": "/t", "relay_zone": true})"},
    }));
    CAPTURE(id, row);
    const auto list = tenants_file::parse(
        "{\"" + id + "\": " + row + R"(, "a": {"hostname": "a.example.org", "token_file": "/a"}})");
    REQUIRE(list);
    REQUIRE(list->tenants.size() == 1);
    CHECK(list->tenants[0].id.text() == "a");
    REQUIRE(list->faulty.size() == 1);
    CHECK(list->faulty[0].name == "tenant \"" + id + "\"");
    CHECK_FALSE(list->faulty[0].fault.empty());
}

TEST_CASE("files/tenants_file: an id that is no id and may be a secret is called by its place") {
    const std::string id =
        GENERATE(std::string(32, 'X'), std::string(64, 'x'), std::string(50'000, 'x'));
    const auto list = tenants_file::parse("{\"" + id + "\": {}}");
    REQUIRE(list);
    REQUIRE(list->faulty.size() == 1);
    CHECK(list->faulty[0].name == "the tenant at byte " + std::to_string(id.size() + 5));
    CHECK(list->faulty[0].fault.find("xx") == std::string::npos);
}

TEST_CASE("files/tenants_file: a text that is no object of rows fails and says where") {
    const std::string text = GENERATE(values<std::string>(
        {"", "{", "[]", "7", R"({"a": {}, "a": {}})", R"({"a": {"hostname": "\ud800"}})"}));
    CAPTURE(text);
    const auto list = tenants_file::parse(text);
    REQUIRE_FALSE(list);
    CHECK(list.error().what.find("byte ") != std::string::npos);
    // Nothing in such a text has a name of ours.
    CHECK(list.error().what.find("tenants") == std::string::npos);
}

TEST_CASE("files/tenants_file: a file is loaded, absent or unusable") {
    const ScratchDir dir;
    const std::string path = dir / "tenants.json";
    CHECK_FALSE(tenants_file::load(path).value().has_value());
    spill(path, R"({"a": {"hostname": "a.example.org", "token_file": "/t"}})");
    CHECK(tenants_file::load(path).value()->tenants.size() == 1);
    spill(path, R"({"a": {"hostname")");
    const auto half = tenants_file::load(path);
    REQUIRE_FALSE(half);
    CHECK(half.error().code == Errc::unusable);
    CHECK(half.error().what.find(path) != std::string::npos);
}
