// Whether a caller means this machine by the name it calls a server: a page from elsewhere reaches
// a loopback port only under a name of its own (DNS rebinding).
#pragma once

#include <string_view>

namespace losos {

/// True for `localhost`, `127.0.0.1` and `[::1]`, with any port or none.
bool names_this_machine(std::string_view host_header);

} // namespace losos
