// What `/domains/*` answers beside a view.
#pragma once

#include "core/domain_table.h"
#include "replies.h"

namespace losos {

/// The reply to an addition that was refused.
HttpReply reply_to_refused_addition(const AdditionOutcome& outcome);

HttpReply reply_no_such_domain();

/// 503: this edge has no zone, or is not official at the moment.
HttpReply reply_domains_not_offered();

} // namespace losos
