// Which host names a program that knows no mDNS can resolve. Each is asked once, off the loop, and
// again when it is wanted after a while.
#pragma once

#include "base/duration.h"
#include "core/lan_service.h"
#include "io/loop_tasks.h"
#include "io/worker_threads.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace losos {

/// All members belong to the loop's thread.
class LanNames {
public:
    /// `changed` is called from the loop after an answer. `tasks` and `threads` must outlive this.
    LanNames(LoopTasks& tasks, WorkerThreads& threads, std::function<void()> changed)
        : m_tasks(tasks), m_threads(threads), m_changed(std::move(changed)) {}
    LanNames(const LanNames&) = delete;
    LanNames& operator=(const LanNames&) = delete;

    /// These and no others matter from now on.
    void want(const std::set<std::string>& hosts, MonotonicTime now);
    /// Whether it was never answered so far.
    bool is_pending(const std::string& host) const;
    /// Those that resolve, and to nothing that leads back to this box.
    std::set<std::string> resolving(const ThisBox& box) const;

private:
    struct Entry {
        std::optional<std::vector<IpAddress>> addresses;
        MonotonicTime asked{0};
        bool is_asked = false;
    };

    void ask(const std::string& host, Entry& entry, MonotonicTime now);
    void take(const std::string& host, const std::vector<std::string>& addresses);
    void ask_next(MonotonicTime now);

    LoopTasks& m_tasks;
    WorkerThreads& m_threads;
    std::function<void()> m_changed;
    std::map<std::string, Entry> m_entries;
};

} // namespace losos
