#include "core/cluster_api.h"

#include "base/format.h"
#include "base/json_reader.h"
#include "base/json_writer.h"

#include <algorithm>

namespace losos {
namespace {

constexpr std::size_t k_zone_max = 64;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_time_of_day(std::string_view text) {
    if (text.size() != 5 || text[2] != ':' || !is_digit(text[0]) || !is_digit(text[1]) ||
        !is_digit(text[3]) || !is_digit(text[4])) {
        return false;
    }
    const int hour = (text[0] - '0') * 10 + (text[1] - '0');
    return hour < 24 && text[3] < '6';
}

bool is_zone_part(std::string_view part) {
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    return !part.empty() && is_letter(part.front()) &&
           std::all_of(part.begin(), part.end(), [&](char c) {
               return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '+';
           });
}

Result<std::string> read_time(const Json& json, std::string_view key) {
    TRY_ASSIGN(const auto text, json.optional_text(key));
    if (!text || text->empty()) {
        return std::string();
    }
    if (!is_time_of_day(*text)) {
        return Error{Errc::failed,
                     "field \"" + std::string(key) + "\" must be a time as HH:MM, or empty"};
    }
    return std::string(*text);
}

Result<ComputeWindow> read_window(const Json& json) {
    ComputeWindow window;
    TRY_ASSIGN(window.share_compute, json.boolean_or("share_compute", false));
    TRY_ASSIGN(window.window_start, read_time(json, "window_start"));
    TRY_ASSIGN(window.window_end, read_time(json, "window_end"));
    if (window.window_start.empty() != window.window_end.empty()) {
        return Error{Errc::failed, "fields \"window_start\" and \"window_end\" must both be given, "
                                   "or neither"};
    }
    TRY_ASSIGN(const auto zone, json.optional_text("window_tz"));
    if (zone && !zone->empty()) {
        if (!is_zone_shaped(*zone)) {
            return Error{Errc::failed, "field \"window_tz\" must be an IANA time zone, as "
                                       "Europe/Berlin"};
        }
        window.tz = *zone;
    }
    return window;
}

} // namespace

std::vector<std::string> stale_paths(const DnsLabel& node) {
    return {"/api/v1/nodes/" + node.text(),
            "/api/v1/namespaces/kube-system/secrets/" + node.text() + ".node-password.rke2"};
}

std::string deletion_fault(int status) {
    switch (status) {
    case 200:
    case 202:
    case 404:
        return {};
    case 401:
        return "it does not know the token of this edge (401)";
    case 403:
        return "the token of this edge lacks the role for it (403)";
    case 409:
        return "something else changed it at the same time (409)";
    default:
        return format("it answered {}", status);
    }
}

bool is_zone_shaped(std::string_view text) {
    if (text.size() > k_zone_max) {
        return false;
    }
    for (;;) {
        const auto slash = text.find('/');
        if (!is_zone_part(text.substr(0, slash))) {
            return false;
        }
        if (slash == std::string_view::npos) {
            return true;
        }
        text.remove_prefix(slash + 1);
    }
}

Result<ClusterJoinCall> parse_cluster_join_call(std::string_view body) {
    TRY_ASSIGN(const auto json, Json::parse(body));
    ClusterJoinCall call;
    TRY_ASSIGN(call.appliance_id, json.required_text("appliance_id"));
    TRY_ASSIGN(call.token, json.required_text("token"));
    TRY_ASSIGN(call.node_name, json.required_text("node_name"));
    TRY_ASSIGN(call.window, read_window(json));
    return call;
}

std::string render_cluster_join_call(const ClusterJoinCall& call) {
    JsonWriter json(JsonWriter::Style::compact);
    json.begin_object();
    json.text("appliance_id", call.appliance_id);
    json.text("token", call.token);
    json.text("node_name", call.node_name);
    json.boolean("share_compute", call.window.share_compute);
    json.text("window_start", call.window.window_start);
    json.text("window_end", call.window.window_end);
    json.text("window_tz", call.window.tz);
    json.end_object();
    return std::move(json).finish();
}

Result<ClusterJoinAnswer> parse_cluster_join_answer(std::string_view body) {
    TRY_ASSIGN(const auto json, Json::parse(body));
    ClusterJoinAnswer answer;
    TRY_ASSIGN(answer.server_addr, json.required_text("server_addr"));
    TRY_ASSIGN(answer.token, json.required_text("token"));
    TRY_ASSIGN(answer.node_name, json.required_text("node_name"));
    return answer;
}

std::string render_cluster_join_answer(const ClusterJoinAnswer& answer) {
    JsonWriter json(JsonWriter::Style::compact);
    json.begin_object();
    json.text("server_addr", answer.server_addr);
    json.text("token", answer.token);
    json.text("node_name", answer.node_name);
    json.end_object();
    return std::move(json).finish();
}

} // namespace losos
