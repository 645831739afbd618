// The edges of a box's LAN: what Avahi tells, as the table of edges takes it.
#pragma once

#include "lan_names.h"

#include "core/edge_table.h"
#include "io/lan_browser.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace losos {

/// All members belong to the loop's thread.
class LanWatch {
public:
    struct Callees {
        /// Without edges nothing is known of them at the moment.
        std::function<void(LanSearch search, const std::optional<std::vector<LanEdge>>& edges)>
            set_lan;
        /// This box has got other addresses.
        std::function<void()> moved;
    };

    /// `tasks` and `threads` must outlive this.
    static Result<std::unique_ptr<LanWatch>> start(EventLoop& loop, LoopTasks& tasks,
                                                   WorkerThreads& threads, Callees callees);
    LanWatch(const LanWatch&) = delete;
    LanWatch& operator=(const LanWatch&) = delete;

private:
    LanWatch(LoopTasks& tasks, WorkerThreads& threads, Callees callees);
    void look();
    void say_search(LanSearch search);
    std::vector<LanService> read_services(const ThisBox& box);
    void say_ignored(const std::vector<IgnoredAdvert>& ignored);

    Callees m_callees;
    LanNames m_names;
    std::unique_ptr<LanBrowser> m_browser;
    bool m_was_searched = false;
    bool m_awaits_names = false;
    bool m_misses_avahi = false;
    std::optional<std::vector<std::string>> m_own_addresses;
    std::set<std::pair<std::string, AdvertFault>> m_said;
};

} // namespace losos
