#include "files/enrolled_dir.h"

#include "files/enrolled_rows.h"
#include "files/token_file.h"

#include "support/catch.h"
#include "unit/files/make.h"
#include "unit/files/scratch_dir.h"

#include <algorithm>
#include <filesystem>

using namespace losos;
using namespace losos::make;
using namespace losos::test;
using enrolled_dir::Batch;
using enrolled_dir::Forgotten;

namespace {

namespace fs = std::filesystem;

EnrolledTenant tenant(std::string_view id, std::string_view hostname) {
    return {label(id), name(hostname)};
}

/// The ids and hostnames, in order, as one text.
std::string who(const std::string& directory) {
    std::string text;
    const auto loaded = sound(enrolled_dir::load(directory));
    for (const auto& enrolled : loaded.tenants) {
        text += enrolled.tenant.id.text() + "=" + enrolled.tenant.hostname.text() +
                (enrolled.token ? " " : "! ");
    }
    return text;
}

/// A directory with zoe and then mattbox in it.
std::string enrolled_two(const ScratchDir& scratch) {
    const std::string dir = scratch / "enrolled";
    REQUIRE(enrolled_dir::prepare(dir));
    REQUIRE(enrolled_dir::apply(dir, {{{tenant("zoe", "zoe.lan"), token('z')},
                                       {tenant("mattbox", "mattbox.lan"), token('m')}},
                                      {}}));
    return dir;
}

} // namespace

TEST_CASE("files/enrolled_dir: nobody is enrolled where nothing is") {
    const ScratchDir scratch;
    const auto loaded = enrolled_dir::load(scratch / "enrolled");
    REQUIRE(loaded);
    CHECK(loaded->tenants.empty());
    CHECK(enrolled_dir::forget(scratch / "enrolled", label("a")).value() == Forgotten::unknown);
    CHECK_FALSE(test::exists(scratch / "enrolled"));
}

TEST_CASE("files/enrolled_dir: the order is that of enrolment, the modes are the law") {
    const ScratchDir scratch;
    const std::string dir = enrolled_two(scratch);
    CHECK(who(dir) == "zoe=zoe.lan mattbox=mattbox.lan ");
    CHECK(mode_of(dir) == 0700);
    CHECK(mode_of(dir + "/.lock") == 0600);
    CHECK(mode_of(enrolled_dir::tenants_path(dir)) == 0600);
    CHECK(mode_of(enrolled_dir::token_path(dir, label("zoe"))) == 0600);
    CHECK(enrolled_dir::load(dir).value().tenants[1].token->same_as(token('m')));
    // A tenants file: an operator may list an enrolled box by copying its row.
    CHECK(
        slurp(enrolled_dir::tenants_path(dir)).find("\"token_file\": \"" + dir + "/zoe.token\"") !=
        std::string::npos);
}

TEST_CASE("files/enrolled_dir: a box that renames keeps its place and its token") {
    const ScratchDir scratch;
    const std::string dir = enrolled_two(scratch);
    const auto applied = enrolled_dir::apply(
        dir, {{{tenant("anna", "anna.lan"), token('a')}}, {tenant("zoe", "new.lan")}});
    REQUIRE(applied);
    CHECK(applied->gone.empty());
    CHECK(who(dir) == "zoe=new.lan mattbox=mattbox.lan anna=anna.lan ");
    CHECK(enrolled_dir::load(dir).value().tenants[0].token->same_as(token('z')));
}

TEST_CASE("files/enrolled_dir: a box forgotten meanwhile is not brought back by a rename") {
    const ScratchDir scratch;
    const std::string dir = enrolled_two(scratch);
    CHECK(enrolled_dir::forget(dir, label("zoe")).value() == Forgotten::forgotten);
    CHECK_FALSE(test::exists(enrolled_dir::token_path(dir, label("zoe"))));
    const auto applied = enrolled_dir::apply(dir, {{}, {tenant("zoe", "new.lan")}});
    REQUIRE(applied);
    CHECK(applied->gone == std::vector<DnsLabel>{label("zoe")});
    CHECK(who(dir) == "mattbox=mattbox.lan ");
    CHECK(enrolled_dir::forget(dir, label("zoe")).value() == Forgotten::unknown);
}

TEST_CASE("files/enrolled_dir: a forgotten box enrols again, last in order") {
    const ScratchDir scratch;
    const std::string dir = enrolled_two(scratch);
    REQUIRE(enrolled_dir::forget(dir, label("zoe")));
    REQUIRE(enrolled_dir::apply(dir, {{{tenant("zoe", "zoe.lan"), token('n')}}, {}}));
    CHECK(who(dir) == "mattbox=mattbox.lan zoe=zoe.lan ");
    CHECK(enrolled_dir::load(dir).value().tenants[1].token->same_as(token('n')));
}

