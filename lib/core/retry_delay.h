// How long to wait before asking again somebody who did not answer.
#pragma once

#include "base/duration.h"

namespace losos {

/// 1 s, 2 s, 4 s and so on up to 30 s after that many failures in a row, shortened by up to a half:
/// `jitter` from 0 to 1 says by how little. Callers that failed together do not come back together.
Duration retry_delay(int failures, double jitter);

} // namespace losos
