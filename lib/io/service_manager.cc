#include "io/service_manager.h"

#include "base/format.h"

#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>

#include <cstdint>
#include <cstring>
#include <utility>

namespace losos {

namespace {

constexpr const char* k_service = "org.freedesktop.systemd1";
constexpr const char* k_path = "/org/freedesktop/systemd1";
constexpr const char* k_manager = "org.freedesktop.systemd1.Manager";
constexpr const char* k_unit = "org.freedesktop.systemd1.Unit";
constexpr const char* k_unit_service = "org.freedesktop.systemd1.Service";
constexpr std::uint64_t k_patience_us = 5'000'000;
// Starting, stopping and a reload may take as long as systemd itself gives a unit.
constexpr std::uint64_t k_job_patience_us = 100'000'000;
// CLD_EXITED: the process ended by itself.
constexpr int k_exited = 1;

/// The error of a call, freed with it.
class BusError {
public:
    BusError() = default;
    BusError(const BusError&) = delete;
    BusError& operator=(const BusError&) = delete;
    ~BusError() { sd_bus_error_free(&m_error); }

    sd_bus_error* get() { return &m_error; }
    std::string words(int fault) const {
        return m_error.message != nullptr ? m_error.message : std::strerror(-fault);
    }

private:
    sd_bus_error m_error{};
};

struct FreeMessage {
    void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
};
using Message = std::unique_ptr<sd_bus_message, FreeMessage>;

Error refused(std::string_view what, const std::string& unit, const std::string& words) {
    return fail(Errc::failed, "systemd did not {} {}: {}", what, unit, words);
}

/// What a job came to, as JobRemoved tells.
struct Job {
    std::string path;
    std::string result;
};

int note_removed(sd_bus_message* message, void* data, sd_bus_error* /*unused*/) {
    auto& job = *static_cast<Job*>(data);
    std::uint32_t id = 0;
    const char* path = nullptr;
    const char* unit = nullptr;
    const char* result = nullptr;
    if (sd_bus_message_read(message, "uoss", &id, &path, &unit, &result) >= 0 && job.path == path) {
        job.result = result;
    }
    return 0;
}

} // namespace

struct ServiceManager::Impl {
    sd_bus* bus = nullptr;

    /// The path of a unit's object, which systemd makes for any name.
    Result<std::string> object_of(const std::string& unit) const {
        BusError error;
        sd_bus_message* answer = nullptr;
        const int fault = sd_bus_call_method(bus, k_service, k_path, k_manager, "LoadUnit",
                                             error.get(), &answer, "s", unit.c_str());
        const Message owner(answer);
        const char* path = nullptr;
        if (fault < 0 || sd_bus_message_read(answer, "o", &path) < 0) {
            return refused("show", unit, error.words(fault));
        }
        return std::string(path);
    }

    std::string text_of(const std::string& object, const char* property) const {
        BusError error;
        char* text = nullptr;
        if (sd_bus_get_property_string(bus, k_service, object.c_str(), k_unit, property,
                                       error.get(), &text) < 0) {
            return {};
        }
        std::string copy(text);
        std::free(text); // NOLINT(cppcoreguidelines-no-malloc): sd-bus hands out a malloc.
        return copy;
    }

    int number_of(const std::string& object, const char* property) const {
        BusError error;
        std::int32_t number = 0;
        sd_bus_get_property_trivial(bus, k_service, object.c_str(), k_unit_service, property,
                                    error.get(), 'i', &number);
        return number;
    }

    Result<void> reload() const {
        BusError error;
        // A slow machine takes its time over all units.
        sd_bus_set_method_call_timeout(bus, k_job_patience_us);
        const int fault = sd_bus_call_method(bus, k_service, k_path, k_manager, "Reload",
                                             error.get(), nullptr, "");
        sd_bus_set_method_call_timeout(bus, k_patience_us);
        if (fault < 0) {
            return fail(Errc::failed, "systemd did not read its units anew: {}",
                        error.words(fault));
        }
        return {};
    }

