#include "files/status_file.h"

#include "support/catch.h"
#include "unit/files/make.h"
#include "unit/files/scratch_dir.h"

using namespace losos;
using namespace losos::make;
using namespace losos::test;
using status_file::Kind;
using status_file::Status;

namespace {

Status sample() {
    Status status;
    status.version = "0.1.0";
    status.boot_id = "7d5e1c2a-0000-4000-8000-000000000001";
    status.reconciled = MonotonicTime(123'456'789);
    status.heartbeat_ttl = Duration(120'000);
    status.started_at = UnixTime(1'800'000'000);
    status.tunnels = status_file::Tunnels::none;
    status.public_domain = "example.org";
    status.counts = {2, 1, 2, 1, 9'996, 1, 3, 2, 5, 4};
    status.lan = status_file::Lan{"http://gw.local:8443", "gw.local:2333", true};
    status.identity =
        status_file::Certified{"LosOS", "https://edge.example.org", UnixTime(1'831'536'000)};
    status.zone =
        status_file::Zone{name("boxes.example.org"), "/z/boxes.zone", {"192.0.2.7", "2001:db8::7"}};
    status.faults = {"token file /t: it is empty", "a \"quoted\" one"};
    status.rows = {
        {row_id("acme"), Kind::listed, name("acme.example.org"), port(20000), Duration(1'500)},
        {row_id("acme.mattbox"), Kind::relayed, name("mattbox.acme.example.org"), port(20001),
         Duration(20'000)},
        {row_id("zoe"), Kind::enrolled, name("zoe.example.org"), port(20002), Duration(0)}};
    return status;
}

} // namespace

TEST_CASE("files/status_file: what is rendered is read back") {
    CHECK(status_file::parse(status_file::render(sample())).value() == sample());
    Status bare = sample();
    bare.public_domain.reset();
    bare.lan.reset();
    bare.identity.reset();
    bare.zone.reset();
    bare.faults.clear();
    bare.rows.clear();
    bare.tunnels = status_file::Tunnels::rathole;
    CHECK(status_file::parse(status_file::render(bare)).value() == bare);
}

TEST_CASE("files/status_file: the pulse is read whatever else the file holds") {
    const auto pulse = status_file::parse_pulse(
        R"({"boot_id":"b","reconciled_monotonic_ms":7,"heartbeat_ttl_ms":9,"tenants":"?"})");
    REQUIRE(pulse);
    CHECK(pulse->boot_id == "b");
    CHECK(pulse->reconciled == MonotonicTime(7));
    CHECK(pulse->heartbeat_ttl == Duration(9));
}

TEST_CASE("files/status_file: what another version leaves out is as if empty") {
    const auto status =
        status_file::parse(R"({"boot_id":"b","reconciled_monotonic_ms":7,"heartbeat_ttl_ms":9})");
    REQUIRE(status);
    CHECK(status->rows.empty());
    CHECK(status->faults.empty());
    CHECK_FALSE(status->lan);
    CHECK_FALSE(status->identity);
    CHECK_FALSE(status->zone);
    CHECK(status->counts == status_file::Counts{});
}

TEST_CASE("files/status_file: no pulse, no status") {
    const std::string text = GENERATE(values<std::string>({
        "",
        "{}",
        "[]",
        R"({"reconciled_monotonic_ms":7,"heartbeat_ttl_ms":9})",
        R"({"boot_id":"b","heartbeat_ttl_ms":9})",
        R"({"boot_id":"b","reconciled_monotonic_ms":7})",
        R"({"boot_id":"b","reconciled_monotonic_ms":-1,"heartbeat_ttl_ms":9})",
        R"({"boot_id":"b","reconciled_monotonic_ms":7,"heartbeat_ttl_ms":0})",
        R"({"boot_id":7,"reconciled_monotonic_ms":7,"heartbeat_ttl_ms":9})",
    }));
    CAPTURE(text);
    CHECK_FALSE(status_file::parse_pulse(text));
    CHECK_FALSE(status_file::parse(text));
}

TEST_CASE("files/status_file: a list of another shape fails") {
    const std::string extra = GENERATE(values<std::string>({
        R"("tenants":{})",
        R"("tenants":[7])",
        R"("tenants":[{"id":"a","kind":"odd","hostname":"a.example.org","port":20000}])",
        R"("tenants":[{"id":"a.b.c","kind":"listed","hostname":"a.example.org","port":20000}])",
        R"("faults":[7])",
        R"("counts":[])",
        R"("counts":{"listed":-1})",
        R"("lan":7)",
        R"("zone":7)",
        R"("zone":{"name":"-","file":"/z","addresses":[]})",
        R"("zone":{"name":"boxes.example.org","file":"/z","addresses":[7]})",
        R"("identity":7)",
        R"("identity":{"not_after":"soon"})",
    }));
    CAPTURE(extra);
    CHECK_FALSE(status_file::parse(
        R"({"boot_id":"b","reconciled_monotonic_ms":7,"heartbeat_ttl_ms":9,)" + extra + "}"));
}

TEST_CASE("files/status_file: everybody may read it") {
    const ScratchDir dir;
    const std::string path = dir / "status.json";
    CHECK_FALSE(status_file::load(path).value().has_value());
    CHECK_FALSE(status_file::load_pulse(path).value().has_value());
    CHECK(status_file::store(path, sample()).value() == Change::changed);
    CHECK(mode_of(path) == 0644);
    CHECK(status_file::load(path).value() == sample());
    CHECK(status_file::load_pulse(path).value()->heartbeat_ttl == Duration(120'000));
}
