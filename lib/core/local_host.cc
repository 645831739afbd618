#include "core/local_host.h"

#include "core/ascii.h"
#include "core/port.h"

namespace losos {

bool names_this_machine(std::string_view host_header) {
    const auto bracket = host_header.rfind(']');
    const auto colon = host_header.find(':', bracket == std::string_view::npos ? 0 : bracket);
    const bool has_port = colon != std::string_view::npos;
    if (has_port && !Port::parse(host_header.substr(colon + 1))) {
        return false;
    }
    const auto name = fold_ascii_case(host_header.substr(0, colon));
    return name == "localhost" || name == "127.0.0.1" || name == "[::1]";
}

} // namespace losos
