// The names a box owner may bring along (losos-custom-domains(7)): which texts are custom domains,
// and which names are the edge's own and so nobody's to bring.
#pragma once

#include "base/result.h"
#include "core/names.h"

#include <string>
#include <string_view>
#include <vector>

namespace losos {

/// What stands in front of a domain where its proof is looked for.
inline constexpr std::string_view k_challenge_prefix = "_losos-challenge.";

/// A DNS name of at least two labels that is no address and leaves room for its proof: lower case,
/// without a dot at the end.
class CustomDomain {
public:
    /// Folds ASCII upper case and takes one dot off the end. Fails with a sentence that says what
    /// is wrong with the text, and none of the text.
    static Result<CustomDomain> parse(std::string_view text);

    const std::string& text() const { return m_name.text(); }
    const DnsName& name() const { return m_name; }
    friend auto operator<=>(const CustomDomain&, const CustomDomain&) = default;

private:
    explicit CustomDomain(DnsName name) : m_name(std::move(name)) {}
    DnsName m_name;
};

/// Whether a name is that zone or stands anywhere under it.
bool is_at_or_under(const DnsName& name, const DnsName& zone);

/// What belongs to the edge.
struct OwnNames {
    /// With everything under them: its domain, its zone, its own host.
    std::vector<DnsName> trees;
    /// By themselves.
    std::vector<DnsName> hosts;

    bool cover(const DnsName& name) const;
};

} // namespace losos
