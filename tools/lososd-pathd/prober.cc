#include "prober.h"

#include "tls_probe.h"

#include "io/clock.h"
#include "io/resolve.h"

#include <algorithm>
#include <utility>

namespace losos {

namespace {

const std::string k_health = "/health";
const std::string k_key = "/noise-public-key";
/// For how long a name is not resolved again; a connection that fails ends it.
constexpr Duration k_resolved_for{60000};
constexpr std::size_t k_resolved_max = 256;

EdgeAnswer as_edge_answer(const LoopAnswer& answer) {
    return {answer.answer.status, answer.answer.body};
}

} // namespace

Prober::Prober(EventLoop& loop, LoopTasks& tasks, WorkerThreads& threads, Done done, CutOff cut_off)
    : m_loop(loop), m_tasks(tasks), m_threads(threads), m_done(std::move(done)),
      m_cut_off(std::move(cut_off)) {}

void Prober::probe(ProbeOrder order) {
    const auto id = ++m_last_id;
    auto& run = m_runs.emplace(id, Run{std::move(order), {}, {}, {}, {}}).first->second;
    if (run.order.way.url.is_https()) {
        run_on_thread(id);
        return;
    }
    const auto kept = std::find_if(m_kept.begin(), m_kept.end(),
                                   [&run](const Kept& each) { return each.way == run.order.way; });
    if (kept != m_kept.end()) {
        run.addresses = {std::move(kept->address)};
        kept->watch.reset();
        auto connection = std::move(kept->connection);
        m_kept.erase(kept);
        try_next_address(id, std::move(connection));
        return;
    }
    resolve(run.order.way.url.endpoint().host(), run.order.sent + run.order.timeout,
            [this, id](Addresses addresses) {
                m_runs.at(id).addresses = std::move(addresses);
                try_next_address(id, {});
            });
}

void Prober::keep_connections_to(std::vector<EdgeWay> ways) {
    m_keep_for = std::move(ways);
    std::erase_if(m_kept, [this](const Kept& each) {
        return std::find(m_keep_for.begin(), m_keep_for.end(), each.way) == m_keep_for.end();
    });
}

/// `then` is called at once where the addresses are known already.
void Prober::resolve(const std::string& host, MonotonicTime deadline,
                     std::function<void(Addresses)> then) {
    if (IpAddress::parse(host)) {
        then({host});
        return;
    }
    const auto known = m_resolved.find(host);
    if (known != m_resolved.end() && monotonic_now() - known->second.at < k_resolved_for) {
        then(known->second.addresses);
        return;
    }
    const auto resolved = [this, host, then](Addresses addresses) {
        if (m_resolved.size() >= k_resolved_max) {
            m_resolved.clear();
        }
        if (!addresses.empty()) {
            m_resolved[host] = {addresses, monotonic_now()};
        }
        then(std::move(addresses));
    };
    const bool runs = m_threads.run(
        [tasks = &m_tasks, host, deadline, resolved, abandoned = &m_threads.are_joined()] {
            auto found = resolve_host(host, deadline, abandoned);
            tasks->post([resolved, addresses = found ? *std::move(found) : Addresses()] {
                resolved(addresses);
            });
        });
    if (!runs) {
        m_tasks.post([resolved] { resolved({}); });
    }
}

void Prober::try_next_address(std::uint64_t id, UniqueFd kept) {
    Run& run = m_runs.at(id);
    if (run.addresses.empty()) {
        m_resolved.erase(run.order.way.url.endpoint().host());
        finish(id, ProbeResult::no_answer);
        return;
    }
    run.address = std::move(run.addresses.front());
    run.addresses.erase(run.addresses.begin());
    ask(id, k_health, std::move(kept));
}

void Prober::ask(std::uint64_t id, const std::string& path, UniqueFd connection) {
    Run& run = m_runs.at(id);
    const auto& url = run.order.way.url;
    const auto deadline = run.order.sent + run.order.timeout;
    const auto left = deadline - monotonic_now();
    // Each address has its share of what is left.
    const auto share = left / static_cast<long long>(run.addresses.size() + 1);
    const std::string scheme = "http://";
    auto get = LoopHttpGet::start(
        m_loop,
        {run.address, url.endpoint().port().number(), url.text().substr(scheme.size()), path,
         monotonic_now() + share, k_probe_body_bytes},
        std::move(connection), [this, id](LoopAnswer answer) { answered(id, std::move(answer)); });
    if (get) {
        run.get = *std::move(get);
    } else {
        m_tasks.post([this, id] { finish(id, ProbeResult::no_answer); });
    }
}

void Prober::answered(std::uint64_t id, LoopAnswer answer) {
    const Run& run = m_runs.at(id);
    if (run.health) {
        answered_key(id, std::move(answer));
    } else {
        answered_health(id, std::move(answer));
    }
}

void Prober::answered_health(std::uint64_t id, LoopAnswer answer) {
    Run& run = m_runs.at(id);
    switch (answer.kind) {
    case LoopAnswer::Kind::silent:
        try_next_address(id, {});
        return;
    case LoopAnswer::Kind::odd:
        finish(id, ProbeResult::wrong_answer);
        return;
    case LoopAnswer::Kind::answered:
        break;
    }
    const auto health = as_edge_answer(answer);
    const auto verdict = judge_health(health);
    if (verdict == ProbeResult::ok && run.order.key) {
        run.health = health;
        run.addresses.clear();
        ask(id, k_key, std::move(answer.connection));
        return;
    }
    keep(run, std::move(answer.connection));
    finish(id, verdict);
}

void Prober::answered_key(std::uint64_t id, LoopAnswer answer) {
    const Run& run = m_runs.at(id);
    switch (answer.kind) {
    case LoopAnswer::Kind::silent:
        finish(id, ProbeResult::no_answer);
        return;
    case LoopAnswer::Kind::odd:
        finish(id, ProbeResult::wrong_answer);
        return;
    case LoopAnswer::Kind::answered:
        break;
    }
    const auto verdict = judge_probed_key(run.order.key->pin, as_edge_answer(answer), *run.health);
    keep(run, std::move(answer.connection));
    finish(id, verdict);
}

bool Prober::keeps_connection_to(const EdgeWay& way) const {
    return std::any_of(m_kept.begin(), m_kept.end(),
                       [&way](const Kept& each) { return each.way == way; });
}

void Prober::keep(const Run& run, UniqueFd connection) {
    const auto& way = run.order.way;
    const bool is_wanted = std::find(m_keep_for.begin(), m_keep_for.end(), way) != m_keep_for.end();
    if (connection && is_wanted) {
        std::erase_if(m_kept, [&way](const Kept& each) { return each.way == way; });
        auto watch = m_loop.watch_descriptor(connection.get(), EventLoop::Readiness::to_read,
                                             [this, way] { kept_ended(way); });
        if (watch) {
            m_kept.push_back({way, run.address, std::move(connection), *std::move(watch)});
        }
    }
}

/// Nobody asked it anything, so all it can have to say is that it ends. The way is a copy: the
/// original goes with the connection.
void Prober::kept_ended(EdgeWay way) {
    std::erase_if(m_kept, [&way](const Kept& each) { return each.way == way; });
    if (m_keep_for.front() == way) {
        m_cut_off(way);
    }
}

void Prober::finish(std::uint64_t id, ProbeResult result) {
    const auto run = m_runs.extract(id);
    m_done(run.mapped().order, result);
}

void Prober::run_on_thread(std::uint64_t id) {
    const ProbeOrder& order = m_runs.at(id).order;
    const auto pin = order.key ? order.key->pin : std::nullopt;
    const auto ended = [this, id](ProbeResult result) {
        finish(id, result);
    };
    const bool runs =
        m_threads.run([tasks = &m_tasks, ended, url = order.way.url, timeout = order.timeout,
                       with_key = order.key.has_value(), pin, abandoned = &m_threads.are_joined()] {
            const auto result = probe_over_tls(url, timeout, with_key, pin, *abandoned);
            tasks->post([ended, result] { ended(result); });
        });
    if (!runs) {
        m_tasks.post([ended] { ended(ProbeResult::no_answer); });
    }
}

void Prober::look_at_tunnel(const EdgeWay& way, MonotonicTime deadline, TunnelDone done) {
    const auto id = ++m_tunnel_id;
    m_tunnel_look.reset();
    resolve(way.rathole.host(), deadline,
            [this, id, deadline, port = way.rathole.port().number(), done](Addresses addresses) {
                if (id != m_tunnel_id) {
                    return;
                }
                if (!addresses.empty()) {
                    auto look = LoopConnect::start(m_loop, addresses.front(), port, deadline, done);
                    if (look) {
                        m_tunnel_look = *std::move(look);
                        return;
                    }
                }
                m_tasks.post([done] { done(false); });
            });
}

} // namespace losos
