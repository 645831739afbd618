// The hub's own key, with which it makes relay passes and knows them again.
#pragma once

#include "base/duration.h"
#include "base/result.h"
#include "core/names.h"
#include "core/relay_pass.h"

#include <memory>
#include <string>
#include <string_view>

namespace losos {

/// The hour a moment lies in; a clock before 1970 is in the first.
PassHour pass_hour_of(UnixTime when);

/// Whether something of that hour still holds: in it and in the two after. What is of a later hour
/// has not expired either.
bool has_expired(PassHour hour, UnixTime now);

/// What a pass is worth to the hub that may have made it.
enum class PassVerdict { good, forged, expired, from_the_future };

/// 32 random bytes. Copies share the secret, which is wiped with the last of them; never formatted,
/// never logged.
class RelayPassKey {
public:
    /// 64 lower-case hex digits, with nothing but white space around them. Fails without saying any
    /// of the text.
    static Result<RelayPassKey> parse(std::string_view text);
    static RelayPassKey make();

    /// The hex digits, for the file that holds them.
    const std::string& reveal() const { return m_secret->hex; }

    /// The pass of a box for the hour that `now` lies in.
    RelayPass pass_for(const DnsLabel& box, UnixTime now) const;
    /// Judges a pass somebody shows for a box. Only one that this key made can be anything but
    /// forged. Codes are compared in constant time.
    PassVerdict check(const DnsLabel& box, const RelayPass& pass, UnixTime now) const;

    /// In constant time.
    bool same_as(const RelayPassKey& other) const;

private:
    struct Secret {
        explicit Secret(std::string digits);
        Secret(const Secret&) = delete;
        Secret& operator=(const Secret&) = delete;
        ~Secret();

        std::string hex;
        std::string bytes;
    };

    explicit RelayPassKey(std::shared_ptr<const Secret> secret) : m_secret(std::move(secret)) {}

    std::shared_ptr<const Secret> m_secret;
};

} // namespace losos
