#include "core/uplink_record.h"

#include "support/catch.h"
#include "unit/core/make.h"

using namespace losos;

namespace {

LiveBox live(const char* id) {
    return {make::label(id), make::name(std::string(id) + ".acme.losos.example"), make::port(20000),
            std::nullopt};
}

AcceptedBox accepted(const char* id) {
    return {make::label(id), make::name(std::string(id) + ".acme.losos.example"),
            make::port(20001)};
}

} // namespace

TEST_CASE("a hub's verdict counts only on boxes it was asked about") {
    RelayAnswer answer;
    answer.accepted = {accepted("one"), accepted("stranger")};
    answer.refused = {{"two", "no port is free"}, {"stranger", "no"}};
    const auto kept = keep_what_was_asked(answer, {live("one"), live("two")});
    CHECK((kept.accepted == std::vector{accepted("one")}));
    CHECK((kept.refused == std::vector<RefusedBox>{{"two", "no port is free"}}));
}

TEST_CASE("of two refusals of one box the first counts, in one line") {
    RelayAnswer answer;
    answer.refused = {{"one", "held\nby another"}, {"one", "second"}};
    const auto kept = keep_what_was_asked(answer, {live("one")});
    CHECK((kept.refused == std::vector<RefusedBox>{{"one", "held"}}));
}

TEST_CASE("only what changed about refusals is news") {
    const std::vector<RefusedBox> before = {
        {"same", "a"}, {"other", "a"}, {"taken", "a"}, {"left", "a"}};
    RelayAnswer now;
    now.accepted = {accepted("taken"), accepted("always")};
    now.refused = {{"same", "a"}, {"other", "b"}, {"fresh", "a"}};
    const auto news = compare_refusals(before, now);
    CHECK((news.refused == std::vector<RefusedBox>{{"other", "b"}, {"fresh", "a"}}));
    CHECK(news.no_longer == std::vector<std::string>{"taken"});

    const auto none = compare_refusals(now.refused, now);
    CHECK(none.refused.empty());
    CHECK(none.no_longer.empty());
}

TEST_CASE("of the hub's routes only what came and went is news, whatever their order") {
    const std::vector<RelayRoute> before{{"a", "kept.org"}, {"a", "gone.org"}, {"b", "moved.org"}};
    const std::vector<RelayRoute> now{{"c", "moved.org"}, {"a", "kept.org"}, {"a", "kept.org"}};
    const auto news = compare_hub_routes(before, now);
    CHECK(news.added == std::vector<RelayRoute>{{"c", "moved.org"}});
    CHECK(news.removed == std::vector<RelayRoute>{{"a", "gone.org"}, {"b", "moved.org"}});
    CHECK(compare_hub_routes(now, now).added.empty());
    CHECK(compare_hub_routes(now, now).removed.empty());
}
