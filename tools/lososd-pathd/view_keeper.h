// Keeps what the hub gives a box: its pass, and which of its custom domains are live. The hub is
// the edge of --registrar-url, asked where it is, whatever path the box is on.
#pragma once

#include "official.h"
#include "serve_options.h"
#include "view_fetch.h"

#include "core/edge_document.h"

#include <functional>
#include <optional>
#include <string>

namespace losos {

/// All members belong to the loop's thread.
class ViewKeeper {
public:
    /// `changed` is called from the loop after each answer. `tasks` and `threads` must outlive
    /// this.
    ViewKeeper(const ServeOptions& options, LoopTasks& tasks, WorkerThreads& threads,
               std::function<void()> changed);
    ViewKeeper(const ViewKeeper&) = delete;
    ViewKeeper& operator=(const ViewKeeper&) = delete;

    void path_changed() { m_machine.path_changed(); }
    /// Asks when it is time and the hub is official.
    void look(const OfficialEdges& official, const TimePair& time);
    /// When there is something to do next; nullopt while there is not.
    std::optional<MonotonicTime> due() const;

private:
    /// The edge to ask, and as whom.
    struct Hub {
        HttpUrl url;
        DnsLabel box;
    };

    static std::optional<Hub> find_hub(const ServeOptions& options);
    static EarlierPass find_pass(const ServeOptions& options);
    void ask(const IdentityPublicKey& root, MonotonicTime now);
    void take(const ViewOutcome& outcome);
    void say(const std::string& fault);
    void drop_lapsed_pass();

    const ServeOptions& m_options;
    LoopTasks& m_tasks;
    WorkerThreads& m_threads;
    std::function<void()> m_changed;
    const std::optional<Hub> m_hub;
    ViewMachine m_machine;
    bool m_has_pass;
    /// What is wrong, said once.
    std::string m_fault;
};

} // namespace losos
