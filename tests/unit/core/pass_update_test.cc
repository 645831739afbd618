#include "core/pass_update.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <string>

using namespace losos;
using namespace losos::make;

namespace {

PassUpdate read(const std::string& body) {
    return read_pass_update(sound(Json::parse(body)));
}

std::string write(const PassUpdate& update) {
    JsonWriter json(JsonWriter::Style::compact);
    json.begin_object();
    write_pass_update(json, update);
    json.end_object();
    return std::move(json).finish();
}

} // namespace

TEST_CASE("an absent pass leaves the one there is") {
    const auto* body = GENERATE("{}", R"({"pass": "x"})", "[]", "7");
    CHECK(read(body) == PassUpdate{});
}

TEST_CASE("a pass of the right shape is set") {
    const auto given = pass("483000");
    CHECK(read("{\"relay_pass\": \"" + given.text() + "\"}") ==
          PassUpdate{PassUpdate::What::set, given});
}

TEST_CASE("a pass of another shape or type clears") {
    const auto* value =
        GENERATE(R"("")", R"("v1.1.abc")", "null", "7", "true", "[]", "{}", R"(["v1"])");
    CHECK(read(std::string("{\"relay_pass\": ") + value + "}") ==
          PassUpdate{PassUpdate::What::clear, std::nullopt});
}

TEST_CASE("what is written is read back the same") {
    const auto update = GENERATE(PassUpdate{}, PassUpdate{PassUpdate::What::clear, std::nullopt},
                                 PassUpdate{PassUpdate::What::set, pass("483000")});
    CHECK(read(write(update)) == update);
}
