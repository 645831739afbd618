// systemd, asked over the system bus: how a unit is, and to start, stop, enable and disable one. In
// its own words; what they mean is for others to judge.
#pragma once

#include "base/result.h"

#include <memory>
#include <string>

namespace losos {

struct UnitState {
    std::string load;
    std::string active;
    std::string sub;
    std::string file_state;
    /// Of the last run of a service that ended by itself.
    int exit_status = 0;
};

/// Whether this machine was started by systemd.
bool is_run_by_systemd();

class ServiceManager {
public:
    /// Fails when there is no systemd to be reached.
    static Result<ServiceManager> connect();

    /// A unit nobody installed is `not-found`.
    Result<UnitState> state_of(const std::string& unit) const;

    /// Fails with the manager's own words. What is so already is no fault.
    Result<void> enable(const std::string& unit) const;
    Result<void> disable(const std::string& unit) const;
    /// Waits until it runs, or has failed to.
    Result<void> start(const std::string& unit) const;
    Result<void> stop(const std::string& unit) const;

private:
    struct Impl;
    struct Free {
        void operator()(Impl* impl) const;
    };
    explicit ServiceManager(std::unique_ptr<Impl, Free> impl) : m_impl(std::move(impl)) {}
    std::unique_ptr<Impl, Free> m_impl;
};

} // namespace losos
