// Asks edges whether they answer. Plain HTTP is asked on the event loop, where a wait costs no
// thread; TLS and names that have to be resolved take a thread for as long as that lasts.
#pragma once

#include "core/lan_edges.h"
#include "core/probe_answer.h"
#include "io/event_loop.h"
#include "io/loop_connect.h"
#include "io/loop_http_get.h"
#include "io/loop_tasks.h"
#include "io/worker_threads.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace losos {

/// What an edge's Noise key is compared with; no key where none is pinned.
struct PinCheck {
    std::optional<NoiseKey> pin;
};

struct ProbeOrder {
    EdgeWay way;
    Duration timeout{0};
    /// Nothing where the key does not matter.
    std::optional<PinCheck> key;
    MonotonicTime sent{0};
};

/// All members belong to the loop's thread.
class Prober {
public:
    using Done = std::function<void(const ProbeOrder& order, ProbeResult result)>;
    using CutOff = std::function<void(const EdgeWay& way)>;
    using TunnelDone = std::function<void(bool taken)>;

    /// Each probe comes to `done`, once and from the loop. `cut_off` is called when the
    /// connection to the way in use ends between two probes. `tasks` and `threads` must outlive
    /// this.
    Prober(EventLoop& loop, LoopTasks& tasks, WorkerThreads& threads, Done done, CutOff cut_off);
    Prober(const Prober&) = delete;
    Prober& operator=(const Prober&) = delete;

    void probe(ProbeOrder order);
    /// Whether the way's tunnel port takes connections; one look at a time, a further one ends the
    /// first without a word.
    void look_at_tunnel(const EdgeWay& way, MonotonicTime deadline, TunnelDone done);
    /// Whose connections stay open from one probe to the next where they are of plain HTTP, the way
    /// in use first.
    void keep_connections_to(std::vector<EdgeWay> ways);
    bool keeps_connection_to(const EdgeWay& way) const;

private:
    struct Run {
        ProbeOrder order;
        /// Still to be tried, the next one first.
        std::vector<std::string> addresses;
        std::string address;
        std::optional<EdgeAnswer> health;
        std::unique_ptr<LoopHttpGet> get;
    };
    struct Resolved {
        std::vector<std::string> addresses;
        MonotonicTime at{0};
    };
    using Addresses = std::vector<std::string>;

    struct Kept {
        EdgeWay way;
        std::string address;
        UniqueFd connection;
        std::unique_ptr<EventLoop::DescriptorWatch> watch;
    };

    void resolve(const std::string& host, MonotonicTime deadline,
                 std::function<void(Addresses)> then);
    void try_next_address(std::uint64_t id, UniqueFd kept);
    void ask(std::uint64_t id, const std::string& path, UniqueFd connection);
    void answered(std::uint64_t id, LoopAnswer answer);
    void answered_health(std::uint64_t id, LoopAnswer answer);
    void answered_key(std::uint64_t id, LoopAnswer answer);
    void keep(const Run& run, UniqueFd connection);
    void kept_ended(EdgeWay way);
    void finish(std::uint64_t id, ProbeResult result);
    void run_on_thread(std::uint64_t id);

    EventLoop& m_loop;
    LoopTasks& m_tasks;
    WorkerThreads& m_threads;
    Done m_done;
    CutOff m_cut_off;
    std::map<std::uint64_t, Run> m_runs;
    std::uint64_t m_last_id = 0;
    std::map<std::string, Resolved> m_resolved;
    std::vector<EdgeWay> m_keep_for;
    std::vector<Kept> m_kept;
    std::unique_ptr<LoopConnect> m_tunnel_look;
    std::uint64_t m_tunnel_id = 0;
};

} // namespace losos
