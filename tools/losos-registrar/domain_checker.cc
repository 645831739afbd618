#include "domain_checker.h"

#include "io/clock.h"
#include "io/dns_over_https.h"

#include <utility>

namespace losos {

namespace {

/// For one claim, all its questions together.
constexpr Duration k_patience{5000};
/// A failure this close to the end of the patience is one of slowness.
constexpr Duration k_slow{500};
constexpr std::size_t k_stack_bytes = std::size_t{1024} * 1024;

/// What one question came to.
struct Asked {
    std::optional<DnsAnswer> answer;
    /// Why it came to no word of a resolver; empty for any word, be it that there is no answer.
    std::string trouble;
};

Asked ask(const DnsCheckUrl& resolver, const DnsQuestion& question, Duration patience,
          const std::atomic<bool>& abandoned) {
    const auto& server = resolver.server();
    const HttpTarget target{server.is_https(), server.endpoint().host(),
                            server.endpoint().port().number()};
    const auto body = ask_dns_over_https(target, resolver.path_of(question), patience, abandoned);
    if (!body) {
        return {std::nullopt, body.error().what};
    }
    auto answer = parse_dns_json(*body);
    if (answer) {
        return {*std::move(answer), {}};
    }
    const auto& error = answer.error();
    return {std::nullopt, error.code == Errc::no_answer ? std::string() : error.what};
}

} // namespace

DomainChecker::DomainChecker(DnsCheckUrl resolver, std::function<void()> found)
    : m_resolver(std::move(resolver)), m_found(std::move(found)), m_threads(k_stack_bytes) {}

DomainChecker::~DomainChecker() {
    m_stopping = true;
    m_threads.join();
}

void DomainChecker::begin(std::vector<std::pair<DomainCheck, DomainLookup>> checks) {
    for (const auto& each : checks) {
        const bool runs = m_threads.run([this, each] { look_up(each.first, each.second); });
        if (!runs) {
            m_findings.with([&each](auto& findings) { findings.push_back({each.first}); });
            m_found();
        }
    }
}

void DomainChecker::look_up(const DomainCheck& check, DomainLookup lookup) {
    CheckedDomain checked{check};
    const auto deadline = monotonic_now() + k_patience;
    while (const auto question = lookup.next()) {
        const auto left = deadline - monotonic_now();
        if (m_stopping || left <= Duration(0)) {
            break;
        }
        auto asked = ask(m_resolver, *question, left, m_stopping);
        if (asked.trouble.empty()) {
            checked.was_answered = true;
        } else if (monotonic_now() + k_slow < deadline) {
            checked.trouble = std::move(asked.trouble);
        }
        lookup.take(asked.answer);
    }
    checked.finding = lookup.finding();
    m_findings.with([&](auto& findings) { findings.push_back(std::move(checked)); });
    m_found();
}

std::vector<CheckedDomain> DomainChecker::take() {
    return m_findings.with([](auto& findings) { return std::exchange(findings, {}); });
}

} // namespace losos
