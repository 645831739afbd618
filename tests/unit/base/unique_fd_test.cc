#include "base/unique_fd.h"

#include "support/catch.h"

#include <fcntl.h>
#include <unistd.h>

using namespace losos;

namespace {

UniqueFd open_something() {
    return UniqueFd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

bool is_open(int fd) {
    return ::fcntl(fd, F_GETFD) != -1;
}

} // namespace

TEST_CASE("base/unique_fd: the descriptor closes with its owner") {
    int number = -1;
    {
        const UniqueFd fd = open_something();
        number = fd.get();
        REQUIRE(fd);
        CHECK(is_open(number));
    }
    CHECK_FALSE(is_open(number));
}

TEST_CASE(
    "base/unique_fd: a moved descriptor has one owner, and the old one of the target closes") {
    UniqueFd first = open_something();
    UniqueFd second = open_something();
    const int kept = first.get();
    const int closed = second.get();
    second = std::move(first);
    CHECK(second.get() == kept);
    CHECK(is_open(kept));
    CHECK_FALSE(is_open(closed));
}

TEST_CASE("base/unique_fd: a released descriptor stays open and an empty one is false") {
    UniqueFd fd = open_something();
    const int number = fd.release();
    CHECK_FALSE(fd);
    CHECK(is_open(number));
    ::close(number);
    fd.reset();
    CHECK(fd.get() == -1);
}
