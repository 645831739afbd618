#include "files/hub_noise_file.h"

#include "files/document.h"
#include "files/one_line.h"

#include <utility>

namespace losos::hub_noise_file {
namespace {

constexpr mode_t k_mode = 0600;
constexpr std::string_view k_pub = ".pub";
constexpr std::string_view k_for = ".for";

// Neither half can be put right by hand: what the hub's key was is known to nobody here.
constexpr std::string_view k_way_out = "take the uplink away with \"losos-edge uplink clear\", and "
                                       "set it again with \"losos-edge uplink set\"";

} // namespace

Result<std::optional<HubNoisePin>> load(const std::string& pub_path) {
    TRY_ASSIGN(auto key, document::load<NoiseKey>(
                             pub_path, k_limit,
                             [](std::string_view text) {
                                 return document::with_remedy(NoiseKey::parse(text), k_way_out);
                             },
                             document::Remedy::next_write));
    TRY_ASSIGN(auto url, one_line::load<HttpUrl>(
                             for_path(pub_path), k_limit,
                             [](std::string_view line) {
                                 return document::with_remedy(HttpUrl::parse(line), k_way_out);
                             },
                             document::Remedy::next_write));
    if (!key || !url) {
        return std::optional<HubNoisePin>();
    }
    return std::optional(HubNoisePin{*std::move(key), *std::move(url)});
}

Result<Change> store(const std::string& pub_path, const HubNoisePin& pin) {
    TRY_ASSIGN(const Change key,
               replace_file(pub_path, pin.key.text() + "\n", k_mode, Durability::durable));
    TRY_ASSIGN(const Change owner, replace_file(for_path(pub_path), pin.registrar_url.text() + "\n",
                                                k_mode, Durability::durable));
    return key == Change::changed ? key : owner;
}

Result<Change> remove(const std::string& pub_path) {
    TRY_ASSIGN(const Change key, remove_file(pub_path, Durability::durable));
    TRY_ASSIGN(const Change owner, remove_file(for_path(pub_path), Durability::durable));
    return key == Change::changed ? key : owner;
}

std::string for_path(const std::string& pub_path) {
    std::string path = pub_path;
    if (path.ends_with(k_pub)) {
        path.resize(path.size() - k_pub.size());
    }
    path += k_for;
    return path;
}

} // namespace losos::hub_noise_file
