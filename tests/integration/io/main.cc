// Runs the tests inside a network namespace of their own, where loopback has further addresses:
// limits per source cannot be seen from 127.0.0.1 alone.
#define CATCH_CONFIG_RUNNER
#include "support/catch.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <vector>

namespace {

// The kernel's in6_ifreq, whose header does not go with the C library's.
struct In6Request {
    in6_addr address;
    std::uint32_t prefix_length;
    int interface_index;
};

bool add_v4(int fd, const char* label, const char* address) {
    ifreq request{};
    std::strncpy(request.ifr_name, label, IFNAMSIZ - 1);
    sockaddr_in target{};
    target.sin_family = AF_INET;
    inet_pton(AF_INET, address, &target.sin_addr);
    std::memcpy(&request.ifr_addr, &target, sizeof target);
    return ioctl(fd, SIOCSIFADDR, &request) == 0;
}

bool add_v6(int fd, const char* address) {
    In6Request request{};
    inet_pton(AF_INET6, address, &request.address);
    request.prefix_length = 64;
    request.interface_index = static_cast<int>(if_nametoindex("lo"));
    return ioctl(fd, SIOCSIFADDR, &request) == 0;
}

bool raise_loopback(int fd) {
    ifreq request{};
    std::strncpy(request.ifr_name, "lo", IFNAMSIZ - 1);
    request.ifr_flags = IFF_UP | IFF_RUNNING;
    return ioctl(fd, SIOCSIFFLAGS, &request) == 0;
}

bool enter_namespace() {
    const int flags = geteuid() == 0 ? CLONE_NEWNET : CLONE_NEWUSER | CLONE_NEWNET;
    if (unshare(flags) != 0) {
        return false;
    }
    const int v4 = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const int v6 = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool done = raise_loopback(v4) && add_v4(v4, "lo:1", "192.0.2.1") &&
                      add_v4(v4, "lo:2", "192.0.2.2") && add_v6(v6, "fd00:1::1") &&
                      add_v6(v6, "fd00:1::2") && add_v6(v6, "fd00:2::1");
    close(v4);
    close(v6);
    return done;
}

} // namespace

int main(int argc, char** argv) {
    std::vector<const char*> arguments(argv, argv + argc);
    if (!enter_namespace()) {
        if (std::getenv("CI") != nullptr) {
            std::cerr << "no network namespace can be made here\n";
            return 1;
        }
        std::cerr << "not run, for no network namespace can be made here: limits per source\n";
        arguments.push_back("~[namespace]");
    }
    return Catch::Session().run(static_cast<int>(arguments.size()), arguments.data());
}
