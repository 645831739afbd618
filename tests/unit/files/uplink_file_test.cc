#include "files/uplink_file.h"

#include "support/catch.h"
#include "unit/files/make.h"
#include "unit/files/scratch_dir.h"

using namespace losos;
using namespace losos::make;
using namespace losos::test;

namespace {

UplinkConfig sample() {
    return {url("https://edge.example.org"), endpoint("edge.example.org:2333"), label("acme"),
            "/var/tmp/uplink.token",         "/var/tmp/bootstrap.token",        "/var/tmp/hub.pub"};
}

} // namespace

TEST_CASE("files/uplink_file: what is rendered is read back") {
    CHECK(uplink_file::parse(uplink_file::render(sample())).value() == sample());
    UplinkConfig bare = sample();
    bare.bootstrap_token_file.reset();
    bare.noise_public_key_file.reset();
    CHECK(uplink_file::parse(uplink_file::render(bare)).value() == bare);
}

TEST_CASE("files/uplink_file: an odd field is named") {
    const auto [field, value] = GENERATE(table<std::string, std::string>({
        {"registrar_url", R"("ftp://edge.example.org")"},
        {"registrar_url", R"("https://u@edge.example.org")"},
        {"registrar_url", "7"},
        {"rathole_endpoint", R"("edge.example.org")"},
        {"rathole_endpoint", R"("edge.example.org:0")"},
        {"id", R"("Acme")"},
        {"id", R"("")"},
        {"token_file", R"("")"},
        {"token_file", "null"},
        {"bootstrap_token_file", R"("")"},
        {"bootstrap_token_file", "[]"},
        {"noise_public_key_file", R"("/k\u0000")"},
    }));
    CAPTURE(field, value);
    std::string text = "{";
    for (const std::string key : {"registrar_url", "rathole_endpoint", "id", "token_file"}) {
        const std::string good = key == "registrar_url"      ? R"("https://edge.example.org")"
                                 : key == "rathole_endpoint" ? R"("edge.example.org:2333")"
                                                             : R"("acme")";
        text += (text.size() > 1 ? ",\"" : "\"") + key + "\":" + (key == field ? value : good);
    }
    if (field.ends_with("_file") && field != "token_file") {
        text += ",\"" + field + "\":" + value;
    }
    const auto uplink = uplink_file::parse(text + "}");
    REQUIRE_FALSE(uplink);
    CHECK(uplink.error().what.find(field) != std::string::npos);
}

TEST_CASE("files/uplink_file: set, shown and cleared") {
    const ScratchDir dir;
    const std::string path = dir / "uplink.json";
    CHECK_FALSE(uplink_file::load(path).value().has_value());
    CHECK(uplink_file::store(path, sample()).value() == Change::changed);
    CHECK(uplink_file::store(path, sample()).value() == Change::unchanged);
    CHECK(mode_of(path) == 0600);
    CHECK(uplink_file::load(path).value() == sample());
    CHECK(uplink_file::remove(path).value() == Change::changed);
    CHECK(uplink_file::remove(path).value() == Change::unchanged);
    CHECK(uplink_file::lock_path(path) == dir / ".uplink.lock");

    spill(path, "{");
    CHECK(uplink_file::load(path).error().code == Errc::unusable);
    spill(path, std::string(uplink_file::k_limit + 1, ' '));
    CHECK(uplink_file::load(path).error().code == Errc::unusable);
}
