#include "core/vouching.h"

#include "base/format.h"
#include "base/utf8.h"
#include "core/ascii.h"

#include <algorithm>
#include <utility>

namespace losos {
namespace {

constexpr std::size_t k_uuid_digits = 36;
constexpr std::size_t k_account_max = 128;

bool is_uuid(std::string_view text) {
    if (text.size() != k_uuid_digits) {
        return false;
    }
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        const bool is_hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
        const bool is_hyphen_place = at == 8 || at == 13 || at == 18 || at == 23;
        if (is_hyphen_place ? c != '-' : !is_hex) {
            return false;
        }
    }
    return true;
}

bool is_one_line(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto character = utf8_at(text, at);
        if (character.length == 0 || is_control_character(character.code_point)) {
            return false;
        }
        at += character.length;
    }
    return true;
}

} // namespace

Result<BoxUuid> BoxUuid::parse(std::string_view text) {
    if (text.size() == k_uuid_digits) {
        auto folded = fold_ascii_case(text);
        if (is_uuid(folded)) {
            return BoxUuid(std::move(folded));
        }
    }
    return Error{Errc::failed, "a UUID is 8, 4, 4, 4 and 12 hex digits joined by hyphens"};
}

Result<AccountId> AccountId::parse(std::string_view text) {
    if (text.empty() || text.size() > k_account_max || !is_one_line(text)) {
        return Error{Errc::failed,
                     "an account is 1 to 128 bytes of UTF-8 without a control character"};
    }
    return AccountId(std::string(text));
}

std::vector<SharedUuid> shared_uuids(const Vouchers& vouchers) {
    std::map<BoxUuid, std::vector<DnsLabel>> boxes;
    for (const auto& [box, voucher] : vouchers) {
        boxes[voucher.box_uuid].push_back(box);
    }
    std::vector<SharedUuid> shared;
    for (auto& [_, ids] : boxes) {
        if (ids.size() > 1) {
            shared.push_back({ids.front(), {ids.begin() + 1, ids.end()}});
        }
    }
    std::sort(shared.begin(), shared.end(),
              [](const SharedUuid& a, const SharedUuid& b) { return a.holder < b.holder; });
    return shared;
}

std::string describe(const SharedUuid& shared) {
    const auto more = shared.others.size() - 1;
    return format(
        "{}{} and {} have one box_uuid, so their name in the zone leads to {} alone; give "
        "each box the UUID of its own machine",
        shared.others.front().text(), more == 0 ? "" : format(", {} more", more),
        shared.holder.text(), shared.holder.text());
}

Vouchers vouchers_of(const VouchList& list) {
    Vouchers vouchers;
    for (const auto& [id, seller] : list.sellers) {
        if (seller.ready && seller.account_id && seller.box_uuid) {
            vouchers.emplace(id, Voucher{*seller.account_id, *seller.box_uuid});
        }
    }
    return vouchers;
}

} // namespace losos
