#include "base/file.h"

#include "support/catch.h"
#include "unit/files/scratch_dir.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <future>
#include <memory>
#include <thread>
#include <vector>

using namespace losos;
using test::mode_of;
using test::ScratchDir;

namespace {

bool can_take(const std::string& path) {
    const auto lock = FileLock::try_take(path);
    return lock && *lock;
}

} // namespace

TEST_CASE("base/file_lock: one holds the lock until it is gone") {
    const ScratchDir dir;
    const std::string path = dir / ".lock";
    {
        const auto held = FileLock::wait_for(path);
        REQUIRE(held);
        CHECK(mode_of(path) == 0600);
        const auto second = FileLock::try_take(path);
        REQUIRE(second);
        CHECK_FALSE(*second);
    }
    CHECK(can_take(path));
    CHECK(test::exists(path));
}

TEST_CASE("base/file_lock: another process is kept out, and its death lets the next one in") {
    const ScratchDir dir;
    const std::string path = dir / ".lock";
    int ready[2] = {};
    REQUIRE(::pipe(ready) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const auto held = FileLock::wait_for(path);
        const char byte = held ? 'y' : 'n';
        ::_exit(::write(ready[1], &byte, 1) == 1 && ::pause() == -1 ? 0 : 1);
    }
    char byte = 0;
    REQUIRE(::read(ready[0], &byte, 1) == 1);
    CHECK(byte == 'y');
    CHECK_FALSE(can_take(path));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    CHECK(can_take(path));
    ::close(ready[0]);
    ::close(ready[1]);
}

TEST_CASE("base/file_lock: a lock on a file that was removed keeps nobody out") {
    const ScratchDir dir;
    const std::string path = dir / ".lock";
    const auto old = FileLock::wait_for(path);
    REQUIRE(old);
    REQUIRE(::unlink(path.c_str()) == 0);
    const auto fresh = FileLock::try_take(path);
    REQUIRE(fresh);
    CHECK(*fresh);
    CHECK_FALSE(can_take(path));
}

TEST_CASE("base/file_lock: one who waits gets the lock of the file that is there by then") {
    const ScratchDir dir;
    const std::string path = dir / ".lock";
    auto old = std::make_unique<Result<FileLock>>(FileLock::wait_for(path));
    REQUIRE(*old);
    std::promise<void> has_it;
    std::promise<void> may_end;
    std::thread waiter([&] {
        const auto lock = FileLock::wait_for(path);
        has_it.set_value();
        may_end.get_future().wait();
    });
    REQUIRE(::unlink(path.c_str()) == 0);
    old.reset();
    has_it.get_future().wait();
    CHECK(test::exists(path));
    CHECK_FALSE(can_take(path));
    may_end.set_value();
    waiter.join();
    CHECK(can_take(path));
}

TEST_CASE("base/file_lock: of many at once, one at a time is inside") {
    const ScratchDir dir;
    const std::string path = dir / ".lock";
    std::atomic<int> inside = 0;
    std::atomic<bool> crowded = false;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int k = 0; k < 50; ++k) {
                const auto lock = FileLock::wait_for(path);
                crowded = crowded || !lock || ++inside != 1;
                --inside;
            }
        });
    }
    for (auto& thread : threads) {
        thread.join();
    }
    CHECK_FALSE(crowded);
}

TEST_CASE("base/file_lock: what cannot be a lock file is refused") {
    const ScratchDir dir;
    CHECK_FALSE(FileLock::wait_for(dir.path()));
    CHECK_FALSE(FileLock::wait_for(dir / "no/.lock"));
    REQUIRE(::symlink("nowhere", (dir / "link").c_str()) == 0);
    CHECK_FALSE(FileLock::try_take(dir / "link"));
    REQUIRE(::mkfifo((dir / "fifo").c_str(), 0600) == 0);
    CHECK(FileLock::try_take(dir / "fifo").error().what ==
          "cannot lock " + (dir / "fifo") + ": it is not a regular file");
    const std::string missing = "there is no directory " + (dir / "no") + "; make it";
    CHECK(FileLock::wait_for(dir / "no/lock").error() ==
          Error{Errc::unusable, "cannot write " + (dir / "no/lock") + ": " + missing});
    CHECK(FileLock::wait_for_directory_of(dir / "no/k").error() ==
          Error{Errc::unusable, "cannot lock the directory of " + (dir / "no/k") + ": " + missing});
    CHECK_FALSE(test::exists(dir / "nowhere"));
}
