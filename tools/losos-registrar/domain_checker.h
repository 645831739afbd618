// Looks claims up in DNS beside the reconciler, on threads of its own: a server that hangs costs
// only the claims it is asked about.
#pragma once

#include "base/guarded.h"
#include "core/domain_table.h"
#include "io/worker_threads.h"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace losos {

/// What came of one check.
struct CheckedDomain {
    DomainCheck check;
    DomainFinding finding = {};
    /// Whether the resolver answered any question, be it with that it has no answer.
    bool was_answered = false;
    /// Why it answered none; empty where it was only slow, which may be the domain's own servers.
    std::string trouble = {};
};

class DomainChecker {
public:
    /// `found` is called on another thread after each check.
    DomainChecker(DnsCheckUrl resolver, std::function<void()> found);
    /// Gives up the questions that are out: nobody takes their answers in any more.
    ~DomainChecker();
    DomainChecker(const DomainChecker&) = delete;
    DomainChecker& operator=(const DomainChecker&) = delete;

    /// Begins checks, each with what to look for.
    void begin(std::vector<std::pair<DomainCheck, DomainLookup>> checks);
    /// What was found since the last call.
    std::vector<CheckedDomain> take();

private:
    void look_up(const DomainCheck& check, DomainLookup lookup);

    DnsCheckUrl m_resolver;
    std::function<void()> m_found;
    std::atomic<bool> m_stopping{false};
    Guarded<std::vector<CheckedDomain>> m_findings;
    WorkerThreads m_threads;
};

} // namespace losos
