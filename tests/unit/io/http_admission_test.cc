#include "io/http_admission.h"

#include "support/catch.h"

#include <sys/eventfd.h>

#include <vector>

using namespace losos;

namespace {

UniqueFd any_descriptor() {
    return UniqueFd(eventfd(0, EFD_CLOEXEC));
}

bool enters(ConnectionTable& table, const char* source, ConnectionTable::Handle& handle,
            long long now_ms = 0) {
    auto fd = any_descriptor();
    return table.admit(fd, Source::of_text(source), handle, now_ms);
}

} // namespace

TEST_CASE("io/http_admission: a source is an IPv4 address, or 64 bits of an IPv6 one") {
    const auto same = [](const char* a, const char* b) {
        const auto left = Source::of_text(a);
        const auto right = Source::of_text(b);
        return !(left < right) && !(right < left);
    };
    CHECK(same("192.0.2.1", "::ffff:192.0.2.1"));
    CHECK_FALSE(same("192.0.2.1", "192.0.2.2"));
    CHECK(same("2001:db8::1", "2001:db8::ffff:1:2:3"));
    CHECK_FALSE(same("2001:db8::1", "2001:db8:0:1::1"));
    CHECK(same("nonsense", "no sense"));
    CHECK(Source::of_text("127.1.2.3").is_loopback());
    CHECK(Source::of_text("::1").is_loopback());
    CHECK_FALSE(Source::of_text("::2").is_loopback());
}

TEST_CASE("io/http_admission: a source that a proxy names has so many places and no more") {
    SourcePlaces places(2);
    const auto one = Source::of_text("192.0.2.1");
    const auto other = Source::of_text("192.0.2.2");
    CHECK(places.enter(one));
    CHECK(places.enter(one));
    CHECK_FALSE(places.enter(one));
    CHECK(places.enter(other));
    places.leave(one);
    CHECK(places.enter(one));
    CHECK_FALSE(places.enter(one));
}

TEST_CASE("io/http_admission: so many requests are answered at a time") {
    RequestsInFlight all(1);
    CHECK(all.enter());
    CHECK_FALSE(all.enter());
    CHECK(all.count() == 1);
    all.leave();
    CHECK(all.enter());
}

TEST_CASE("io/http_admission: a connection that only lingers takes no place") {
    ConnectionTable table(3, 1);
    ConnectionTable::Handle first;
    ConnectionTable::Handle second;
    REQUIRE(enters(table, "192.0.2.1", first));
    CHECK_FALSE(enters(table, "192.0.2.1", second));
    CHECK(table.begin_lingering(first));
    CHECK(table.count() == 0);
    REQUIRE(enters(table, "192.0.2.1", second));
    table.release(first);
    CHECK(table.count() == 1);
    table.release(second);
    CHECK(table.count() == 0);
}

TEST_CASE("io/http_admission: so many connections linger and no more") {
    ConnectionTable table(1000, 1000);
    std::vector<ConnectionTable::Handle> lingering;
    bool lingers = true;
    while (lingers && lingering.size() < 1000) {
        ConnectionTable::Handle handle;
        REQUIRE(enters(table, "192.0.2.1", handle));
        lingers = table.begin_lingering(handle);
        lingering.push_back(handle);
    }
    CHECK(lingering.size() == 129);
    for (const auto& handle : lingering) {
        table.release(handle);
    }
    ConnectionTable::Handle again;
    REQUIRE(enters(table, "192.0.2.1", again));
    CHECK(table.begin_lingering(again));
    table.release(again);
}

TEST_CASE("io/http_admission: a house is full at its number of connections") {
    const auto one = Source::of_text("192.0.2.1");
    const auto other = Source::of_text("192.0.2.2");
    ConnectionTable table(1, 1);
    CHECK_FALSE(table.is_full_for(other, 0));
    ConnectionTable::Handle only;
    REQUIRE(enters(table, "192.0.2.1", only));
    CHECK(table.is_full_for(other, 0));
    CHECK_FALSE(table.is_full_for(other, 1));
    // This one would be turned away from an empty house as well.
    CHECK_FALSE(table.is_full_for(one, 0));
    ConnectionTable::Handle none;
    CHECK_FALSE(enters(table, "192.0.2.2", none));
    table.release(only);
    CHECK_FALSE(table.is_full_for(other, 0));
}

TEST_CASE("io/http_admission: in a full house the slowest sender of many makes room for a first") {
    ConnectionTable table(3, 2);
    ConnectionTable::Handle slow;
    ConnectionTable::Handle slower;
    ConnectionTable::Handle lone;
    REQUIRE(enters(table, "192.0.2.1", slow));
    REQUIRE(enters(table, "192.0.2.1", slower));
    REQUIRE(enters(table, "192.0.2.2", lone));
    lone->begin_receiving(1000);
    slower->begin_receiving(2000);
    slow->begin_receiving(2100);
    ConnectionTable::Handle first;

    SECTION("and nobody else") {
        REQUIRE(enters(table, "192.0.2.3", first, 3000));
        CHECK(slower->is_hung_up());
        CHECK_FALSE(slow->is_hung_up());
        CHECK_FALSE(lone->is_hung_up());
        CHECK(table.count() == 3);
        // Now everybody has one.
        ConnectionTable::Handle next;
        CHECK_FALSE(enters(table, "192.0.2.4", next, 3000));
        table.release(first);
    }
    SECTION("but not before it is slow") {
        CHECK_FALSE(enters(table, "192.0.2.3", first, 2249));
    }
    SECTION("but not once its request is there") {
        slower->received();
        slow->received();
        CHECK_FALSE(enters(table, "192.0.2.3", first, 3000));
    }
    for (const auto& handle : {slow, slower, lone}) {
        table.release(handle);
    }
    CHECK(table.count() == 0);
}
