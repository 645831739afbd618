#include "core/heartbeat_api.h"

namespace losos {

Result<HeartbeatCall> parse_heartbeat_call(std::string_view body) {
    TRY_ASSIGN(const auto json, Json::parse(body));
    TRY_ASSIGN(const auto appliance_id, json.required_text("appliance_id"));
    TRY_ASSIGN(const auto token, json.required_text("token"));
    TRY_ASSIGN(const auto idle, json.optional_boolean("idle"));
    return HeartbeatCall{std::string(appliance_id), std::string(token), idle,
                         read_pass_update(json)};
}

std::string render_heartbeat_call(const HeartbeatCall& call) {
    JsonWriter json(JsonWriter::Style::compact);
    json.begin_object();
    json.text("appliance_id", call.appliance_id);
    json.text("token", call.token);
    if (call.idle) {
        json.boolean("idle", *call.idle);
    }
    write_pass_update(json, call.relay_pass);
    json.end_object();
    return std::move(json).finish();
}

Result<DeregisterCall> parse_deregister_call(std::string_view body) {
    TRY_ASSIGN(const auto json, Json::parse(body));
    TRY_ASSIGN(const auto appliance_id, json.required_text("appliance_id"));
    TRY_ASSIGN(const auto token, json.required_text("token"));
    return DeregisterCall{std::string(appliance_id), std::string(token)};
}

std::string render_deregister_call(const DeregisterCall& call) {
    JsonWriter json(JsonWriter::Style::compact);
    json.begin_object();
    json.text("appliance_id", call.appliance_id);
    json.text("token", call.token);
    json.end_object();
    return std::move(json).finish();
}

} // namespace losos
