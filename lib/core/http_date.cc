#include "core/http_date.h"

#include "base/format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

namespace losos {

namespace {

constexpr std::array<std::string_view, 12> k_months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/// Whether each digit of the form meets a digit, each letter a letter, and all else itself.
bool has_form(std::string_view text, std::string_view form) {
    const auto is_digit = [](char c) {
        return c >= '0' && c <= '9';
    };
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    return std::equal(text.begin(), text.end(), form.begin(), form.end(), [&](char met, char due) {
        return is_digit(due) ? is_digit(met) : is_letter(due) ? is_letter(met) : met == due;
    });
}

std::optional<int> number(std::string_view digits) {
    int value = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (fault != std::errc() || end != digits.data() + digits.size() || value < 0) {
        return std::nullopt;
    }
    return value;
}

std::optional<unsigned> month_of(std::string_view name) {
    for (unsigned at = 0; at < k_months.size(); ++at) {
        if (k_months[at] == name) {
            return at + 1;
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<UnixTime> parse_http_date(std::string_view text) {
    constexpr std::string_view k_form = "Sun, 06 Nov 1994 08:49:37 GMT";
    if (!has_form(text, k_form) || !text.ends_with(" GMT")) {
        return std::nullopt;
    }
    const auto day = number(text.substr(5, 2));
    const auto month = month_of(text.substr(8, 3));
    const auto year = number(text.substr(12, 4));
    const auto hour = number(text.substr(17, 2));
    const auto minute = number(text.substr(20, 2));
    const auto second = number(text.substr(23, 2));
    if (!day || !month || !year || !hour || !minute || !second) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(*month),
                                           std::chrono::day(static_cast<unsigned>(*day))};
    // A minute may have a leap second.
    if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) {
        return std::nullopt;
    }
    const auto days = std::chrono::sys_days(date).time_since_epoch();
    return UnixTime(days) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) +
           UnixTime(*second);
}

std::string render_utc(UnixTime time) {
    const auto days = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date{std::chrono::sys_days(days)};
    const std::chrono::hh_mm_ss clock(time - days);
    return format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

} // namespace losos