    Result<void> run_job(const char* method, const char* verb, const std::string& unit) const {
        Job job;
        BusError error;
        sd_bus_slot* slot = nullptr;
        sd_bus_call_method(bus, k_service, k_path, k_manager, "Subscribe", nullptr, nullptr, "");
        int fault = sd_bus_match_signal(bus, &slot, k_service, k_path, k_manager, "JobRemoved",
                                        note_removed, &job);
        if (fault < 0) {
            return refused(verb, unit, std::strerror(-fault));
        }
        sd_bus_message* answer = nullptr;
        fault = sd_bus_call_method(bus, k_service, k_path, k_manager, method, error.get(), &answer,
                                   "ss", unit.c_str(), "replace");
        const Message owner(answer);
        const char* path = nullptr;
        if (fault >= 0 && sd_bus_message_read(answer, "o", &path) >= 0) {
            job.path = path;
            fault = await(job);
        }
        sd_bus_slot_unref(slot);
        if (fault < 0) {
            return refused(verb, unit, error.words(fault));
        }
        if (job.result != "done") {
            return refused(verb, unit, format("{}; see \"systemctl status {}\"", job.result, unit));
        }
        return {};
    }

    /// Until the job is gone. Signals that came with the answer wait in the queue.
    int await(const Job& job) const {
        while (job.result.empty()) {
            const int done = sd_bus_process(bus, nullptr);
            if (done < 0) {
                return done;
            }
            if (done == 0 && job.result.empty()) {
                const int woken = sd_bus_wait(bus, k_job_patience_us);
                if (woken <= 0) {
                    return woken < 0 ? woken : -ETIMEDOUT;
                }
            }
        }
        return 0;
    }
};

void ServiceManager::Free::operator()(Impl* impl) const {
    sd_bus_flush_close_unref(impl->bus);
    delete impl; // NOLINT(cppcoreguidelines-owning-memory)
}

bool is_run_by_systemd() {
    return sd_booted() > 0;
}

Result<ServiceManager> ServiceManager::connect() {
    std::unique_ptr<Impl, Free> impl(new Impl);
    int fault = sd_bus_open_system(&impl->bus);
    if (fault >= 0) {
        sd_bus_set_method_call_timeout(impl->bus, k_patience_us);
        BusError error;
        fault = sd_bus_call_method(impl->bus, k_service, k_path, "org.freedesktop.DBus.Peer",
                                   "Ping", error.get(), nullptr, "");
        if (fault < 0) {
            return fail(Errc::failed, "systemd cannot be asked: {}", error.words(fault));
        }
        return ServiceManager(std::move(impl));
    }
    return fail(Errc::failed, "systemd cannot be asked over the system bus: {}",
                std::strerror(-fault));
}

Result<UnitState> ServiceManager::state_of(const std::string& unit) const {
    TRY_ASSIGN(const auto object, m_impl->object_of(unit));
    UnitState state;
    state.load = m_impl->text_of(object, "LoadState");
    state.active = m_impl->text_of(object, "ActiveState");
    state.sub = m_impl->text_of(object, "SubState");
    state.file_state = m_impl->text_of(object, "UnitFileState");
    if (unit.ends_with(".service") && m_impl->number_of(object, "ExecMainCode") == k_exited) {
        state.exit_status = m_impl->number_of(object, "ExecMainStatus");
    }
    return state;
}

Result<void> ServiceManager::enable(const std::string& unit) const {
    BusError error;
    const int fault =
        sd_bus_call_method(m_impl->bus, k_service, k_path, k_manager, "EnableUnitFiles",
                           error.get(), nullptr, "asbb", 1, unit.c_str(), 0, 0);
    return fault < 0 ? refused("enable", unit, error.words(fault)) : m_impl->reload();
}

Result<void> ServiceManager::disable(const std::string& unit) const {
    BusError error;
    const int fault =
        sd_bus_call_method(m_impl->bus, k_service, k_path, k_manager, "DisableUnitFiles",
                           error.get(), nullptr, "asb", 1, unit.c_str(), 0);
    return fault < 0 ? refused("disable", unit, error.words(fault)) : m_impl->reload();
}

Result<void> ServiceManager::start(const std::string& unit) const {
    return m_impl->run_job("StartUnit", "start", unit);
}

Result<void> ServiceManager::stop(const std::string& unit) const {
    return m_impl->run_job("StopUnit", "stop", unit);
}

} // namespace losos
