#include "core/domain_lookup.h"

#include "core/domain_proof.h"

#include <algorithm>

namespace losos {

FindingVerdict judge_finding(const DomainFinding& finding) {
    if (finding.txt == TxtFinding::missing || finding.txt == TxtFinding::wrong ||
        finding.pointing == PointingFinding::elsewhere) {
        return FindingVerdict::wrong;
    }
    return finding.txt == TxtFinding::right && finding.pointing == PointingFinding::here
               ? FindingVerdict::right
               : FindingVerdict::open;
}

std::optional<DnsQuestion> DomainLookup::next() const {
    switch (m_step) {
    case Step::txt:
        return DnsQuestion{proof_name_of(m_wanted.domain), DnsType::txt};
    case Step::cname:
        return DnsQuestion{m_wanted.domain.text(), DnsType::cname};
    case Step::a:
        return DnsQuestion{m_wanted.domain.text(), DnsType::a};
    case Step::aaaa:
        return DnsQuestion{m_wanted.domain.text(), DnsType::aaaa};
    case Step::done:
        break;
    }
    return std::nullopt;
}

void DomainLookup::take(const std::optional<DnsAnswer>& answer) {
    if (answer && m_step != Step::txt && m_step != Step::done) {
        const auto names = aliases_of(*answer, m_wanted.domain.text());
        m_leads_to_target = m_leads_to_target || std::find(names.begin() + 1, names.end(),
                                                           m_wanted.target.text()) != names.end();
    }
    switch (m_step) {
    case Step::txt:
        m_txt = answer ? judge_txt(*answer) : TxtFinding::no_answer;
        m_step = Step::cname;
        return;
    case Step::cname:
        m_step = Step::a;
        break;
    case Step::a:
        m_v4 = answer ? judge_addresses(*answer, DnsType::a) : Addresses::unknown;
        m_step = Step::aaaa;
        break;
    case Step::aaaa:
        m_v6 = answer ? judge_addresses(*answer, DnsType::aaaa) : Addresses::unknown;
        m_step = Step::done;
        break;
    case Step::done:
        return;
    }
    if (pointing() != PointingFinding::no_answer) {
        m_step = Step::done;
    }
}

DomainFinding DomainLookup::finding() const {
    return {m_txt, pointing()};
}

TxtFinding DomainLookup::judge_txt(const DnsAnswer& answer) const {
    const auto texts = data_at(answer, proof_name_of(m_wanted.domain), DnsType::txt);
    if (texts.empty()) {
        return TxtFinding::missing;
    }
    return std::find(texts.begin(), texts.end(), m_wanted.proof_text) == texts.end()
               ? TxtFinding::wrong
               : TxtFinding::right;
}

DomainLookup::Addresses DomainLookup::judge_addresses(const DnsAnswer& answer, DnsType type) const {
    const auto found = data_at(answer, m_wanted.domain.text(), type);
    if (found.empty()) {
        return Addresses::none;
    }
    const bool all_ours = std::all_of(found.begin(), found.end(), [&](const std::string& text) {
        const auto address = IpAddress::parse(text);
        return address && std::find(m_wanted.addresses.begin(), m_wanted.addresses.end(),
                                    *address) != m_wanted.addresses.end();
    });
    return all_ours ? Addresses::ours : Addresses::foreign;
}

/// One address elsewhere is enough: some visitors, and the authority that is to sign for the name,
/// would go there.
PointingFinding DomainLookup::pointing() const {
    if (m_leads_to_target) {
        return PointingFinding::here;
    }
    if (m_v4 == Addresses::foreign || m_v6 == Addresses::foreign) {
        return PointingFinding::elsewhere;
    }
    if (m_v4 == Addresses::unknown || m_v6 == Addresses::unknown) {
        return PointingFinding::no_answer;
    }
    return m_v4 == Addresses::ours || m_v6 == Addresses::ours ? PointingFinding::here
                                                              : PointingFinding::elsewhere;
}

} // namespace losos
