// The work of losos-announce: keep the box registered with its edge, and deregister it at the one
// it has left.
#pragma once

#include "announce_options.h"
#include "box_inputs.h"
#include "edge_calls.h"
#include "edge_records.h"

#include "core/announce_machine.h"
#include "core/leave_plan.h"
#include "io/event_loop.h"

#include <memory>

namespace losos {

class Announcer {
public:
    /// Fails with Errc::unusable when there is no edge or no token to begin with.
    static Result<std::unique_ptr<Announcer>> make(const AnnounceOptions& options);
    Announcer(const Announcer&) = delete;
    Announcer& operator=(const Announcer&) = delete;

    /// Registers, and fails with what the edge said if it was not that. An edge that was left is
    /// told once.
    Result<void> run_once();
    /// Goes on until it is stopped.
    Result<void> run();

private:
    Announcer(const AnnounceOptions& options, InputReader reader, BoxInputs inputs);

    CallOutcome call_edge();
    void settle(const AnnounceStep& step, const CallOutcome& outcome);
    void say(const AnnounceStep& step, const CallOutcome& outcome) const;
    void note_registration();
    void leave_next_edge();
    Result<bool> is_another_edge(const HttpUrl& edge) const;
    void call_when_due();
    void schedule_leaving();
    void follow_path();
    void watch_path();

    const AnnounceOptions& m_options;
    InputReader m_reader;
    BoxInputs m_inputs;
    EdgeRecords m_records;
    AnnounceMachine m_machine;
    LeavePlan m_leaving;
    std::unique_ptr<EventLoop> m_loop;
    std::unique_ptr<EventLoop::Alarm> m_call_alarm;
    std::unique_ptr<EventLoop::Alarm> m_leave_alarm;
};

} // namespace losos
