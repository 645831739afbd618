// The names things have on the wire and on disk, as types: DNS labels and names, and the key of a
// row in the registry. A value of each exists only if its rule holds.
#pragma once

#include "base/result.h"

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace losos {

/// 1-63 of a-z, 0-9 and -, no hyphen at either end. The id of a tenant or a box.
class DnsLabel {
public:
    /// Fails on anything else; upper case is not folded: an upper-case id is no id.
    static Result<DnsLabel> parse(std::string_view text);

    const std::string& text() const { return m_text; }
    friend auto operator<=>(const DnsLabel&, const DnsLabel&) = default;

private:
    /// Its two halves are labels by its own rule.
    friend class RowId;
    explicit DnsLabel(std::string text) : m_text(std::move(text)) {}
    std::string m_text;
};

/// Labels joined by dots, at most 253 characters, lower-cased. A hostname or a relay zone.
class DnsName {
public:
    /// Folds ASCII upper case, then fails unless every part is a DNS label.
    static Result<DnsName> parse(std::string_view text);

    const std::string& text() const { return m_text; }
    /// Whether this is exactly one label in front of `zone`.
    bool is_one_label_under(const DnsName& zone) const;
    friend auto operator<=>(const DnsName&, const DnsName&) = default;

private:
    explicit DnsName(std::string text) : m_text(std::move(text)) {}
    std::string m_text;
};

/// The key of a registry row: a tenant's id, or `<spoke>.<box>` for a box a spoke relays.
class RowId {
public:
    static RowId direct(const DnsLabel& id);
    static RowId relayed(const DnsLabel& spoke, const DnsLabel& box);
    /// Fails unless the text is one DNS label or two joined by a dot.
    static Result<RowId> parse(std::string_view text);

    const std::string& text() const { return m_text; }
    /// The spoke of a relayed row, nullopt for a direct one.
    std::optional<DnsLabel> spoke() const;
    /// The box: the whole id of a direct row, the part after the dot of a relayed one.
    DnsLabel box() const;
    bool is_relayed() const;
    friend auto operator<=>(const RowId&, const RowId&) = default;

private:
    explicit RowId(std::string text) : m_text(std::move(text)) {}
    std::string m_text;
};

} // namespace losos
