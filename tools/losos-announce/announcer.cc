#include "announcer.h"

#include "stop_at_once.h"

#include "base/crypto.h"
#include "base/file.h"
#include "base/log.h"
#include "io/clock.h"
#include "io/notify.h"

#include <utility>

namespace losos {

namespace {

/// From 0 to 1.
double jitter() {
    constexpr std::uint32_t k_steps = 1000;
    return static_cast<double>(random_below(k_steps + 1)) / k_steps;
}

} // namespace

Result<std::unique_ptr<Announcer>> Announcer::make(const AnnounceOptions& options) {
    InputReader reader(options);
    TRY_ASSIGN(auto inputs, reader.read());
    return std::unique_ptr<Announcer>(new Announcer(options, std::move(reader), std::move(inputs)));
}

Announcer::Announcer(const AnnounceOptions& options, InputReader reader, BoxInputs inputs)
    : m_options(options), m_reader(std::move(reader)), m_inputs(std::move(inputs)),
      m_records(options.announced_file(), options.refused_file()),
      m_machine(m_inputs.edge, options.heartbeat_interval, monotonic_now()) {
    for (const HttpUrl& edge : m_records.leaving()) {
        m_leaving.leave(edge, monotonic_now());
    }
}

Result<void> Announcer::run_once() {
    m_records.note_attempt(m_inputs.edge);
    const auto outcome = announce(AnnounceCall::register_box, m_options, m_inputs);
    const auto step = m_machine.answered(outcome.status, monotonic_now(), jitter());
    settle(step, outcome);
    if (outcome.error) {
        return *outcome.error;
    }
    if (m_leaving.next()) {
        leave_next_edge();
    }
    return {};
}

Result<void> Announcer::run() {
    TRY_ASSIGN(m_loop, EventLoop::make());
    TRY_ASSIGN(m_call_alarm, m_loop->make_alarm([this] { call_when_due(); }));
    TRY_ASSIGN(m_leave_alarm, m_loop->make_alarm([this] {
        {
            const StopAtOnce stop;
            leave_next_edge();
        }
        schedule_leaving();
    }));
    watch_path();
    m_call_alarm->set(m_machine.due());
    notify_ready(format("registering with {}", m_inputs.edge.text()));
    TRY(m_loop->run());
    notify_stopping();
    return {};
}

CallOutcome Announcer::call_edge() {
    // A stop during the call ends the program before it sees the answer.
    if (m_machine.next_call() == AnnounceCall::register_box) {
        m_records.note_attempt(m_inputs.edge);
    }
    const StopAtOnce stop;
    return announce(m_machine.next_call(), m_options, m_inputs);
}

void Announcer::call_when_due() {
    // Once there were good inputs, there always are.
    if (auto inputs = m_reader.read()) {
        m_inputs = *std::move(inputs);
    }
    m_machine.aim_at(m_inputs.edge, monotonic_now());
    const auto outcome = call_edge();
    const auto step = m_machine.answered(outcome.status, monotonic_now(), jitter());
    settle(step, outcome);
    if (step.news) {
        say(step, outcome);
    }
    m_call_alarm->set(m_machine.due());
    schedule_leaving();
}

void Announcer::settle(const AnnounceStep& step, const CallOutcome& outcome) {
    if (step.refusal) {
        m_records.note_refusal(m_inputs.edge, *step.refusal, unix_now());
    }
    if (step.call == AnnounceCall::register_box && !outcome.error) {
        note_registration();
    } else if (step.call == AnnounceCall::register_box) {
        m_records.note_leaving(m_leaving.edges());
    }
}

void Announcer::note_registration() {
    // No note outlives a reboot. The edge that may have had the box before it is the configured
    // one, which would send visitors into a tunnel that is gone.
    const auto noted = m_records.registered_with();
    const auto& before = noted ? noted : m_options.registrar_url;
    if (before && *before != m_inputs.edge) {
        m_leaving.leave(*before, monotonic_now());
    }
    m_leaving.stay(m_inputs.edge);
    m_records.note_registration(m_inputs.edge, m_leaving.edges(), unix_now());
}

void Announcer::say(const AnnounceStep& step, const CallOutcome& outcome) const {
    const auto edge = m_inputs.edge.text();
    const auto tell = [](LogLevel level, const std::string& message) {
        log(level, "{}", message);
        notify_status(message);
    };
    switch (step.reply) {
    case AnnounceReply::taken:
        tell(LogLevel::info,
             step.call == AnnounceCall::register_box
                 ? format("registered with {} as {}, {}", edge, m_options.appliance_id->text(),
                          m_options.hostname->text())
                 : format("{} answers again", edge));
        return;
    case AnnounceReply::unregistered:
        tell(LogLevel::notice,
             format("{} has no registration of this box any more; registering again", edge));
        return;
    case AnnounceReply::refused:
    case AnnounceReply::odd:
        tell(LogLevel::error, outcome.error->what + "; trying again every minute");
        return;
    case AnnounceReply::busy:
    case AnnounceReply::silent:
        tell(LogLevel::warning, outcome.error->what + "; trying again");
        return;
    }
}

// An edge that has two addresses, or another one than before, would forget the box that it has.
// Fails while one of the two does not say who it is.
Result<bool> Announcer::is_another_edge(const HttpUrl& edge) const {
    TRY_ASSIGN(const auto key, ask_who_it_is(edge));
    if (!key) {
        return true;
    }
    TRY_ASSIGN(const auto current, ask_who_it_is(m_inputs.edge));
    return key != current;
}

void Announcer::leave_next_edge() {
    const auto edge = m_leaving.next();
    if (!edge) {
        return;
    }
    if (*edge == m_inputs.edge) {
        m_leaving.stay(*edge);
        return;
    }
    const auto is_another = is_another_edge(*edge);
    if (is_another && !*is_another) {
        m_leaving.stay(*edge);
        m_records.note_leaving(m_leaving.edges());
        log(LogLevel::info, "{} is the edge {} by another address", edge->text(),
            m_inputs.edge.text());
        return;
    }
    const auto outcome = is_another ? deregister(*edge, m_options, m_inputs.token)
                                    : CallOutcome{std::nullopt, is_another.error()};
    if (!m_leaving.answered(*edge, outcome.status, monotonic_now(), jitter())) {
        return;
    }
    m_records.note_leaving(m_leaving.edges());
    if (outcome.error) {
        log(LogLevel::notice, "left {}: {}", edge->text(), outcome.error->what);
    } else {
        log(LogLevel::info, "left {}: deregistered there", edge->text());
    }
}

// A new path cuts every wait short: whatever the edge before it said is no longer of interest.
void Announcer::follow_path() {
    const auto inputs = m_reader.read();
    if (inputs && inputs->edge != m_inputs.edge) {
        call_when_due();
    }
}

void Announcer::watch_path() {
    const auto file = m_options.path_env_file();
    const auto directory = directory_of(file);
    const auto name = file.substr(file.rfind('/') + 1);
    const auto watched = m_loop->watch_directory(directory, [this, name](std::string_view changed) {
        if (changed == name) {
            follow_path();
        }
    });
    if (!watched) {
        log(LogLevel::info, "{}; a new path is seen at the next call", watched.error().what);
    }
}

void Announcer::schedule_leaving() {
    if (const auto due = m_leaving.due()) {
        m_leave_alarm->set(*due);
    } else {
        m_leave_alarm->cancel();
    }
}

} // namespace losos
