#include "core/relay_pass.h"

#include <algorithm>
#include <charconv>

namespace losos {
namespace {

constexpr std::string_view k_version = "v1.";
constexpr std::size_t k_pass_max = 96;
constexpr std::size_t k_hour_digits_max = 20;
/// Of an hour that can be one: the year 100,000 is far away, and no sum with it overflows.
constexpr std::size_t k_real_digits_max = 9;
constexpr std::size_t k_mac_digits = 64;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool has_right_shape(std::string_view text) {
    if (text.size() > k_pass_max || !text.starts_with(k_version)) {
        return false;
    }
    text.remove_prefix(k_version.size());
    const auto dot = text.find('.');
    if (dot == std::string_view::npos || dot == 0 || dot > k_hour_digits_max) {
        return false;
    }
    const auto hour = text.substr(0, dot);
    const auto mac = text.substr(dot + 1);
    return std::all_of(hour.begin(), hour.end(), is_digit) && mac.size() == k_mac_digits &&
           std::all_of(mac.begin(), mac.end(),
                       [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
}

} // namespace

Result<RelayPass> RelayPass::parse(std::string_view text) {
    if (!has_right_shape(text)) {
        return Error{Errc::failed, "a relay pass is v1.<hour>.<64 lower-case hex digits>"};
    }
    return RelayPass(std::string(text));
}

std::optional<PassHour> RelayPass::hour() const {
    const auto digits = std::string_view(m_text).substr(
        k_version.size(), m_text.size() - k_version.size() - 1 - k_mac_digits);
    if (digits.size() > k_real_digits_max || (digits.size() > 1 && digits.front() == '0')) {
        return std::nullopt;
    }
    long long number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return PassHour(number);
}

std::string_view RelayPass::code() const {
    return std::string_view(m_text).substr(m_text.size() - k_mac_digits);
}

} // namespace losos
