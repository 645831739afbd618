// POST /cluster/join: both sides of its wire format, and when a member of the mesh may lend its
// processors. Whether a time zone is one that anybody knows is asked elsewhere.
#pragma once

#include "base/result.h"
#include "core/registry.h"

#include <string>
#include <string_view>
#include <vector>

namespace losos {

/// What the caller claims; of it only the window is known to make sense.
struct ClusterJoinCall {
    std::string appliance_id;
    std::string token;
    std::string node_name;
    ComputeWindow window;
};

/// Fails with a sentence that names the field, never its content. A window has both ends, each
/// HH:MM, or none; a time zone has the shape of an IANA name.
Result<ClusterJoinCall> parse_cluster_join_call(std::string_view body);
std::string render_cluster_join_call(const ClusterJoinCall& call);

/// What a new member needs to join.
struct ClusterJoinAnswer {
    std::string server_addr;
    std::string token;
    std::string node_name;
    friend bool operator==(const ClusterJoinAnswer&, const ClusterJoinAnswer&) = default;
};

Result<ClusterJoinAnswer> parse_cluster_join_answer(std::string_view body);
std::string render_cluster_join_answer(const ClusterJoinAnswer& answer);

/// What a member's former life left at the apiserver, as paths to delete before it joins again: its
/// Node, and the Secret with that node's password.
std::vector<std::string> stale_paths(const DnsLabel& node);

/// What the apiserver's answer to a DELETE says against it, as the end of a sentence; empty when it
/// means that nothing is there any more.
std::string deletion_fault(int status);

/// Whether a text has the shape of an IANA zone name, as UTC or Europe/Berlin.
bool is_zone_shaped(std::string_view text);

} // namespace losos
