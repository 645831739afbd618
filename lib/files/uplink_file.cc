#include "files/uplink_file.h"

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "files/document.h"
#include "files/entry.h"
#include "files/paths.h"

#include <utility>

namespace losos::uplink_file {
namespace {

constexpr mode_t k_mode = 0600;

} // namespace

Result<UplinkConfig> parse(std::string_view text) {
    TRY_ASSIGN(const Json root, Json::parse(text));
    TRY(document::members_of(root));
    TRY_ASSIGN(auto url, entry::parsed(root, "registrar_url", HttpUrl::parse));
    TRY_ASSIGN(auto endpoint, entry::parsed(root, "rathole_endpoint", Endpoint::parse));
    TRY_ASSIGN(auto id, entry::parsed(root, "id", DnsLabel::parse));
    TRY_ASSIGN(auto token, entry::path(root, "token_file"));
    TRY_ASSIGN(auto bootstrap, entry::optional_path(root, "bootstrap_token_file"));
    TRY_ASSIGN(auto noise, entry::optional_path(root, "noise_public_key_file"));
    return UplinkConfig{std::move(url),   std::move(endpoint),  std::move(id),
                        std::move(token), std::move(bootstrap), std::move(noise)};
}

std::string render(const UplinkConfig& uplink) {
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object();
    json.text("registrar_url", uplink.registrar_url.text());
    json.text("rathole_endpoint", uplink.rathole_endpoint.text());
    json.text("id", uplink.id.text());
    json.text("token_file", uplink.token_file);
    if (uplink.bootstrap_token_file) {
        json.text("bootstrap_token_file", *uplink.bootstrap_token_file);
    }
    if (uplink.noise_public_key_file) {
        json.text("noise_public_key_file", *uplink.noise_public_key_file);
    }
    json.end_object();
    return std::move(json).finish();
}

Result<std::optional<UplinkConfig>> load(const std::string& path) {
    return document::load<UplinkConfig>(path, k_limit, parse);
}

Result<Change> store(const std::string& path, const UplinkConfig& uplink) {
    return replace_file(path, render(uplink), k_mode, Durability::durable);
}

Result<Change> remove(const std::string& path) {
    return remove_file(path, Durability::durable);
}

std::string lock_path(const std::string& path) {
    return beside(path, k_uplink_lock);
}

} // namespace losos::uplink_file
