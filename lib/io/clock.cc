#include "io/clock.h"

#include "base/file.h"
#include "base/format.h"

#include <time.h>

#include <array>

namespace losos {

namespace {

timespec read_clock(clockid_t id) {
    timespec now{};
    clock_gettime(id, &now);
    return now;
}

} // namespace

MonotonicTime monotonic_now() {
    return std::chrono::duration_cast<MonotonicTime>(monotonic_microseconds());
}

std::chrono::microseconds monotonic_microseconds() {
    const timespec now = read_clock(CLOCK_MONOTONIC);
    return std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

UnixTime unix_now() {
    return UnixTime(read_clock(CLOCK_REALTIME).tv_sec);
}

std::string http_date_now() {
    const time_t now = read_clock(CLOCK_REALTIME).tv_sec;
    tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 64> text{};
    // Our programs never leave the locale in which the names are English.
    const auto size = strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
    return {text.data(), size};
}

Result<std::string> read_boot_id() {
    static constexpr const char* k_path = "/proc/sys/kernel/random/boot_id";
    static constexpr std::size_t k_uuid_length = 36;
    TRY_ASSIGN(auto text, read_existing_file(k_path, 256));
    text.erase(text.find_last_not_of(" \n") + 1);
    if (text.size() != k_uuid_length) {
        return fail(Errc::failed, "\"{}\" does not hold a boot id", k_path);
    }
    return text;
}

} // namespace losos
