#include "view_keeper.h"

#include "base/append.h"
#include "base/crypto.h"
#include "base/log.h"
#include "core/public_host.h"
#include "files/relay_pass_file.h"
#include "files/token_file.h"
#include "io/clock.h"

#include <algorithm>
#include <utility>

namespace losos {

namespace {

/// From 0 to 1.
double jitter() {
    constexpr std::uint32_t k_steps = 1000;
    return static_cast<double>(random_below(k_steps + 1)) / k_steps;
}

std::string list_of(const std::vector<CustomDomain>& domains) {
    std::string list;
    for (const CustomDomain& domain : domains) {
        append_item(list, domain.text());
    }
    return list;
}

} // namespace

ViewKeeper::ViewKeeper(const ServeOptions& options, LoopTasks& tasks, WorkerThreads& threads,
                       std::function<void()> changed)
    : m_options(options), m_tasks(tasks), m_threads(threads), m_changed(std::move(changed)),
      m_hub(find_hub(options)), m_machine(find_pass(options), monotonic_now()),
      m_has_pass(find_pass(options) == EarlierPass::left) {
    if (options.no_drive) {
        return;
    }
    remove_leftovers(options.relay_pass_file());
    remove_leftovers(options.public_names_file);
    if (m_hub && !m_hub->url.is_https() && may_be_public(m_hub->url.endpoint())) {
        log(LogLevel::warning,
            "{} is spoken to in the clear: whoever is on the way can read the token of this box; "
            "give an https URL",
            m_hub->url.text());
    }
}

std::optional<ViewKeeper::Hub> ViewKeeper::find_hub(const ServeOptions& options) {
    const auto way = options.configured_way();
    if (options.no_drive || !options.root_key_file || !way) {
        return std::nullopt;
    }
    if (!options.appliance_id) {
        log(LogLevel::notice,
            "no --appliance-id is given, so {} is not asked for the domains of "
            "this box",
            way->url.text());
        return std::nullopt;
    }
    return Hub{way->url, *options.appliance_id};
}

EarlierPass ViewKeeper::find_pass(const ServeOptions& options) {
    const bool is_left = !options.no_drive && stamp_file(options.relay_pass_file());
    return is_left ? EarlierPass::left : EarlierPass::none;
}

void ViewKeeper::look(const OfficialEdges& official, const TimePair& time) {
    if (m_machine.take_lapse(time.now)) {
        drop_lapsed_pass();
    }
    if (!m_hub) {
        return;
    }
    const auto urls = official.official(time.unix_now);
    const bool is_official = std::find(urls.begin(), urls.end(), m_hub->url) != urls.end();
    m_machine.hub_is_official(is_official && official.root());
    if (m_machine.should_ask(time.now)) {
        ask(*official.root(), time.now);
    }
}

std::optional<MonotonicTime> ViewKeeper::due() const {
    return m_machine.due();
}

void ViewKeeper::ask(const IdentityPublicKey& root, MonotonicTime now) {
    m_machine.asked(now);
    auto token = token_file::load(m_options.box.token_file);
    if (!token) {
        m_machine.answered(ViewReply::no_token, PassFate::kept, now, jitter());
        say(token.error().what);
        return;
    }
    const ViewOrder order{root,
                          m_hub->url,
                          m_hub->box,
                          *std::move(token),
                          m_options.relay_pass_file(),
                          m_options.public_names_file};
    const bool runs =
        m_threads.run([this, tasks = &m_tasks, order, abandoned = &m_threads.are_joined()] {
            const auto outcome = fetch_view(order, *abandoned);
            tasks->post([this, outcome] { take(outcome); });
        });
    if (!runs) {
        m_machine.answered(ViewReply::silent, PassFate::kept, now, jitter());
    }
}

void ViewKeeper::take(const ViewOutcome& outcome) {
    m_machine.answered(outcome.reply, outcome.fate, monotonic_now(), jitter());
    say(outcome.fault);
    if (outcome.news) {
        log(LogLevel::notice, "live custom domains of this box: {}",
            outcome.news->empty() ? "none" : list_of(*outcome.news));
    }
    if (outcome.fate != PassFate::kept &&
        std::exchange(m_has_pass, outcome.fate == PassFate::replaced) != m_has_pass) {
        log(LogLevel::notice, "{} {}", m_hub->url.text(),
            m_has_pass ? "gave this box a relay pass" : "gives this box no relay pass any more");
    }
    m_changed();
}

void ViewKeeper::say(const std::string& fault) {
    if (std::exchange(m_fault, fault) == m_fault) {
        return;
    }
    if (m_fault.empty()) {
        log(LogLevel::info, "{} shows the domains of this box again", m_hub->url.text());
    } else {
        log(LogLevel::warning, "{}; trying again", m_fault);
    }
}

void ViewKeeper::drop_lapsed_pass() {
    m_has_pass = false;
    const auto removed = relay_pass_file::remove(m_options.relay_pass_file());
    if (removed) {
        log(LogLevel::notice, "the relay pass of this box has lapsed");
    } else {
        log(LogLevel::warning, "{}", removed.error().what);
    }
}

} // namespace losos
