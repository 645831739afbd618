// Loaded into a program, it gives it the wall clock that a file says: `step <seconds>` from the
// true time, or `stop <Unix seconds>`. Every other clock is the true one.
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

timespec wall_clock() {
    timespec now{};
    ::syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    const char* const path = std::getenv("LOSOS_TEST_CLOCK");
    std::FILE* const file = path != nullptr ? std::fopen(path, "re") : nullptr;
    if (file == nullptr) {
        return now;
    }
    char word[8] = {};
    long long seconds = 0;
    // NOLINTNEXTLINE(cert-err34-c): the tests write the file, and write small numbers.
    if (std::fscanf(file, "%7s %lld", word, &seconds) == 2) {
        now = std::strcmp(word, "stop") == 0 ? timespec{seconds, 0}
                                             : timespec{now.tv_sec + seconds, now.tv_nsec};
    }
    std::fclose(file);
    return now;
}

} // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* result) noexcept {
    if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) {
        return static_cast<int>(::syscall(SYS_clock_gettime, clock, result));
    }
    *result = wall_clock();
    return 0;
}

int gettimeofday(timeval* __restrict result, void* __restrict) noexcept {
    const timespec now = wall_clock();
    *result = {now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t* result) noexcept {
    const timespec now = wall_clock();
    if (result != nullptr) {
        *result = now.tv_sec;
    }
    return now.tv_sec;
}
}
