#include "files/announced_file.h"

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "files/document.h"
#include "files/entry.h"

#include <limits>
#include <utility>

namespace losos::announced_file {
namespace {

constexpr mode_t k_mode = 0600;

Result<std::vector<HttpUrl>> parse_leaving(const Json& root) {
    std::vector<HttpUrl> leaving;
    if (root.find("leaving") == nullptr) {
        return leaving;
    }
    TRY_ASSIGN(const auto* items, root.required_items("leaving"));
    for (const Json& item : *items) {
        TRY_ASSIGN(auto url, item.text_as("leaving", HttpUrl::parse));
        leaving.push_back(std::move(url));
    }
    return leaving;
}

} // namespace

Result<Announced> parse(std::string_view text) {
    TRY_ASSIGN(const Json root, Json::parse(text));
    TRY_ASSIGN(auto leaving, parse_leaving(root));
    if (root.find("url") == nullptr && !leaving.empty()) {
        return Announced{std::nullopt, UnixTime(0), std::move(leaving)};
    }
    TRY_ASSIGN(auto url, entry::parsed(root, "url", HttpUrl::parse));
    TRY_ASSIGN(const auto at,
               root.required_whole("at", 0, std::numeric_limits<std::int64_t>::max()));
    return Announced{std::move(url), UnixTime(at), std::move(leaving)};
}

std::string render(const Announced& announced) {
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object();
    if (announced.url) {
        json.text("url", announced.url->text());
        json.whole("at", announced.at.count());
    }
    if (!announced.leaving.empty()) {
        json.key("leaving").begin_array();
        for (const HttpUrl& edge : announced.leaving) {
            json.text(edge.text());
        }
        json.end_array();
    }
    json.end_object();
    return std::move(json).finish();
}

Result<std::optional<Announced>> load(const std::string& path) {
    return document::load<Announced>(path, k_limit, parse, document::Remedy::next_write);
}

Result<Change> store(const std::string& path, const Announced& announced) {
    return replace_file(path, render(announced), k_mode, Durability::until_reboot);
}

Result<Change> remove(const std::string& path) {
    return remove_file(path, Durability::until_reboot);
}

} // namespace losos::announced_file
