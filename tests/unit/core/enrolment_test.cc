#include "core/enrolment.h"

#include "unit/core/make.h"

#include "support/catch.h"

using namespace losos;
using namespace losos::make;

namespace {

const Roster& roster() {
    static const Roster k_roster = merge_roster(
        {{{label("listed"), name("listed.example"), "/t", false, false, std::nullopt}, token('a')}},
        {{{label("first"), name("first.lan")}, token('b')},
         {{label("second"), name("second.lan")}, std::nullopt}});
    return k_roster;
}

const std::vector<DnsName>& reserved() {
    static const std::vector<DnsName> k_reserved{name("edge.example"), name("www.example")};
    return k_reserved;
}

HostnameVerdict hostname_of(std::string_view id, std::string_view hostname) {
    return check_hostname(roster(), reserved(), label(id), name(hostname));
}

EnrolmentVerdict enrolment_of(std::string_view id, std::string_view hostname, std::size_t limit) {
    return check_enrolment(roster(), reserved(), label(id), name(hostname), limit);
}

} // namespace

TEST_CASE("a hostname nobody has is free") {
    CHECK(hostname_of("new", "new.lan") == HostnameVerdict::free);
    CHECK(hostname_of("first", "renamed.lan") == HostnameVerdict::free);
}

TEST_CASE("a box may keep the hostname it has") {
    CHECK(hostname_of("first", "first.lan") == HostnameVerdict::free);
    CHECK(hostname_of("listed", "Listed.Example") == HostnameVerdict::free);
}

TEST_CASE("another tenant's hostname is held, whatever its case") {
    const auto* hostname = GENERATE("listed.example", "LISTED.example", "second.lan");
    CHECK(hostname_of("first", hostname) == HostnameVerdict::held);
    CHECK(hostname_of("new", hostname) == HostnameVerdict::held);
}

TEST_CASE("a reserved name is held for everybody") {
    CHECK(hostname_of("new", "edge.example") == HostnameVerdict::held);
    CHECK(hostname_of("first", "WWW.example") == HostnameVerdict::held);
}

TEST_CASE("an unknown box enrols while there is room") {
    CHECK(enrolment_of("new", "new.lan", 3) == EnrolmentVerdict::enrol);
    CHECK(enrolment_of("new", "new.lan", 2) == EnrolmentVerdict::full);
    CHECK(enrolment_of("new", "new.lan", 0) == EnrolmentVerdict::full);
}

TEST_CASE("a held hostname is said before a full house") {
    CHECK(enrolment_of("new", "first.lan", 256) == EnrolmentVerdict::hostname_held);
    CHECK(enrolment_of("new", "edge.example", 2) == EnrolmentVerdict::hostname_held);
}
