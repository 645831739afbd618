#include "files/vouch_file.h"

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "files/document.h"
#include "files/entry.h"

#include <utility>

namespace losos::vouch_file {
namespace {

constexpr mode_t k_mode = 0600;

/// What `parse` makes of a text; one that is absent, null or empty is not known yet.
template <class T>
Result<std::optional<T>> read_if_known(const Json& json, std::string_view key) {
    TRY_ASSIGN(const auto text, json.optional_text(key));
    if (!text || text->empty()) {
        return std::optional<T>();
    }
    TRY_ASSIGN(auto value, entry::parsed(json, key, T::parse));
    return std::optional<T>(std::move(value));
}

Result<Seller> read_seller(const std::string& id, const Json& json) {
    TRY(DnsLabel::parse(id));
    TRY(json.members(id));
    Seller seller;
    TRY_ASSIGN(seller.account_id, read_if_known<AccountId>(json, "account_id"));
    TRY_ASSIGN(seller.ready, json.boolean_or("ready", false));
    TRY_ASSIGN(seller.box_uuid, read_if_known<BoxUuid>(json, "box_uuid"));
    return seller;
}

} // namespace

Result<VouchList> parse(std::string_view text) {
    TRY_ASSIGN(const Json root, Json::parse(text));
    TRY(document::members_of(root));
    TRY_ASSIGN(const auto* members, root.required_members("sellers"));
    VouchList list;
    for (const auto& [id, json] : *members) {
        auto seller = read_seller(id, json);
        if (seller) {
            list.sellers.emplace(*DnsLabel::parse(id), *std::move(seller));
        } else {
            list.faulty.push_back({id, std::move(seller).error().what});
        }
    }
    return list;
}

std::string render(const VouchList& list) {
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object();
    json.key("sellers").begin_object();
    for (const auto& [id, seller] : list.sellers) {
        json.key(id.text()).begin_object();
        json.key("account_id");
        seller.account_id ? json.text(seller.account_id->text()) : json.null();
        json.boolean("ready", seller.ready);
        json.key("box_uuid");
        seller.box_uuid ? json.text(seller.box_uuid->text()) : json.null();
        json.end_object();
    }
    json.end_object().end_object();
    return std::move(json).finish();
}

Result<std::optional<VouchList>> load(const std::string& path) {
    return document::load<VouchList>(path, k_limit, parse);
}

Result<Change> store(const std::string& path, const VouchList& list) {
    return replace_file(path, render(list), k_mode, Durability::durable);
}

} // namespace losos::vouch_file
