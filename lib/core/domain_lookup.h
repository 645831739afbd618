// Looking one claim up in DNS: what to ask next, and what the answers come to. Pure; whoever asks
// brings the answers.
#pragma once

#include "core/dns_json.h"
#include "core/domain_name.h"

#include <optional>
#include <string>
#include <vector>

namespace losos {

/// What a lookup found at the name of the proof.
enum class TxtFinding { right, missing, wrong, no_answer };

/// Whether the domain leads to this edge, as far as DNS answered.
enum class PointingFinding { here, elsewhere, no_answer };

/// What a lookup found.
struct DomainFinding {
    TxtFinding txt = TxtFinding::no_answer;
    PointingFinding pointing = PointingFinding::no_answer;
    friend bool operator==(const DomainFinding&, const DomainFinding&) = default;
};

/// What a finding says of the claim.
enum class FindingVerdict {
    right,
    wrong,
    /// Nothing is wrong, but not everything was answered: it counts neither way.
    open,
};

FindingVerdict judge_finding(const DomainFinding& finding);

/// What is looked for.
struct DomainWanted {
    CustomDomain domain;
    std::string proof_text;
    /// The box's name in the zone.
    DnsName target;
    /// The edge's own addresses.
    std::vector<IpAddress> addresses;
};

/// One lookup, question by question: TXT, CNAME, then A and AAAA unless the name already leads to
/// the target.
class DomainLookup {
public:
    explicit DomainLookup(DomainWanted wanted) : m_wanted(std::move(wanted)) {}

    /// nullopt when nothing is left to ask.
    std::optional<DnsQuestion> next() const;
    /// What came of next(); nullopt for no answer.
    void take(const std::optional<DnsAnswer>& answer);
    /// What is known so far; what was not asked was not answered.
    DomainFinding finding() const;

private:
    enum class Step { txt, cname, a, aaaa, done };
    /// What the addresses of one family say.
    enum class Addresses { unknown, none, ours, foreign };

    TxtFinding judge_txt(const DnsAnswer& answer) const;
    Addresses judge_addresses(const DnsAnswer& answer, DnsType type) const;
    PointingFinding pointing() const;

    DomainWanted m_wanted;
    Step m_step = Step::txt;
    TxtFinding m_txt = TxtFinding::no_answer;
    bool m_leads_to_target = false;
    Addresses m_v4 = Addresses::unknown;
    Addresses m_v6 = Addresses::unknown;
};

} // namespace losos
