#include "files/metrics_file.h"

#include "base/format.h"

#include <string_view>
#include <utility>

namespace losos::metrics_file {
namespace {

constexpr mode_t k_mode = 0644;
constexpr std::string_view k_prefix = "losos_registrar_";

std::string seconds(std::chrono::microseconds time) {
    constexpr long long per_second = 1'000'000;
    return format("{}.{:06}", time.count() / per_second, time.count() % per_second);
}

/// Families in Prometheus' text format, one after the other.
class Page {
public:
    /// The head of a family; its samples follow.
    void family(std::string_view name, std::string_view type, std::string_view help) {
        m_name = format("{}{}", k_prefix, name);
        m_text += format("# HELP {} {}\n# TYPE {} {}\n", m_name, help, m_name, type);
    }
    void sample(std::string_view labels, std::string_view value) {
        m_text += format("{}{} {}\n", m_name, labels, value);
    }
    void sample(std::string_view labels, std::uint64_t value) {
        sample(labels, format("{}", value));
    }

    /// A family of one sample without labels.
    template <class Value>
    void single(std::string_view name, std::string_view type, std::string_view help,
                const Value& value) {
        family(name, type, help);
        sample("", value);
    }

    std::string text() && { return std::move(m_text); }

private:
    std::string m_text;
    std::string m_name;
};

void render_state(Page& page, const Metrics& metrics) {
    page.family("info", "gauge", "The version that runs.");
    page.sample(format("{{version=\"{}\"}}", metrics.version), 1);
    page.single("start_time_seconds", "gauge", "Unix time of the start.",
                format("{}", metrics.started_at.count()));
    page.single("reconciled_time_seconds", "gauge", "Unix time of the last reconcile.",
                format("{}", metrics.reconciled_at.count()));
    page.family("tenants", "gauge", "Tenants this edge knows.");
    page.sample("{kind=\"listed\"}", metrics.tenants_listed);
    page.sample("{kind=\"enrolled\"}", metrics.tenants_enrolled);
    page.family("live", "gauge", "Registered tenants, and boxes a spoke relays.");
    page.sample("{kind=\"direct\"}", metrics.live_direct);
    page.sample("{kind=\"relayed\"}", metrics.live_relayed);
    page.family("ports", "gauge", "Ports of the range that no tenant has.");
    page.sample("{state=\"free\"}", metrics.ports_free);
    page.sample("{state=\"resting\"}", metrics.ports_resting);
    page.family("domains", "gauge", "Claims of boxes to custom domains.");
    page.sample("{status=\"live\"}", metrics.domains_live);
    page.sample("{status=\"waiting\"}", metrics.domains_waiting);
    page.single("bindings", "gauge", "Boxes that are bound to a gateway by a pass.",
                metrics.bindings);
    page.single("routes", "gauge", "Names of tenants that lead to their boxes behind gateways.",
                metrics.routes);
    page.single("faults", "gauge", "Faults that stand now; status.json names them.",
                metrics.faults);
    if (metrics.certified_until) {
        page.single("identity_expiry_time_seconds", "gauge",
                    "Unix time at which the certificate that makes this edge official ends.",
                    format("{}", metrics.certified_until->count()));
    }
}

void render_counters(Page& page, const Metrics& metrics) {
    page.family("requests_total", "counter", "Answers by route and status.");
    for (const auto& [what, count] : metrics.answered) {
        page.sample(format("{{route=\"{}\",code=\"{}\"}}", what.first, what.second), count);
    }
    page.single("shed_total", "counter", "Requests and connections turned away for load.",
                metrics.shed);
    page.single("commits_total", "counter", "Commits of changes to disk.", metrics.commits_done);
    page.single("commit_failures_total", "counter", "Commits that failed and were undone.",
                metrics.commits_failed);
    page.single("pruned_total", "counter", "Tenants dropped because they were silent.",
                metrics.pruned);
    page.single("reconciles_total", "counter", "Reconciles.", metrics.reconciles_done);
    page.single("reconcile_seconds_total", "counter", "Time all reconciles took together.",
                seconds(metrics.reconcile_time));
    page.single("reconcile_last_seconds", "gauge", "Time the last reconcile took.",
                seconds(metrics.reconcile_last));
    page.single("traefik_writes_total", "counter", "Changes of Traefik's file.",
                metrics.traefik_writes);
    page.single("rathole_writes_total", "counter", "Changes of rathole's file.",
                metrics.rathole_writes);
}

} // namespace

std::string render(const Metrics& metrics) {
    Page page;
    render_state(page, metrics);
    render_counters(page, metrics);
    return std::move(page).text();
}

Result<Change> store(const std::string& path, const Metrics& metrics) {
    return replace_file(path, render(metrics), k_mode, Durability::until_reboot);
}

} // namespace losos::metrics_file
