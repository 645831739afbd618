// One question to a resolver that speaks DNS over HTTPS in its JSON form, bounded in time and size.
// What comes back is a text from somebody else; reading it is not done here.
#pragma once

#include "io/http_client.h"

#include <atomic>
#include <string>

namespace losos {

/// No answer about one name is longer.
inline constexpr std::size_t k_dns_answer_max = std::size_t{64} * 1024;

/// The body of the resolver's answer to a GET of `path` there, the question included. Fails with
/// Errc::no_answer when nothing came within `patience`, when it was longer, when the resolver said
/// anything but 200, and soon after `abandoned` turned true.
Result<std::string> ask_dns_over_https(const HttpTarget& resolver, const std::string& path,
                                       Duration patience, const std::atomic<bool>& abandoned);

} // namespace losos
