#include "lan_names.h"

#include "io/clock.h"
#include "io/resolve.h"

#include <algorithm>
#include <utility>

namespace losos {

namespace {

constexpr Duration k_patience{1000};
constexpr Duration k_good_for{60000};
/// A stranger may advertise any number of names.
constexpr long k_asked_max = 8;

/// The names of mDNS, whatever this machine's own resolver makes of them.
bool is_of_mdns(const std::string& host) {
    return host == "local" || host.ends_with(".local");
}

} // namespace

void LanNames::want(const std::set<std::string>& hosts, MonotonicTime now) {
    std::erase_if(m_entries, [&hosts](const auto& each) {
        return !hosts.contains(each.first) && !each.second.is_asked;
    });
    for (const auto& host : hosts) {
        if (!is_of_mdns(host)) {
            m_entries.try_emplace(host);
        }
    }
    ask_next(now);
}

bool LanNames::is_pending(const std::string& host) const {
    const auto found = m_entries.find(host);
    return found != m_entries.end() && !found->second.addresses;
}

std::set<std::string> LanNames::resolving(const ThisBox& box) const {
    std::set<std::string> hosts;
    for (const auto& [host, entry] : m_entries) {
        const bool is_fit =
            entry.addresses && !entry.addresses->empty() &&
            std::all_of(entry.addresses->begin(), entry.addresses->end(),
                        [&box](const IpAddress& address) { return may_be_edge_at(address, box); });
        if (is_fit) {
            hosts.insert(host);
        }
    }
    return hosts;
}

void LanNames::ask_next(MonotonicTime now) {
    auto asked = std::count_if(m_entries.begin(), m_entries.end(),
                               [](const auto& each) { return each.second.is_asked; });
    for (auto& [host, entry] : m_entries) {
        const bool is_due = !entry.addresses || now - entry.asked >= k_good_for;
        if (asked < k_asked_max && !entry.is_asked && is_due) {
            ask(host, entry, now);
            ++asked;
        }
    }
}

void LanNames::ask(const std::string& host, Entry& entry, MonotonicTime now) {
    entry.asked = now;
    entry.is_asked = true;
    const bool runs = m_threads.run([this, tasks = &m_tasks, host, deadline = now + k_patience] {
        auto found = resolve_host(host, deadline);
        tasks->post(
            [this, host, addresses = found ? *std::move(found) : std::vector<std::string>()] {
                take(host, addresses);
            });
    });
    if (!runs) {
        m_tasks.post([this, host] { take(host, {}); });
    }
}

void LanNames::take(const std::string& host, const std::vector<std::string>& addresses) {
    const auto found = m_entries.find(host);
    if (found == m_entries.end()) {
        return;
    }
    std::vector<IpAddress> read;
    for (const auto& text : addresses) {
        if (auto address = IpAddress::parse(text.substr(0, text.find('%')))) {
            read.push_back(*std::move(address));
        }
    }
    found->second.is_asked = false;
    found->second.addresses = std::move(read);
    m_changed();
}

} // namespace losos