TEST_CASE("files/enrolled_dir: a start removes what an interrupted writer left, and nothing else") {
    const ScratchDir scratch;
    const std::string dir = enrolled_two(scratch);
    spill(dir + "/ghost.token", std::string(40, 'g'));
    spill(dir + "/.ghost.token.123-0123456789ab.tmp", "half");
    spill(dir + "/.tenants.json.123-0123456789ab.tmp", "half");
    spill(dir + "/README", "the operator's own");
    REQUIRE(enrolled_dir::prepare(dir));

    std::vector<std::string> names;
    for (const auto& found : fs::directory_iterator(dir)) {
        names.push_back(found.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    CHECK(names == std::vector<std::string>{".lock", "README", "mattbox.token", "tenants.json",
                                            "zoe.token"});
    CHECK(who(dir) == "zoe=zoe.lan mattbox=mattbox.lan ");
}

TEST_CASE("files/enrolled_dir: a file that does not parse stops everything and loses nothing") {
    const ScratchDir scratch;
    const std::string dir = enrolled_two(scratch);
    const std::string half = slurp(enrolled_dir::tenants_path(dir)).substr(0, 60);
    spill(enrolled_dir::tenants_path(dir), half);

    for (const Error& error : {enrolled_dir::prepare(dir).error(), enrolled_dir::load(dir).error(),
                               enrolled_dir::forget(dir, label("zoe")).error(),
                               enrolled_dir::apply(dir, {{}, {tenant("zoe", "n.lan")}}).error()}) {
        CHECK(error.code == Errc::unusable);
        CHECK(error.what.find(enrolled_dir::tenants_path(dir)) != std::string::npos);
        CHECK(error.what.find("byte ") != std::string::npos);
    }
    CHECK(slurp(enrolled_dir::tenants_path(dir)) == half);
    CHECK(test::exists(dir + "/zoe.token"));
    CHECK(test::exists(dir + "/mattbox.token"));
}

TEST_CASE("files/enrolled_dir: a faulty token refuses its box alone") {
    const ScratchDir scratch;
    const std::string dir = enrolled_two(scratch);
    spill(dir + "/zoe.token", "short");
    CHECK(who(dir) == "zoe=zoe.lan! mattbox=mattbox.lan ");
    const auto faults = enrolled_dir::load(dir).value().faults;
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].find(dir + "/zoe.token") != std::string::npos);
}

TEST_CASE("files/enrolled_dir: a row nobody understands is refused and kept") {
    const ScratchDir scratch;
    const std::string dir = enrolled_two(scratch);
    spill(enrolled_dir::tenants_path(dir),
          R"({"../zoe": {"hostname": "zoe.lan"}, "mattbox": {"hostname": "under_score.lan"}})");
    REQUIRE(enrolled_dir::prepare(dir));
    CHECK(enrolled_dir::load(dir).value().faults.size() == 2);
    CHECK(test::exists(dir + "/mattbox.token"));
    REQUIRE(enrolled_dir::apply(dir, {{{tenant("anna", "anna.lan"), token('a')}}, {}}));
    const std::string text = slurp(enrolled_dir::tenants_path(dir));
    CHECK(text.find("../zoe") != std::string::npos);
    CHECK(text.find("under_score.lan") != std::string::npos);
    CHECK(who(dir) == "anna=anna.lan ");
}

TEST_CASE("files/enrolled_dir: a batch that cannot be written leaves no row and no token") {
    const ScratchDir scratch;
    const std::string dir = enrolled_two(scratch);
    const std::string before = slurp(enrolled_dir::tenants_path(dir));
    // A directory in the place of a token fails the second newcomer, whoever runs the test.
    fs::create_directory(dir + "/blocked.token");
    CHECK_FALSE(enrolled_dir::apply(dir, {{{tenant("anna", "anna.lan"), token('a')},
                                           {tenant("blocked", "blocked.lan"), token('b')}},
                                          {}}));
    CHECK(slurp(enrolled_dir::tenants_path(dir)) == before);
    CHECK_FALSE(test::exists(dir + "/anna.token"));
    CHECK(test::exists(dir + "/zoe.token"));
}

TEST_CASE("files/enrolled_rows: a text that is no object of rows fails and says where") {
    const std::string text = GENERATE(
        values<std::string>({"", "[]", R"({"a": 7})", R"({"a": {"hostname": 7}})", R"({"a": {}})",
                             R"({"a": {"hostname": "x"}, "a": {"hostname": "y"}})"}));
    CAPTURE(text);
    const auto rows = enrolled_rows::parse(text);
    REQUIRE_FALSE(rows);
    CHECK(rows.error().what.find("byte ") != std::string::npos);
}
