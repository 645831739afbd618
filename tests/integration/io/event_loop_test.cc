#include "io/event_loop.h"

#include "io/clock.h"
#include "io/loop_tasks.h"
#include "io/notify.h"
#include "raw_client.h"
#include "scratch_directory.h"
#include "support/catch.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace losos;
using namespace losos::test;

namespace {

// A loop that ends by itself when a test would hang.
struct BoundedLoop {
    BoundedLoop() { deadline->set(monotonic_now() + Duration(5000)); }

    std::unique_ptr<EventLoop> loop = *EventLoop::make();
    bool timed_out = false;
    std::unique_ptr<EventLoop::Alarm> deadline = *loop->make_alarm([this] {
        timed_out = true;
        loop->stop();
    });
};

} // namespace

TEST_CASE("alarms fire in order, once, and not when they were cancelled") {
    BoundedLoop bounded;
    EventLoop& loop = *bounded.loop;
    std::string fired;
    const auto late = *loop.make_alarm([&] {
        fired += "late";
        loop.stop();
    });
    const auto early = *loop.make_alarm([&] { fired += "early "; });
    const auto never = *loop.make_alarm([&] { fired += "never "; });
    const auto past = *loop.make_alarm([&] { fired += "past "; });
    const MonotonicTime start = monotonic_now();
    late->set(start + Duration(60));
    early->set(start + Duration(1000));
    early->set(start + Duration(30));
    never->set(start + Duration(10));
    never->cancel();
    past->set(MonotonicTime(-5));
    REQUIRE(loop.run());
    CHECK(fired == "past early late");
    CHECK(monotonic_now() - start >= Duration(60));
}

TEST_CASE("an alarm may destroy itself") {
    BoundedLoop bounded;
    std::unique_ptr<EventLoop::Alarm> alarm;
    alarm = *bounded.loop->make_alarm([&] {
        alarm.reset();
        bounded.loop->stop();
    });
    alarm->set(monotonic_now());
    REQUIRE(bounded.loop->run());
    CHECK_FALSE(bounded.timed_out);
}

TEST_CASE("wake-ups from other threads are never lost") {
    BoundedLoop bounded;
    EventLoop& loop = *bounded.loop;
    int calls = 0;
    std::thread other;
    REQUIRE(loop.on_wake([&] {
        if (++calls == 1) {
            other = std::thread([&] { loop.wake(); });
        } else {
            loop.stop();
        }
    }));
    loop.wake();
    loop.wake();
    REQUIRE(loop.run());
    other.join();
    CHECK(calls == 2);
}

TEST_CASE("SIGTERM and SIGINT end the loop") {
    for (const int signal : {SIGTERM, SIGINT}) {
        BoundedLoop bounded;
        kill(getpid(), signal);
        REQUIRE(bounded.loop->run());
        CHECK_FALSE(bounded.timed_out);
    }
}

TEST_CASE("what a callback throws comes out of run()") {
    BoundedLoop bounded;
    const auto alarm = *bounded.loop->make_alarm([] { throw std::runtime_error("fault"); });
    alarm->set(monotonic_now());
    CHECK_THROWS_AS(bounded.loop->run(), std::runtime_error);
}

TEST_CASE("every way to change a file in a watched directory is seen") {
    const ScratchDirectory scratch;
    BoundedLoop bounded;
    EventLoop& loop = *bounded.loop;
    std::vector<std::string> seen;
    const auto file = scratch.path() / "file";
    const auto moved = scratch.path() / "moved";
    REQUIRE(loop.watch_directory(scratch.path().string(), [&](std::string_view name) {
        seen.emplace_back(name);
        if (name == "last") {
            loop.stop();
        }
    }));
    std::ofstream(file) << "text";
    std::filesystem::permissions(file, std::filesystem::perms::owner_read);
    std::filesystem::rename(file, moved);
    std::filesystem::remove(moved);
    std::filesystem::create_directory(scratch.path() / "last");
    REQUIRE(loop.run());
    CHECK(seen ==
          std::vector<std::string>{"file", "file", "file", "file", "moved", "moved", "last"});
}

