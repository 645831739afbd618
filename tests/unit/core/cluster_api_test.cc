#include "core/cluster_api.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <string>

using namespace losos;
using namespace losos::make;

namespace {

Result<ClusterJoinCall> join(const std::string& fields) {
    return parse_cluster_join_call(
        R"({"appliance_id": "zoe", "token": "geheim", "node_name": "zoe")" + fields + "}");
}

} // namespace

TEST_CASE("a member that says nothing of its processors lends none") {
    const auto call = sound(join(""));
    CHECK(call.appliance_id == "zoe");
    CHECK(call.node_name == "zoe");
    CHECK(call.window == ComputeWindow{});
    CHECK(sound(join(R"(, "window_start": "", "window_end": null, "window_tz": "")")).window ==
          ComputeWindow{});
}

TEST_CASE("a window has two ends and a time zone") {
    const auto call = sound(join(R"(, "share_compute": true, "window_start": "22:00",
                                    "window_end": "06:59", "window_tz": "Europe/Berlin")"));
    CHECK(call.window == ComputeWindow{true, "22:00", "06:59", "Europe/Berlin"});
}

TEST_CASE("a window that makes no sense is refused, by the name of its field") {
    const auto [fields, word] = GENERATE(table<std::string, std::string>(
        {{R"(, "window_start": "22:00")", "window_end"},
         {R"(, "window_end": "22:00")", "window_start"},
         {R"(, "window_start": "24:00", "window_end": "06:00")", "window_start"},
         {R"(, "window_start": "22:60", "window_end": "06:00")", "window_start"},
         {R"(, "window_start": "2:00", "window_end": "06:00")", "window_start"},
         {R"(, "window_start": "22.00", "window_end": "06:00")", "window_start"},
         {R"(, "window_start": "22:00", "window_end": "06:00:00")", "window_end"},
         {R"(, "window_start": 22, "window_end": "06:00")", "window_start"},
         {R"(, "share_compute": "yes")", "share_compute"},
         {R"(, "window_tz": "../../etc/passwd")", "window_tz"},
         {R"(, "window_tz": "Europe/")", "window_tz"},
         {R"(, "window_tz": "/Europe")", "window_tz"},
         {R"(, "window_tz": "Europe/Ber lin")", "window_tz"},
         {R"(, "window_tz": 7)", "window_tz"}}));
    CAPTURE(fields);
    const auto call = join(fields);
    REQUIRE_FALSE(call.has_value());
    CHECK(call.error().what.find(word) != std::string::npos);
    CHECK(call.error().what.find("geheim") == std::string::npos);
}

TEST_CASE("time zones have the shape of IANA's names") {
    for (const auto* zone : {"UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+1",
                             "America/Port-au-Prince", "EST5EDT"}) {
        CHECK(is_zone_shaped(zone));
    }
    for (const auto& zone :
         {std::string(), std::string("."), std::string("a//b"), std::string("a/../b"),
          std::string("1a"), std::string(65, 'a'), std::string("a\0b", 3)}) {
        CHECK_FALSE(is_zone_shaped(zone));
    }
}

TEST_CASE("a join is read as it is written, and so is its answer") {
    const ClusterJoinCall call{"zoe", "t", "zoe", {true, "22:00", "06:00", "Europe/Berlin"}};
    const auto again = sound(parse_cluster_join_call(render_cluster_join_call(call)));
    CHECK(again.window == call.window);
    CHECK(again.node_name == call.node_name);
    const ClusterJoinAnswer answer{"https://10.0.0.1:9345", "K10::server:x", "zoe"};
    CHECK(sound(parse_cluster_join_answer(render_cluster_join_answer(answer))) == answer);
    CHECK_FALSE(parse_cluster_join_answer(R"({"server_addr": "a", "token": "b"})").has_value());
}

TEST_CASE("what a member left behind is its node and that node's password") {
    CHECK(
        stale_paths(label("zoe")) ==
        std::vector<std::string>{"/api/v1/nodes/zoe",
                                 "/api/v1/namespaces/kube-system/secrets/zoe.node-password.rke2"});
}

TEST_CASE("a deletion is done when the apiserver says so or knows of nothing to delete") {
    CHECK(deletion_fault(200).empty());
    CHECK(deletion_fault(202).empty());
    CHECK(deletion_fault(404).empty());
    const int status = GENERATE(0, 201, 204, 301, 400, 401, 403, 409, 410, 500, 503);
    CAPTURE(status);
    CHECK(deletion_fault(status).find(std::to_string(status)) != std::string::npos);
}

TEST_CASE("a deletion that lacks a role is told from one that lacks a token") {
    CHECK(deletion_fault(401).find("does not know the token") != std::string::npos);
    CHECK(deletion_fault(403).find("lacks the role") != std::string::npos);
}
