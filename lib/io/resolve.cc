#include "io/resolve.h"

#include "base/unique_fd.h"
#include "io/clock.h"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace losos {

namespace {

/// How often somebody who may be told to give up looks whether he was.
constexpr MonotonicTime k_look{100};

struct AddressesFree {
    void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, AddressesFree>;

// 0, or the error of getaddrinfo.
int look_up(const std::string& host, const char* service, int flags, Addresses& found) {
    addrinfo hints{};
    hints.ai_flags = flags;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* list = nullptr;
    const int status = getaddrinfo(host.c_str(), service, &hints, &list);
    if (status == 0) {
        found.reset(list);
    }
    return status;
}

std::vector<std::string> numeric(const Addresses& found) {
    std::vector<std::string> addresses;
    for (const addrinfo* entry = found.get(); entry != nullptr; entry = entry->ai_next) {
        std::array<char, NI_MAXHOST> text{};
        if (getnameinfo(entry->ai_addr, entry->ai_addrlen, text.data(), text.size(), nullptr, 0,
                        NI_NUMERICHOST) == 0) {
            addresses.emplace_back(text.data());
        }
    }
    return addresses;
}

// Shared with a thread that may outlive the wait: a resolver cannot be interrupted.
struct LookUp {
    std::mutex mutex;
    std::condition_variable finished;
    bool done = false;
    int status = 0;
    std::vector<std::string> addresses;
};

void run_look_up(const std::string& host, LookUp& shared) {
    Addresses found;
    const int status = look_up(host, nullptr, AI_ADDRCONFIG, found);
    const std::lock_guard lock(shared.mutex);
    shared.status = status;
    shared.addresses = numeric(found);
    shared.done = true;
    shared.finished.notify_all();
}

} // namespace

Result<std::vector<std::string>> resolve_host(const std::string& host, MonotonicTime deadline,
                                              const std::atomic<bool>* abandoned) {
    Addresses found;
    if (look_up(host, nullptr, AI_NUMERICHOST, found) == 0) {
        return numeric(found);
    }
    const auto shared = std::make_shared<LookUp>();
    std::thread([host, shared] { run_look_up(host, *shared); }).detach();

    std::unique_lock lock(shared->mutex);
    const auto has_time = [&] {
        return monotonic_now() < deadline && (abandoned == nullptr || !*abandoned);
    };
    while (!shared->done && has_time()) {
        const auto left = std::max(deadline - monotonic_now(), MonotonicTime(0));
        shared->finished.wait_for(lock, abandoned == nullptr ? left : std::min(left, k_look));
    }
    if (!shared->done) {
        return Error{Errc::no_answer, "the name was not resolved in time"};
    }
    if (shared->addresses.empty()) {
        return Error{Errc::no_answer, shared->status == EAI_AGAIN
                                          ? "the name cannot be resolved at present"
                                          : "the name has no address"};
    }
    return std::move(shared->addresses);
}

std::string connection_fault(const std::string& address, std::uint16_t port,
                             MonotonicTime deadline) {
    static constexpr const char* k_unknown = "the connection failed";
    Addresses found;
    if (look_up(address, std::to_string(port).c_str(), AI_NUMERICHOST | AI_NUMERICSERV, found) !=
        0) {
        return k_unknown;
    }
    const UniqueFd fd(socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd) {
        return std::generic_category().message(errno);
    }
    int fault = connect(fd.get(), found->ai_addr, found->ai_addrlen) == 0 ? 0 : errno;
    if (fault == EINPROGRESS) {
        const auto left = std::max<long long>((deadline - monotonic_now()).count(), 0);
        pollfd entry{fd.get(), POLLOUT, 0};
        if (poll(&entry, 1, static_cast<int>(left)) <= 0) {
            return "it takes no connection";
        }
        socklen_t size = sizeof fault;
        getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &fault, &size);
    }
    switch (fault) {
    case 0:
        return {};
    case ECONNREFUSED:
        return "connection refused";
    case EHOSTUNREACH:
        return "no route to the host";
    case ENETUNREACH:
        return "the network is unreachable";
    default:
        return std::generic_category().message(fault);
    }
}

} // namespace losos
