// Which edges proved to be official (losos-edge-identity(7)): each that answers is asked, and again
// from time to time.
#pragma once

#include "core/edge_table.h"
#include "core/identity_api.h"
#include "files/root_key_file.h"
#include "io/loop_tasks.h"
#include "io/worker_threads.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace losos {

/// Asks an edge to prove that it is official, with a nonce of its own.
IdentityFinding ask_identity(const IdentityPublicKey& root, const HttpUrl& url, Duration timeout,
                             const std::atomic<bool>& abandoned);

/// All members belong to the loop's thread.
class OfficialEdges {
public:
    /// Without a root key file nobody is asked. `changed` is called from the loop after each
    /// verdict. `tasks` and `threads` must outlive this.
    OfficialEdges(std::optional<std::string> root_key_file, LoopTasks& tasks,
                  WorkerThreads& threads, std::function<void()> changed);
    OfficialEdges(const OfficialEdges&) = delete;
    OfficialEdges& operator=(const OfficialEdges&) = delete;

    /// Asks those that answer and whose turn it is.
    void ask_due(const EdgeTable& table, MonotonicTime now);
    /// When somebody's turn comes; nullopt while nobody waits for one.
    std::optional<MonotonicTime> due() const;
    /// Those that are official now.
    std::vector<HttpUrl> official(UnixTime now) const;
    /// The key they are judged by; nullopt while there is none.
    const std::optional<IdentityPublicKey>& root() const { return m_root; }

private:
    struct Entry {
        HttpUrl url;
        MonotonicTime due{0};
        bool is_asked = false;
        bool is_in_reach = false;
        int silences = 0;
        std::optional<IdentityVerdict> verdict;
        std::optional<UnixTime> official_until;
    };

    void read_root_key();
    void meet(const HttpUrl& url, MonotonicTime now);
    void ask(Entry& entry);
    void take(const HttpUrl& url, const IdentityFinding& finding);
    Entry* find(const HttpUrl& url);

    const std::optional<std::string> m_root_key_file;
    LoopTasks& m_tasks;
    WorkerThreads& m_threads;
    std::function<void()> m_changed;
    std::optional<FileStamp> m_stamp;
    bool m_is_read = false;
    std::optional<IdentityPublicKey> m_root;
    std::vector<Entry> m_entries;
};

} // namespace losos
