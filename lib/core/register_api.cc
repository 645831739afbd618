#include "core/register_api.h"

namespace losos {

Result<RegisterCall> parse_register_call(std::string_view body) {
    TRY_ASSIGN(const auto json, Json::parse(body));
    TRY_ASSIGN(const auto appliance_id, json.required_text("appliance_id"));
    TRY_ASSIGN(const auto token, json.required_text("token"));
    TRY_ASSIGN(const auto hostname, json.required_text("hostname"));
    return RegisterCall{std::string(appliance_id), std::string(token), std::string(hostname),
                        read_pass_update(json)};
}

std::string render_register_call(const RegisterCall& call) {
    JsonWriter json(JsonWriter::Style::compact);
    json.begin_object();
    json.text("appliance_id", call.appliance_id);
    json.text("token", call.token);
    json.text("hostname", call.hostname);
    write_pass_update(json, call.relay_pass);
    json.end_object();
    return std::move(json).finish();
}

Result<Port> parse_register_answer(std::string_view body) {
    TRY_ASSIGN(const auto json, Json::parse(body));
    TRY_ASSIGN(const auto port, json.required_whole("rathole_port", 1, 65535));
    return Port::from_number(port);
}

std::string render_register_answer(Port port) {
    JsonWriter json(JsonWriter::Style::compact);
    json.begin_object();
    json.whole("rathole_port", port.number());
    json.end_object();
    return std::move(json).finish();
}

} // namespace losos
