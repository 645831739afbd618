#include "files/refused_file.h"

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "files/document.h"
#include "files/entry.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace losos::refused_file {
namespace {

constexpr mode_t k_mode = 0600;
constexpr std::int64_t k_lowest_status = 100;
constexpr std::int64_t k_highest_status = 599;

Result<Refusal> parse_refusal(const std::string& key, const Json& json) {
    TRY_ASSIGN(auto url, HttpUrl::parse(key));
    TRY(json.members(key));
    TRY_ASSIGN(const auto status, json.required_whole("status", k_lowest_status, k_highest_status));
    TRY_ASSIGN(const auto at,
               json.required_whole("at", 0, std::numeric_limits<std::int64_t>::max()));
    return Refusal{std::move(url), static_cast<int>(status), UnixTime(at)};
}

/// One refusal a URL, the latest, in the order of the URLs' texts.
std::map<std::string, Refusal> by_url(std::vector<Refusal> refusals) {
    std::map<std::string, Refusal> sorted;
    for (Refusal& refusal : refusals) {
        std::string key = refusal.url.text();
        const auto [place, is_new] = sorted.try_emplace(std::move(key), refusal);
        if (!is_new && place->second.at <= refusal.at) {
            place->second = std::move(refusal);
        }
    }
    return sorted;
}

} // namespace

Result<std::vector<Refusal>> parse(std::string_view text) {
    TRY_ASSIGN(const Json root, Json::parse(text));
    TRY_ASSIGN(const auto* members, document::members_of(root));
    std::vector<Refusal> refusals;
    for (const auto& [key, json] : *members) {
        auto refusal = parse_refusal(key, json);
        if (!refusal) {
            return entry::fault_in(key, json, refusal.error());
        }
        refusals.push_back(*std::move(refusal));
    }
    std::vector<Refusal> sorted;
    for (auto& [_, refusal] : by_url(std::move(refusals))) {
        sorted.push_back(refusal);
    }
    return sorted;
}

std::string render(std::vector<Refusal> refusals) {
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object();
    for (const auto& [url, refusal] : by_url(std::move(refusals))) {
        json.key(url).begin_object();
        json.whole("status", refusal.status);
        json.whole("at", refusal.at.count());
        json.end_object();
    }
    json.end_object();
    return std::move(json).finish();
}

Result<std::optional<std::vector<Refusal>>> load(const std::string& path) {
    return document::load<std::vector<Refusal>>(path, k_limit, parse, document::Remedy::next_write);
}

Result<Change> store(const std::string& path, std::vector<Refusal> refusals) {
    return replace_file(path, render(std::move(refusals)), k_mode, Durability::until_reboot);
}

} // namespace losos::refused_file
