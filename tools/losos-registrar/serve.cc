#include "serve.h"

#include "api.h"
#include "start_warnings.h"
#include "tunnel_head.h"

#include "base/file_facts.h"
#include "base/log.h"
#include "files/domains_file.h"
#include "files/enrolled_dir.h"
#include "files/live_file.h"
#include "files/paths.h"
#include "files/registry_file.h"
#include "io/avahi_host_name.h"
#include "io/clock.h"
#include "io/event_loop.h"
#include "io/host.h"
#include "io/notify.h"

#include <malloc.h>

#include <algorithm>
#include <set>
#include <thread>
#include <utility>

namespace losos {

namespace {

/// Calls that arrive this close together share one commit.
constexpr Duration k_gather{3};
/// Changes of files that arrive this close together are read once, but a directory that is never
/// quiet is not waited for.
constexpr Duration k_settle{20};
constexpr Duration k_settle_at_most{100};
/// How long a start waits for what Avahi calls this host.
constexpr Duration k_avahi_patience{500};

Result<std::optional<LanAdvert>> advert_of(const ServeOptions& options) {
    if (!options.lan_advertise) {
        return std::optional<LanAdvert>();
    }
    std::optional<DnsName> host = options.advertise_host;
    if (!host) {
        // Avahi may have given this host another name, because its own is another machine's.
        const auto from_avahi = ask_avahi_host_name(k_avahi_patience);
        auto named = DnsName::parse(from_avahi ? *from_avahi : host_label() + ".local");
        if (!named) {
            return fail(Errc::unusable, "this host's name is no DNS label; give --advertise-host");
        }
        host = *std::move(named);
    }
    return std::optional(LanAdvert{*host, options.listen->port, *options.rathole.bind_port,
                                   options.enrol_dir.has_value()});
}

std::map<RowId, RelayPass> passes_left_in(const std::string& live_path,
                                          std::vector<std::string>& warnings) {
    std::map<RowId, RelayPass> passes;
    const auto boxes = live_file::load(live_path);
    if (!boxes) {
        warnings.push_back(boxes.error().what + "; boxes will send their passes again");
        return passes;
    }
    if (*boxes) {
        for (const LiveBox& box : **boxes) {
            if (box.pass) {
                passes.emplace(RowId::direct(box.id), *box.pass);
            }
        }
    }
    return passes;
}

/// The parts of a running registrar, wired to one loop.
class Daemon {
public:
    Daemon(EventLoop& loop, HttpServer& server, Reconciler::Start start,
           std::optional<NoiseKey> noise_public_key, const ServeOptions& options)
        : m_loop(loop), m_server(server), m_inbox([&loop] { loop.wake(); }),
          m_reconciler(
              std::move(start), m_published, [&loop] { loop.wake(); }, [this] { take_news(); },
              {monotonic_now(), unix_now()}),
          m_follows_avahi(options.lan_advertise && !options.advertise_host),
          m_context{m_published,
                    m_inbox,
                    options.enrol_dir.has_value(),
                    m_reconciler.has_domains(),
                    m_reconciler.mesh(),
                    [this] {
                        take_news();
                    }} {
        m_published.noise_public_key.with([&](auto& key) { key = std::move(noise_public_key); });
    }

    Result<void> run() {
        TRY_ASSIGN(m_gather, m_loop.make_alarm([this] { take_calls(); }));
        TRY_ASSIGN(m_due, m_loop.make_alarm([this] {
            read_inputs();
            give_back_memory();
        }));
        TRY_ASSIGN(m_settle, m_loop.make_alarm([this] { read_inputs(); }));
        TRY(m_loop.on_wake([this] { woken(); }));
        m_loop.on_stop([this] { begin_stop(); });
        if (m_follows_avahi) {
            TRY_ASSIGN(m_host_name, AvahiHostName::follow(m_loop, [this](const auto& name) {
                           take_host_name(name);
                       }));
        }

        read_inputs();
        add_routes(m_server, m_context);
        m_server.start();
        notify_ready(format("answering on port {}", m_server.port()));
        TRY(m_loop.run());
        m_reconciler.withdraw(m_server.counters());
        return {};
    }

private:
    void take_news() {
        m_has_news = true;
        m_loop.wake();
    }

    void woken() {
        if (m_stopped) {
            m_loop.stop();
            return;
        }
        if (!m_gathering) {
            m_gathering = true;
            m_gather->set(monotonic_now() + k_gather);
        }
    }

    void take_calls() {
        m_gathering = false;
        const bool has_news = m_has_news.exchange(false);
        auto calls = m_inbox.take_all();
        if (!calls.empty()) {
            m_reconciler.decide(std::move(calls), m_server.counters());
        } else if (has_news || m_reconciler.has_findings()) {
            m_reconciler.reconcile(m_server.counters());
        }
        m_due->set(m_reconciler.next_due());
    }

    void take_host_name(const std::string& name) {
        const auto host = DnsName::parse(name);
        if (host && m_reconciler.advertises_as() != *host) {
            log(LogLevel::notice, "Avahi calls this host {}: the advert says so", host->text());
            m_reconciler.advertise_as(*host, m_server.counters());
            m_due->set(m_reconciler.next_due());
        }
    }

    void settle() {
        const auto now = monotonic_now();
        if (!m_unsettled_since) {
            m_unsettled_since = now;
        }
        m_settle->set(std::min(now + k_settle, *m_unsettled_since + k_settle_at_most));
    }

