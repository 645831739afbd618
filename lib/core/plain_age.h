// How long ago something was, as a person says it.
#pragma once

#include <string>

namespace losos {

/// `4 s`, `3 min`, `5 h` or `2 days`; what lies ahead was just now.
std::string plain_age(long long seconds);

} // namespace losos
