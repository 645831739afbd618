#include "base/duration.h"

#include "base/format.h"
#include "base/utf8.h"

#include <array>
#include <charconv>
#include <cstdint>

namespace losos {
namespace {

struct Unit {
    std::string_view name;
    std::int64_t milliseconds;
};

// Largest first: the first that divides a duration spells it.
constexpr std::array<Unit, 4> k_units = {
    {{"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};

// A million hours: sums and small multiples of durations and times stay far from overflow.
constexpr std::int64_t k_longest = 1'000'000LL * 3'600'000;

} // namespace

Result<Duration> parse_duration(std::string_view text) {
    std::int64_t count = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, count);
    if (text.empty() || text.front() == '-' || error == std::errc::invalid_argument) {
        return fail(Errc::failed, "{} is no duration such as 500ms, 15s, 2m or 1h",
                    in_quotes(text));
    }
    const std::string_view suffix(rest, static_cast<std::size_t>(end - rest));
    for (const auto& [name, milliseconds] : k_units) {
        if (suffix != name && !(suffix.empty() && name == "s")) {
            continue;
        }
        if (error == std::errc::result_out_of_range || count > k_longest / milliseconds) {
            return fail(Errc::failed, "the duration {} is too long", in_quotes(text));
        }
        if (count == 0) {
            return fail(Errc::failed, "the duration {} is not greater than zero", in_quotes(text));
        }
        return Duration(count * milliseconds);
    }
    return fail(Errc::failed, "{} is no duration such as 500ms, 15s, 2m or 1h", in_quotes(text));
}

std::string render_duration(Duration duration) {
    const std::int64_t count = duration.count();
    for (const auto& [name, milliseconds] : k_units) {
        if (count % milliseconds == 0) {
            return format("{}{}", count / milliseconds, name);
        }
    }
    return {};
}

} // namespace losos