TEST_CASE("a watched directory that goes is said once and can be watched again") {
    const ScratchDirectory scratch;
    const auto inner = (scratch.path() / "inner").string();
    BoundedLoop bounded;
    EventLoop& loop = *bounded.loop;
    CHECK_FALSE(loop.watch_directory(inner, [](std::string_view) {}));
    std::filesystem::create_directory(inner);
    int gone = 0;
    bool seen_again = false;
    REQUIRE(loop.watch_directory(inner, [&](std::string_view name) {
        CHECK(name.empty());
        ++gone;
        std::filesystem::create_directory(inner);
        REQUIRE(loop.watch_directory(inner, [&](std::string_view again) {
            seen_again = again == "file";
            loop.stop();
        }));
        std::ofstream(inner + "/file") << "text";
    }));
    std::filesystem::remove(inner);
    REQUIRE(loop.run());
    CHECK(gone == 1);
    CHECK(seen_again);
}

TEST_CASE("a directory has one watch, the last, until it is given up") {
    const ScratchDirectory scratch;
    BoundedLoop bounded;
    EventLoop& loop = *bounded.loop;
    std::string seen;
    const auto path = scratch.path().string();
    REQUIRE(loop.watch_directory(path, [&](std::string_view) { seen += "first "; }));
    REQUIRE(loop.watch_directory(path, [&](std::string_view) {
        seen += "second ";
        loop.unwatch_directory(path);
    }));
    std::ofstream(scratch.path() / "file") << "text";
    const auto end = *loop.make_alarm([&] { loop.stop(); });
    end->set(monotonic_now() + Duration(100));
    REQUIRE(loop.run());
    CHECK(seen == "second ");
}

TEST_CASE("a descriptor is told of while it can be read, and until its watch goes") {
    BoundedLoop bounded;
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    const UniqueFd reading(ends[0]);
    const UniqueFd writing(ends[1]);
    int told = 0;
    std::unique_ptr<EventLoop::DescriptorWatch> watch;
    const auto unwatched = *bounded.loop->make_alarm([&] { bounded.loop->stop(); });
    watch = *bounded.loop->watch_descriptor(reading.get(), EventLoop::Readiness::to_read, [&] {
        if (++told == 3) {
            watch.reset();
            unwatched->set(monotonic_now() + Duration(20));
        }
    });
    REQUIRE(write(writing.get(), "x", 1) == 1);
    REQUIRE(bounded.loop->run());
    CHECK(told == 3);
    CHECK_FALSE(bounded.timed_out);
}

TEST_CASE("tasks of other threads are done on the loop's, in their order") {
    BoundedLoop bounded;
    const auto tasks = *LoopTasks::make(*bounded.loop);
    std::string done;
    std::thread other([&] {
        tasks->post([&] { done += "one "; });
        tasks->post([&] {
            done += "two";
            bounded.loop->stop();
        });
    });
    REQUIRE(bounded.loop->run());
    other.join();
    CHECK(done == "one two");
    CHECK_FALSE(bounded.timed_out);
}

TEST_CASE("the service manager is told in one datagram each") {
    const ScratchDirectory scratch;
    const UniqueFd fd(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const auto path = (scratch.path() / "notify").string();
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    REQUIRE(bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    setenv("NOTIFY_SOCKET", path.c_str(), 1);
    notify_ready("2 boxes\nREADY=0");
    notify_status("1 box");
    notify_stopping();
    unsetenv("NOTIFY_SOCKET");
    const auto next = [&fd] {
        std::array<char, 256> buffer{};
        const ssize_t size = recv(fd.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
        return std::string(buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    };
    CHECK(next() == "READY=1\nSTATUS=2 boxes READY=0");
    CHECK(next() == "STATUS=1 box");
    CHECK(next() == "STOPPING=1");
}

TEST_CASE("the boot id is the same at every reading") {
    const auto id = read_boot_id();
    REQUIRE(id);
    CHECK(id->size() == 36);
    CHECK(*id == *read_boot_id());
    CHECK(unix_now().count() > 1'700'000'000);
}