    /// What a crowd of callers needed goes back to the system as the crowd leaves, at each halving
    /// of it down to nobody; the allocator would keep it. A few more times after that, for a thread
    /// frees its last memory when it is no longer counted.
    void give_back_memory() {
        constexpr std::size_t k_crowd = 64;
        constexpr int k_afterwards = 3;
        const auto threads = m_server.counters().threads;
        if (threads >= k_crowd) {
            m_trim_below = std::max(m_trim_below, threads / 2);
        }
        if (threads < m_trim_below) {
            malloc_trim(0);
            m_trim_below = (threads + 1) / 2;
            m_trims_left = k_afterwards;
        } else if (m_trim_below == 0 && m_trims_left > 0) {
            malloc_trim(0);
            --m_trims_left;
        }
    }

    void read_inputs() {
        m_unsettled_since.reset();
        m_settle->cancel();
        follow_directories();
        m_reconciler.refresh_inputs(m_server.counters());
        // What was read before it was watched may have changed in between.
        if (follow_directories()) {
            m_reconciler.refresh_inputs(m_server.counters());
        }
        m_due->set(m_reconciler.next_due());
    }

    /// Says whether a directory is watched from now on that was not before. One that cannot be
    /// watched is looked at with every reconcile all the same.
    bool follow_directories() {
        m_watches = m_reconciler.watches();
        const auto wanted = m_watches.directories();
        const auto before = std::exchange(m_watched, {});
        for (const auto& directory : before) {
            if (!wanted.contains(directory)) {
                m_loop.unwatch_directory(directory);
            }
        }
        for (const auto& directory : wanted) {
            const auto changed = [this, directory](std::string_view name) {
                if (m_watches.concerns(directory, name)) {
                    settle();
                }
            };
            const auto watched = m_loop.watch_directory(directory, changed);
            if (watched) {
                m_watched.insert(directory);
            }
        }
        return !std::includes(before.begin(), before.end(), m_watched.begin(), m_watched.end());
    }

    /// Requests in flight are answered by this very loop, so the server stops beside it.
    void begin_stop() {
        notify_stopping();
        m_stopper = std::jthread([this] {
            m_server.stop();
            m_stopped = true;
            m_loop.wake();
        });
    }

    EventLoop& m_loop;
    HttpServer& m_server;
    Published m_published;
    Inbox m_inbox;
    Reconciler m_reconciler;
    bool m_follows_avahi;
    std::unique_ptr<AvahiHostName> m_host_name;
    ApiContext m_context;
    std::unique_ptr<EventLoop::Alarm> m_gather;
    std::unique_ptr<EventLoop::Alarm> m_due;
    std::unique_ptr<EventLoop::Alarm> m_settle;
    WatchList m_watches;
    std::set<std::string> m_watched;
    std::size_t m_trim_below = 0; ///< threads; 0 once a crowd has gone
    int m_trims_left = 0;
    bool m_gathering = false;
    std::optional<MonotonicTime> m_unsettled_since;
    /// Beside calls: a changed pass, a member's idleness, a fault of the mesh.
    std::atomic<bool> m_has_news = false;
    std::atomic<bool> m_stopped = false;
    std::jthread m_stopper;
};

} // namespace

Result<Reconciler::Start> read_start(const ServeOptions& options) {
    TRY_ASSIGN(auto roster,
               RosterSource::open(options.tenants_file, options.enrol_dir, options.public_host));
    TRY_ASSIGN(auto loaded, registry_file::load(options.registry, *options.port_range));
    TRY_ASSIGN(auto advert, advert_of(options));
    std::optional<std::vector<DomainClaim>> claims;
    if (options.domains.zone) {
        TRY_ASSIGN(claims, domains_file::load(domains_state_file(options)));
    }
    TRY_ASSIGN(auto boot_id, read_boot_id());
    std::optional<RatholeServerHead> head;
    if (options.rathole.config) {
        TRY_ASSIGN(head, read_tunnel_head(options.rathole));
    }
    auto warnings = start_warnings(options);
    if (loaded) {
        for (const auto& dropped : loaded->dropped) {
            warnings.push_back(options.registry + ": " + dropped);
        }
    }
    auto passes = passes_left_in(in_directory(options.run_dir, k_live), warnings);
    auto bindings = read_bindings(options, unix_now(), warnings);
    auto effective = options;
    if (advert) {
        effective.advertise_host = advert->host;
    }
    return Reconciler::Start{.options = std::move(effective),
                             .roster = std::move(roster),
                             .registry = loaded ? std::move(loaded->registry) : Registry{},
                             .passes = std::move(passes),
                             .claims = std::move(claims).value_or(std::vector<DomainClaim>()),
                             .bindings = std::move(bindings),
                             .head = std::move(head),
                             .boot_id = std::move(boot_id),
                             .advert = std::move(advert),
                             .warnings = std::move(warnings)};
}

Result<void> serve(const ServeOptions& options) {
    // Hundreds of short-lived threads must not keep an arena each.
    mallopt(M_ARENA_MAX, 2);
    TRY(check_directory(directory_of(options.registry), "make it or name another file"));
    TRY_ASSIGN(auto lock, FileLock::try_take(registry_file::lock_path(options.registry)));
    if (!lock) {
        return fail(Errc::unusable, "another losos-registrar works on {}; stop it first",
                    directory_of(options.registry));
    }
    remove_leftovers(options.registry);
    if (options.enrol_dir) {
        TRY(enrolled_dir::prepare(*options.enrol_dir));
    }
    TRY_ASSIGN(auto start, read_start(options));
    TRY_ASSIGN(auto noise_public_key, read_noise_public_key(options));
    TRY_ASSIGN(auto loop, EventLoop::make());
    TRY_ASSIGN(auto server, HttpServer::bind(options.listen->address.text(),
                                             options.listen->port.number(), HttpLimits{}));
    Daemon daemon(*loop, *server, std::move(start), std::move(noise_public_key), options);
    return daemon.run();
}

} // namespace losos
