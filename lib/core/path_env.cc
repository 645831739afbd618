#include "core/path_env.h"

#include "base/env_file.h"
#include "base/format.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace losos {
namespace {

constexpr std::string_view k_url = "LOSOS_EDGE_PATH_URL";
constexpr std::string_view k_rathole = "LOSOS_EDGE_PATH_RATHOLE";
constexpr std::string_view k_source = "LOSOS_EDGE_PATH_SOURCE";
constexpr std::string_view k_noise_pub = "LOSOS_EDGE_PATH_NOISE_PUB";
constexpr std::string_view k_lan = "lan";
constexpr std::string_view k_configured = "configured";

using Pairs = std::vector<std::pair<std::string, std::string>>;

Result<std::string_view> value_of(const Pairs& pairs, std::string_view key) {
    const auto pair = std::find_if(pairs.begin(), pairs.end(),
                                   [key](const auto& each) { return each.first == key; });
    if (pair == pairs.end() || pair->second.empty()) {
        return fail(Errc::failed, "{} is missing or empty", key);
    }
    return std::string_view(pair->second);
}

/// Puts the key in front of what is wrong with its value.
template <class T>
Result<T> named(std::string_view key, Result<T> value) {
    if (!value) {
        return fail(value.error().code, "{}: {}", key, value.error().what);
    }
    return value;
}

Result<PathSource> parse_source(std::string_view text) {
    if (text == k_lan) {
        return PathSource::lan;
    }
    if (text == k_configured) {
        return PathSource::configured;
    }
    return fail(Errc::failed, "a source is {} or {}", k_lan, k_configured);
}

} // namespace

Result<EdgePath> parse_edge_path(std::string_view text) {
    TRY_ASSIGN(const auto pairs, parse_env(text));
    TRY_ASSIGN(const auto url_text, value_of(pairs, k_url));
    TRY_ASSIGN(const auto rathole_text, value_of(pairs, k_rathole));
    TRY_ASSIGN(const auto source_text, value_of(pairs, k_source));
    TRY_ASSIGN(const auto noise_pub_file, value_of(pairs, k_noise_pub));
    if (!needs_no_quoting(noise_pub_file)) {
        return fail(Errc::failed, "{} would need quoting", k_noise_pub);
    }
    TRY_ASSIGN(auto url, named(k_url, HttpUrl::parse(url_text)));
    TRY_ASSIGN(auto rathole, named(k_rathole, Endpoint::parse(rathole_text)));
    TRY_ASSIGN(const auto source, named(k_source, parse_source(source_text)));
    return EdgePath{std::move(url), std::move(rathole), source, std::string(noise_pub_file)};
}

Result<std::string> render_edge_path(const EdgePath& path) {
    const std::array<std::pair<std::string_view, std::string>, 4> lines{{
        {k_url, path.url.text()},
        {k_rathole, path.rathole.text()},
        {k_source, std::string(path.source == PathSource::lan ? k_lan : k_configured)},
        {k_noise_pub, path.noise_pub_file},
    }};
    std::string text;
    for (const auto& [key, value] : lines) {
        if (value.empty() || !needs_no_quoting(value)) {
            return fail(Errc::failed, "{} is empty or would need quoting", key);
        }
        text += format("{}={}\n", key, value);
    }
    return text;
}

std::string pin_file_name(const Endpoint& edge) {
    auto name = edge.text();
    const auto is_plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '.' || c == '-';
    };
    std::replace_if(
        name.begin(), name.end(), [&](char c) { return !is_plain(c); }, '_');
    return name + ".pub";
}

} // namespace losos
