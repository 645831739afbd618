// For which boxes somebody vouches, which is what lets them have custom domains: the rows of the
// vouch file, and which of them count.
#pragma once

#include "base/result.h"
#include "core/names.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos {

/// The UUID of a machine, in lower case: 8, 4, 4, 4 and 12 hex digits joined by hyphens.
class BoxUuid {
public:
    /// Folds upper case; fails on any other form.
    static Result<BoxUuid> parse(std::string_view text);

    const std::string& text() const { return m_text; }
    friend auto operator<=>(const BoxUuid&, const BoxUuid&) = default;

private:
    explicit BoxUuid(std::string text) : m_text(std::move(text)) {}
    std::string m_text;
};

/// Whose box it is: 1 to 128 bytes of UTF-8 on one line, for line feeds part what is hashed.
class AccountId {
public:
    /// Fails without saying any of the text.
    static Result<AccountId> parse(std::string_view text);

    const std::string& text() const { return m_text; }
    friend auto operator<=>(const AccountId&, const AccountId&) = default;

private:
    explicit AccountId(std::string text) : m_text(std::move(text)) {}
    std::string m_text;
};

/// A row of the vouch file. What is not known yet is left out of it.
struct Seller {
    std::optional<AccountId> account_id;
    bool ready = false;
    std::optional<BoxUuid> box_uuid;
    friend bool operator==(const Seller&, const Seller&) = default;
};

/// A row that cannot be used, and why: it vouches for nobody, and the others go on.
struct FaultySeller {
    std::string id;
    std::string fault;
    friend bool operator==(const FaultySeller&, const FaultySeller&) = default;
};

/// The vouch file, read.
struct VouchList {
    std::map<DnsLabel, Seller> sellers;
    std::vector<FaultySeller> faulty;
    friend bool operator==(const VouchList&, const VouchList&) = default;
};

/// What makes a box eligible.
struct Voucher {
    AccountId account_id;
    BoxUuid box_uuid;
    friend bool operator==(const Voucher&, const Voucher&) = default;
};

/// The boxes somebody vouches for.
using Vouchers = std::map<DnsLabel, Voucher>;

/// Boxes that are vouched for as one and the same machine: by mistake, for each has its own.
struct SharedUuid {
    /// The first by id.
    DnsLabel holder;
    std::vector<DnsLabel> others;
    friend bool operator==(const SharedUuid&, const SharedUuid&) = default;
};

/// By holder.
std::vector<SharedUuid> shared_uuids(const Vouchers& vouchers);

/// As one sentence that says what it costs and what to do.
std::string describe(const SharedUuid& shared);

/// The rows that are ready and say both whose the box is and which it is.
Vouchers vouchers_of(const VouchList& list);

} // namespace losos
