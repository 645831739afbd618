// What a box takes from its hub's answer to POST /domains/list: the domains that are live, and its
// pass. The rest of a view is for people, and may be anything.
#pragma once

#include "core/domain_name.h"
#include "core/relay_pass.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace losos {

/// So many domains can stand in a view; an answer with more is none of an edge's.
inline constexpr std::size_t k_view_domains_max = 100;

struct BoxView {
    /// In the order of their names, each once.
    std::vector<CustomDomain> live;
    /// None from a hub without a route table.
    std::optional<RelayPass> pass;
    friend bool operator==(const BoxView&, const BoxView&) = default;
};

/// Fails with a sentence that names the field, never its content. A domain whose status is any
/// other than `live` is left out.
Result<BoxView> parse_box_view(std::string_view body);

} // namespace losos
