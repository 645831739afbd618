#include "core/path_env.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <string>

using namespace losos;
using namespace losos::make;

namespace {

const std::string k_text = "LOSOS_EDGE_PATH_URL=http://gateway.local:8443\n"
                           "LOSOS_EDGE_PATH_RATHOLE=gateway.local:2333\n"
                           "LOSOS_EDGE_PATH_SOURCE=lan\n"
                           "LOSOS_EDGE_PATH_NOISE_PUB=/var/secrets/pins/gateway.local_8443.pub\n";

EdgePath sample() {
    return {sound(HttpUrl::parse("http://gateway.local:8443")),
            sound(Endpoint::parse("gateway.local:2333")), PathSource::lan,
            "/var/secrets/pins/gateway.local_8443.pub"};
}

std::string without_line(const std::string& key) {
    const auto start = k_text.find(key);
    return k_text.substr(0, start) + k_text.substr(k_text.find('\n', start) + 1);
}

std::string with_value(const std::string& key, const std::string& value) {
    return without_line(key) + key + "=" + value + "\n";
}

} // namespace

TEST_CASE("a path is four unquoted lines in their order") {
    CHECK(sound(render_edge_path(sample())) == k_text);
}

TEST_CASE("a rendered path is read back the same") {
    auto path = sample();
    CHECK(sound(parse_edge_path(k_text)) == path);
    path.source = PathSource::configured;
    path.url = sound(HttpUrl::parse("https://[fd00::1]"));
    path.rathole = sound(Endpoint::parse("[fd00::1]:2333"));
    CHECK(sound(parse_edge_path(sound(render_edge_path(path)))) == path);
}

TEST_CASE("a path that lacks a line names it") {
    const auto* key = GENERATE("LOSOS_EDGE_PATH_URL", "LOSOS_EDGE_PATH_RATHOLE",
                               "LOSOS_EDGE_PATH_SOURCE", "LOSOS_EDGE_PATH_NOISE_PUB");
    for (const auto& text : {without_line(key), with_value(key, "")}) {
        const auto parsed = parse_edge_path(text);
        REQUIRE_FALSE(parsed.has_value());
        CHECK(parsed.error().what.find(key) != std::string::npos);
    }
}

TEST_CASE("a path with an odd value names its line") {
    struct Case {
        const char* key;
        const char* value;
    };
    const auto sample_case = GENERATE(
        Case{"LOSOS_EDGE_PATH_URL", "gateway.local"}, Case{"LOSOS_EDGE_PATH_URL", "http://g/path"},
        Case{"LOSOS_EDGE_PATH_RATHOLE", "gateway.local"}, Case{"LOSOS_EDGE_PATH_SOURCE", "LAN"},
        Case{"LOSOS_EDGE_PATH_SOURCE", "\"lan\""}, Case{"LOSOS_EDGE_PATH_NOISE_PUB", "/a b"});
    const auto parsed = parse_edge_path(with_value(sample_case.key, sample_case.value));
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().what.find(sample_case.key) != std::string::npos);
}

TEST_CASE("an empty or torn file is no path") {
    CHECK_FALSE(parse_edge_path("").has_value());
    CHECK_FALSE(parse_edge_path("LOSOS_EDGE_PATH_URL").has_value());
    CHECK_FALSE(parse_edge_path(k_text + k_text).has_value());
}

TEST_CASE("a pin file whose name would need quoting makes no path") {
    auto path = sample();
    path.noise_pub_file = GENERATE("", "/a b", "/a$b", "/a\nb", "/\"a\"", "/a#b", "/\xc3\xbc");
    CHECK_FALSE(render_edge_path(path).has_value());
}

TEST_CASE("a pin file is named by host and port") {
    const auto pin = [](std::string_view edge) {
        return pin_file_name(sound(Endpoint::parse(edge)));
    };
    CHECK(pin("gateway.local:8443") == "gateway.local_8443.pub");
    CHECK(pin("GATEWAY.local:8443") == "gateway.local_8443.pub");
    CHECK(pin("192.168.1.2:80") == "192.168.1.2_80.pub");
    CHECK(pin("[fd00::1]:8443") == "_fd00__1__8443.pub");
    CHECK(pin_file_name(Endpoint::of("../a/b", port(1))) == ".._a_b_1.pub");
}
