#include "core/relay_pass_key.h"

#include "base/crypto.h"
#include "base/format.h"
#include "base/hex.h"
#include "core/ascii.h"

#include <algorithm>
#include <utility>

namespace losos {
namespace {

constexpr std::size_t k_key_bytes = 32;
/// A pass is good in the hour it was made and in so many after it.
constexpr PassHour k_good_for{2};

std::string text_of(const Mac& mac) {
    return {reinterpret_cast<const char*>(mac.data()), mac.size()};
}

Mac mac_of(std::string_view key, const DnsLabel& box, PassHour hour) {
    return hmac_sha256(key, format("losos-relay-pass-v1\n{}\n{}\n", box.text(), hour.count()));
}

} // namespace

PassHour pass_hour_of(UnixTime when) {
    return std::max(std::chrono::floor<PassHour>(when), PassHour{0});
}

bool has_expired(PassHour hour, UnixTime now) {
    return hour < pass_hour_of(now) - k_good_for;
}

RelayPassKey::Secret::Secret(std::string digits)
    : hex(std::move(digits)), bytes(hex_decode(hex).value_or(std::string())) {}

RelayPassKey::Secret::~Secret() {
    wipe(hex);
    wipe(bytes);
}

Result<RelayPassKey> RelayPassKey::parse(std::string_view text) {
    auto secret = std::make_shared<const Secret>(std::string(trim_ascii(text)));
    if (secret->bytes.size() != k_key_bytes) {
        return Error{Errc::failed, "the key of relay passes is 64 lower-case hex digits"};
    }
    return RelayPassKey(std::move(secret));
}

RelayPassKey RelayPassKey::make() {
    auto bytes = random_bytes(k_key_bytes);
    auto secret = std::make_shared<const Secret>(hex_encode(bytes));
    wipe(bytes);
    return RelayPassKey(std::move(secret));
}

RelayPass RelayPassKey::pass_for(const DnsLabel& box, UnixTime now) const {
    const auto hour = pass_hour_of(now);
    const auto code = hex_encode(text_of(mac_of(m_secret->bytes, box, hour)));
    return RelayPass::parse(format("v1.{}.{}", hour.count(), code)).value();
}

PassVerdict RelayPassKey::check(const DnsLabel& box, const RelayPass& pass, UnixTime now) const {
    const auto hour = pass.hour();
    const auto code = hex_decode(pass.code());
    if (!hour || !code) {
        return PassVerdict::forged;
    }
    Mac shown{};
    std::copy(code->begin(), code->end(), shown.begin());
    if (!equal_in_constant_time(shown, mac_of(m_secret->bytes, box, *hour))) {
        return PassVerdict::forged;
    }
    if (*hour > pass_hour_of(now)) {
        return PassVerdict::from_the_future;
    }
    return has_expired(*hour, now) ? PassVerdict::expired : PassVerdict::good;
}

bool RelayPassKey::same_as(const RelayPassKey& other) const {
    return equal_in_constant_time(digest_of(m_secret->bytes), digest_of(other.m_secret->bytes));
}

} // namespace losos
