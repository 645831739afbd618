#include "path_driver.h"

#include "base/log.h"
#include "files/pin_file.h"
#include "files/refused_file.h"
#include "io/clock.h"
#include "io/notify.h"

#include <algorithm>
#include <utility>

namespace losos {

namespace {

constexpr Duration k_write_again{1000};
constexpr mode_t k_pins_dir_mode = 0700;

} // namespace

PathDriver::PathDriver(const ServeOptions& options, EventLoop& loop, LoopTasks& tasks,
                       WorkerThreads& threads)
    : m_options(options), m_loop(loop), m_table(monotonic_now()), m_state(monotonic_now()),
      m_writer(options),
      m_prober(
          loop, tasks, threads,
          [this](const ProbeOrder& order, ProbeResult result) { take_probe(order, result); },
          [this](const EdgeWay& way) { take_cut_off(way); }),
      m_official(options.root_key_file, tasks, threads, [this] { look(); }),
      m_views(options, tasks, threads, [this] { look(); }) {}

Result<void> PathDriver::start() {
    TRY_ASSIGN(m_alarm, m_loop.make_alarm([this] { look(); }));
    const auto now = monotonic_now();
    if (const auto way = m_options.configured_way()) {
        m_table.configure(*way, way->edge.host());
    }
    if (const auto path = m_writer.read_inherited()) {
        const auto way = way_of(*path);
        m_table.inherit(way, now);
        m_state = PathState::inherited(way, now);
    }
    watch_files();
    read_refusals();
    m_published.with([this](auto& document) { document = describe(); });
    TRY(m_writer.write(m_state, m_published.copy()));
    m_alarm->set(now);
    return {};
}

void PathDriver::set_lan(LanSearch search, const std::optional<std::vector<LanEdge>>& edges) {
    const auto now = monotonic_now();
    if (edges) {
        m_table.set_lan(*edges, m_state.way(), now);
    }
    m_table.set_search(search, now);
    look();
}

void PathDriver::probe_all() {
    m_table.probe_all();
    look();
}

/// The tunnel units wait for what is written, so that comes before anybody is asked anything.
void PathDriver::look() {
    const auto now = monotonic_now();
    const bool is_changed = m_state.update(m_table, now) == PathState::Change::changed;
    write();
    if (is_changed) {
        take_change();
    }
    keep_connections();
    const auto plan = plan_probes(m_table, m_state.way(), m_options.probe_interval, now);
    send(plan, now);
    m_official.ask_due(m_table, now);
    m_views.look(m_official, {now, unix_now()});
    sleep_until_due(plan.next, now);
}

void PathDriver::take_change() {
    const auto& way = m_state.way();
    m_views.path_changed();
    if (way) {
        m_table.taken(*way);
        log(LogLevel::notice, "the path leads to {}: {}", way->url.text(), m_state.reason());
    } else {
        log(LogLevel::warning, "there is no path: {}", m_state.reason());
    }
    notify_status(status());
}

std::string PathDriver::status() const {
    const auto& way = m_state.way();
    if (way) {
        return format("on the path to {}", way->url.text());
    }
    return m_state.beginning() == Beginning::first_choice ? "looking for an edge" : "no edge";
}

/// To the edge in use, and to the one it would be left for.
void PathDriver::keep_connections() {
    std::vector<EdgeWay> ways;
    for (const auto& way : {m_state.way(), m_options.configured_way()}) {
        if (way && std::find(ways.begin(), ways.end(), *way) == ways.end()) {
            ways.push_back(*way);
        }
    }
    m_prober.keep_connections_to(std::move(ways));
}

void PathDriver::send(const ProbePlan& plan, MonotonicTime now) {
    for (const PlannedProbe& probe : plan.probes) {
        send_probe(probe, now);
    }
    if (plan.tunnel) {
        const auto way = *plan.tunnel;
        m_table.tunnel_asked(way, now);
        m_prober.look_at_tunnel(way, now + patience_with(way.source).timeout,
                                [this, way, now](bool taken) { take_tunnel(way, taken, now); });
    }
}

void PathDriver::send_probe(const PlannedProbe& probe, MonotonicTime now) {
    m_table.probe_sent(probe.way, now);
    std::optional<PinCheck> key;
    // On a new connection somebody else than before may answer.
    const bool is_anew = probe.way.source == PathSource::lan && !probe.way.url.is_https() &&
                         m_state.way() == probe.way && !m_prober.keeps_connection_to(probe.way);
    if (probe.key == KeyCheck::yes || is_anew) {
        key = load_pin(probe.way);
        if (!key) {
            m_table.probed(probe.way, ProbeResult::wrong_key, now, now);
            return;
        }
    }
    m_prober.probe({probe.way, probe.timeout, key, now});
}

/// Nothing when there is a pin that cannot be read: no key is known to be the right one then.
std::optional<PinCheck> PathDriver::load_pin(const EdgeWay& way) {
    const auto file = m_writer.path_to(way).noise_pub_file;
    auto pin = pin_file::load(file);
    if (pin) {
        m_faulty_pins.erase(file);
        return PinCheck{*std::move(pin)};
    }
    if (m_faulty_pins.insert(file).second) {
        log(LogLevel::error, "{}; the edge {} is not used until that is mended", pin.error().what,
            way.edge.text());
    }
    return std::nullopt;
}

void PathDriver::take_probe(const ProbeOrder& order, ProbeResult result) {
    m_table.probed(order.way, result, order.sent, monotonic_now());
    look();
}

void PathDriver::take_cut_off(const EdgeWay& way) {
    m_table.cut_off(way);
    look();
}

void PathDriver::take_tunnel(const EdgeWay& way, bool taken, MonotonicTime asked) {
    m_table.tunnel_answered(way, taken, asked, monotonic_now());
    look();
}

EdgeDocument PathDriver::describe() const {
    const TimePair time{monotonic_now(), unix_now()};
    return describe_edges(m_table, m_state, m_official.official(time.unix_now), time);
}

/// What cannot be written is said once, and tried again until it can.
void PathDriver::write() {
    const auto document = describe();
    m_published.with([&](auto& published) { published = document; });
    const auto written = m_writer.write(m_state, document);
    m_write_again.reset();
    if (written) {
        if (!m_write_fault.empty()) {
            log(LogLevel::notice, "the path can be written again");
        }
        m_write_fault.clear();
        return;
    }
    m_write_again = monotonic_now() + k_write_again;
    if (std::exchange(m_write_fault, written.error().what) != m_write_fault) {
        log(LogLevel::error, "{}; trying again", m_write_fault);
    }
}

void PathDriver::sleep_until_due(std::optional<MonotonicTime> planned, MonotonicTime now) {
    const auto choice = choice_due(m_table, m_state.way(), m_state.beginning(), now);
    std::optional<MonotonicTime> due;
    for (const auto& moment : {planned, choice, m_official.due(), m_views.due(), m_write_again}) {
        if (moment && (!due || *moment < *due)) {
            due = moment;
        }
    }
    if (due) {
        m_alarm->set(*due);
    } else {
        m_alarm->cancel();
    }
}

void PathDriver::watch_files() {
    const auto run_dir = m_loop.watch_directory(
        m_options.run_dir, [this](std::string_view name) { run_dir_changed(name); });
    if (!run_dir) {
        log(LogLevel::warning, "{}; what edges refuse this box is not seen", run_dir.error().what);
    }
    const auto& pins_dir = m_options.box.pins_dir;
    // Without a tunnel nothing is ever pinned, and nothing is made for it.
    if (m_options.no_drive && !stamp_file(pins_dir)) {
        return;
    }
    auto pins = make_directory(pins_dir, k_pins_dir_mode);
    if (pins) {
        pins =
            m_loop.watch_directory(pins_dir, [this](std::string_view name) { pins_changed(name); });
    }
    if (!pins) {
        log(LogLevel::warning, "{}; a changed pin is seen after its edge's ban", pins.error().what);
    }
}

void PathDriver::run_dir_changed(std::string_view name) {
    m_writer.doubt(name);
    const auto refused = m_options.refused_file();
    if (name.empty() || refused.substr(refused.rfind('/') + 1) == name) {
        read_refusals();
    }
    look();
}

void PathDriver::pins_changed(std::string_view name) {
    std::vector<Endpoint> changed;
    for (const EdgeRecord& edge : m_table.edges()) {
        if (edge.source == PathSource::lan && (name.empty() || pin_file_name(edge.edge) == name)) {
            changed.push_back(edge.edge);
        }
    }
    for (const Endpoint& edge : changed) {
        m_table.pin_changed(edge);
    }
    look();
}

void PathDriver::read_refusals() {
    const auto refusals = refused_file::load(m_options.refused_file());
    if (!refusals) {
        if (std::exchange(m_refusals_fault, refusals.error().what) != m_refusals_fault) {
            log(LogLevel::warning, "{}; what was read of it before counts", m_refusals_fault);
        }
        return;
    }
    m_refusals_fault.clear();
    std::vector<AnnounceRefusal> found;
    if (*refusals) {
        for (const Refusal& refusal : **refusals) {
            found.push_back({refusal.url, refusal.status, refusal.at});
        }
    }
    m_table.set_refusals(found, unix_now(), monotonic_now());
}

} // namespace losos
