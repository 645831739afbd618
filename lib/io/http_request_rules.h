// Which requests are refused by their head alone, although the library would take them: what two
// servers could read in two ways, and what a JSON API has no use for (RFC 9112, sections 3 and 6).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace losos {

/// A request's head as the library parsed it.
struct RequestHead {
    std::string_view method;
    std::string_view target;
    std::string_view version;
    std::vector<std::pair<std::string_view, std::string_view>> headers;
};

/// Why a request is not let in.
struct HeadRefusal {
    int status = 400;
    std::string_view sentence;
};

/// nullopt when the head is sound. The caller closes the connection after a refusal: where the next
/// request would begin is not known.
std::optional<HeadRefusal> check_head(const RequestHead& head, std::size_t body_bytes);

/// Whether the caller says that this is its last request on the connection.
bool wants_close(const RequestHead& head);

} // namespace losos
