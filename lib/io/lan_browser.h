// The services of one DNS-SD type on this host's links, as Avahi tells of them over the system bus.
// Avahi and the bus may be absent, come later and start anew: they are followed. What is in an
// advert is a stranger's and is handed on as it came.
#pragma once

#include "base/result.h"
#include "io/event_loop.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace losos {

/// More services are not looked at; known ones are never displaced by newcomers.
inline constexpr std::size_t k_found_services_max = 512;
/// More bytes of one TXT record are not looked at: strings are taken whole, in order, up to here.
inline constexpr std::size_t k_found_txt_max = 2048;

/// One service that is resolved, on one interface and in one family.
struct FoundService {
    /// Empty when the interface is gone.
    std::string interface;
    std::string instance;
    /// What SRV names.
    std::string host;
    std::uint16_t port = 0;
    /// Numeric, without a scope.
    std::string address;
    /// The TXT record's strings in the order of the record.
    std::vector<std::string> txt;

    friend bool operator==(const FoundService&, const FoundService&) = default;
};

class LanBrowser {
public:
    enum class State {
        /// No whole first answer so far.
        searching,
        /// What was there at the start of the search is found.
        done,
        /// No Avahi, or no bus to reach it over.
        unavailable,
    };

    /// `changed` is called from the loop after the state or the services changed, once for changes
    /// that come together. An Avahi that is not there is no fault.
    static Result<std::unique_ptr<LanBrowser>> start(EventLoop& loop, std::string type,
                                                     std::function<void()> changed);
    LanBrowser(const LanBrowser&) = delete;
    LanBrowser& operator=(const LanBrowser&) = delete;
    ~LanBrowser();

    State state() const;
    /// In the order in which they were found; none while Avahi is not there.
    std::vector<FoundService> services() const;

private:
    struct Impl;
    explicit LanBrowser(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace losos
