#include "official.h"

#include "edge_client.h"

#include "base/crypto.h"
#include "base/hex.h"
#include "base/log.h"
#include "io/clock.h"

#include <algorithm>
#include <utility>

namespace losos {

namespace {

constexpr Duration k_again{std::chrono::minutes(10)};
constexpr Duration k_again_after_silence{30000};
constexpr Duration k_patience{5000};
constexpr std::size_t k_nonce_bytes = 32;
/// Edges that are asked at once.
constexpr long k_asked_max = 4;
/// So many answers may be missing in a row before what was proven counts no more.
constexpr int k_silences_max = 2;

} // namespace

IdentityFinding ask_identity(const IdentityPublicKey& root, const HttpUrl& url, Duration timeout,
                             const std::atomic<bool>& abandoned) {
    const auto nonce = IdentityNonce::parse(hex_encode(random_bytes(k_nonce_bytes)));
    if (!nonce) {
        return {};
    }
    const auto answer = ask_edge(url, identity_path(*nonce), timeout, &abandoned);
    return find_identity(
        root, answer ? std::optional(EdgeAnswer{answer->status, answer->body}) : std::nullopt, url,
        *nonce, unix_now());
}

OfficialEdges::OfficialEdges(std::optional<std::string> root_key_file, LoopTasks& tasks,
                             WorkerThreads& threads, std::function<void()> changed)
    : m_root_key_file(std::move(root_key_file)), m_tasks(tasks), m_threads(threads),
      m_changed(std::move(changed)) {}

/// Whoever was judged by another key is to be judged anew.
void OfficialEdges::read_root_key() {
    const auto stamp = stamp_file(*m_root_key_file);
    if (m_is_read && stamp == m_stamp) {
        return;
    }
    m_is_read = true;
    m_stamp = stamp;
    m_entries.clear();
    m_root.reset();
    auto key = root_key_file::load(*m_root_key_file);
    if (!key) {
        log(LogLevel::warning, "{}; no edge is official", key.error().what);
    } else if (!*key) {
        log(LogLevel::warning, "{} is missing; no edge is official", *m_root_key_file);
    } else {
        m_root = **key;
    }
}

void OfficialEdges::ask_due(const EdgeTable& table, MonotonicTime now) {
    if (!m_root_key_file) {
        return;
    }
    read_root_key();
    if (!m_root) {
        return;
    }
    for (Entry& entry : m_entries) {
        entry.is_in_reach = false;
    }
    for (const EdgeRecord& edge : table.edges()) {
        for (const WayRecord& way : edge.ways) {
            if (way.health.is_usable() && way.health.last()) {
                meet(way.way.url, now);
            }
        }
    }
    // One that is back has to prove himself again.
    std::erase_if(m_entries,
                  [](const Entry& entry) { return !entry.is_in_reach && !entry.is_asked; });
    for (Entry& entry : m_entries) {
        const auto asked = std::count_if(m_entries.begin(), m_entries.end(),
                                         [](const Entry& each) { return each.is_asked; });
        if (!entry.is_asked && entry.due <= now && asked < k_asked_max) {
            ask(entry);
        }
    }
}

void OfficialEdges::meet(const HttpUrl& url, MonotonicTime now) {
    if (Entry* const known = find(url)) {
        known->is_in_reach = true;
    } else {
        m_entries.push_back({url, now, false, true, 0, {}, {}});
    }
}

std::optional<MonotonicTime> OfficialEdges::due() const {
    std::optional<MonotonicTime> due;
    for (const Entry& entry : m_entries) {
        if (!entry.is_asked && (!due || entry.due < *due)) {
            due = entry.due;
        }
    }
    return due;
}

std::vector<HttpUrl> OfficialEdges::official(UnixTime now) const {
    std::vector<HttpUrl> urls;
    for (const Entry& entry : m_entries) {
        if (entry.official_until && now <= *entry.official_until) {
            urls.push_back(entry.url);
        }
    }
    return urls;
}

OfficialEdges::Entry* OfficialEdges::find(const HttpUrl& url) {
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                    [&url](const Entry& entry) { return entry.url == url; });
    return found == m_entries.end() ? nullptr : &*found;
}

void OfficialEdges::ask(Entry& entry) {
    entry.is_asked = m_threads.run([this, tasks = &m_tasks, root = *m_root, url = entry.url,
                                    abandoned = &m_threads.are_joined()] {
        const auto finding = ask_identity(root, url, k_patience, *abandoned);
        tasks->post([this, url, finding] { take(url, finding); });
    });
    if (!entry.is_asked) {
        entry.due = monotonic_now() + k_again_after_silence;
    }
}

void OfficialEdges::take(const HttpUrl& url, const IdentityFinding& finding) {
    Entry* const entry = find(url);
    if (entry == nullptr) {
        return;
    }
    entry->is_asked = false;
    const bool is_silent = finding.verdict == IdentityVerdict::no_answer;
    entry->silences = is_silent ? entry->silences + 1 : 0;
    entry->due = monotonic_now() + (is_silent ? k_again_after_silence : k_again);
    if (finding.certificate) {
        entry->official_until = finding.certificate->not_after;
    } else if (!is_silent || entry->silences >= k_silences_max) {
        entry->official_until.reset();
    }
    if (std::exchange(entry->verdict, finding.verdict) != finding.verdict) {
        log(LogLevel::info, "{} {}", url.text(), explain(finding.verdict));
    }
    m_changed();
}

} // namespace losos
