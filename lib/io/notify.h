// sd_notify: what the service manager is told.
#pragma once

#include <string>

namespace losos {

/// READY=1 with a status line.
void notify_ready(const std::string& status);
/// STATUS=
void notify_status(const std::string& status);
/// STOPPING=1
void notify_stopping();

} // namespace losos
