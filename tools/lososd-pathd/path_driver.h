// Owns what a box knows of its edges and the path it is on: takes what happened, chooses again,
// asks whoever is due, and has the result written.
#pragma once

#include "official.h"
#include "path_writer.h"
#include "prober.h"
#include "view_keeper.h"

#include "base/guarded.h"
#include "core/path_state.h"
#include "core/probe_plan.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace losos {

/// All members but document() belong to the loop's thread.
class PathDriver {
public:
    PathDriver(const ServeOptions& options, EventLoop& loop, LoopTasks& tasks,
               WorkerThreads& threads);
    PathDriver(const PathDriver&) = delete;
    PathDriver& operator=(const PathDriver&) = delete;

    /// Takes up the path of an earlier run and writes the first files; fails when it cannot.
    Result<void> start();

    /// What the LAN has now; without edges nothing but the search changes.
    void set_lan(LanSearch search, const std::optional<std::vector<LanEdge>>& edges);
    /// The box's own network changed.
    void probe_all();

    /// What is known as of now.
    EdgeDocument document() const { return m_published.copy(); }
    /// For the service manager.
    std::string status() const;

private:
    void look();
    void take_change();
    void keep_connections();
    void send(const ProbePlan& plan, MonotonicTime now);
    void send_probe(const PlannedProbe& probe, MonotonicTime now);
    std::optional<PinCheck> load_pin(const EdgeWay& way);
    void take_probe(const ProbeOrder& order, ProbeResult result);
    void take_cut_off(const EdgeWay& way);
    void take_tunnel(const EdgeWay& way, bool taken, MonotonicTime asked);
    EdgeDocument describe() const;
    void write();
    void sleep_until_due(std::optional<MonotonicTime> planned, MonotonicTime now);
    void watch_files();
    void run_dir_changed(std::string_view name);
    void pins_changed(std::string_view name);
    void read_refusals();

    const ServeOptions& m_options;
    EventLoop& m_loop;
    EdgeTable m_table;
    PathState m_state;
    PathWriter m_writer;
    Prober m_prober;
    OfficialEdges m_official;
    ViewKeeper m_views;
    Guarded<EdgeDocument> m_published;
    std::unique_ptr<EventLoop::Alarm> m_alarm;
    /// What could not be written, said once.
    std::string m_write_fault;
    std::optional<MonotonicTime> m_write_again;
    std::string m_refusals_fault;
    std::set<std::string> m_faulty_pins;
    bool m_watches_pins = false;
};

} // namespace losos
