#include "core/relay_api.h"

#include "base/format.h"
#include "base/json_reader.h"
#include "base/json_writer.h"

#include <set>

namespace losos {
namespace {

Result<RelayedBox> read_relayed_box(const Json& json) {
    TRY_ASSIGN(const auto id, json.required_text("id"));
    TRY_ASSIGN(const auto hostname, json.required_text("hostname"));
    RelayedBox box{std::string(id), std::string(hostname), std::nullopt};
    if (const auto* field = json.find("pass")) {
        if (const auto text = field->text("pass")) {
            if (auto pass = RelayPass::parse(*text)) {
                box.pass = *std::move(pass);
            }
        }
        box.odd_pass = !box.pass;
    }
    return box;
}

/// Names the row in front of what is wrong with it.
Error in_row(std::string_view list, std::size_t index, const Error& error) {
    return fail(error.code, "{}[{}]: {}", list, index, error.what);
}

/// Reads a list of objects, each by `read`; `most` bounds it.
template <class Row, class Read>
Result<std::vector<Row>> read_rows(const std::vector<Json>& items, std::string_view list,
                                   std::size_t most, Read read) {
    if (items.size() > most) {
        return fail(Errc::failed, "{} holds more than {} boxes", list, most);
    }
    std::vector<Row> rows;
    rows.reserve(items.size());
    for (const auto& item : items) {
        TRY(item.members(format("{}[{}]", list, rows.size())));
        auto row = read(item);
        if (!row) {
            return in_row(list, rows.size(), row.error());
        }
        rows.push_back(*std::move(row));
    }
    return rows;
}

/// What must be the id of a box, or an error that names the field.
Result<DnsLabel> read_id(const Json& json) {
    TRY_ASSIGN(const auto text, json.required_text("id"));
    auto id = DnsLabel::parse(text);
    if (!id) {
        return fail(Errc::failed, "id: {}", id.error().what);
    }
    return id;
}

Result<DnsName> read_name(const Json& json, std::string_view key) {
    TRY_ASSIGN(const auto text, json.required_text(key));
    auto name = DnsName::parse(text);
    if (!name) {
        return fail(Errc::failed, "{}: {}", key, name.error().what);
    }
    return name;
}

Result<AcceptedBox> read_accepted(const Json& json) {
    TRY_ASSIGN(auto id, read_id(json));
    TRY_ASSIGN(auto hostname, read_name(json, "hostname"));
    TRY_ASSIGN(const auto number, json.required_whole("rathole_port", 1, 65535));
    TRY_ASSIGN(const auto port, Port::from_number(number));
    return AcceptedBox{std::move(id), std::move(hostname), port};
}

Result<RefusedBox> read_refused(const Json& json) {
    TRY_ASSIGN(const auto id, read_id(json));
    TRY_ASSIGN(const auto reason, json.required_text("reason"));
    return RefusedBox{id.text(), std::string(reason)};
}

Result<RelayRoute> read_route(const Json& json) {
    TRY_ASSIGN(const auto id, read_id(json));
    TRY_ASSIGN(const auto domain, read_name(json, "domain"));
    return RelayRoute{id.text(), domain.text()};
}

Result<std::vector<RelayRoute>> read_routes(const Json& json) {
    const auto* field = json.find("routes");
    if (field == nullptr) {
        return std::vector<RelayRoute>{};
    }
    TRY_ASSIGN(const auto* items, field->items("routes"));
    return read_rows<RelayRoute>(*items, "routes", items->size(), read_route);
}

} // namespace

Result<RelayCall> parse_relay_call(std::string_view body) {
    TRY_ASSIGN(const auto json, Json::parse(body));
    TRY_ASSIGN(const auto appliance_id, json.required_text("appliance_id"));
    TRY_ASSIGN(const auto token, json.required_text("token"));
    TRY_ASSIGN(const auto* items, json.required_items("tenants"));
    TRY_ASSIGN(auto tenants,
               read_rows<RelayedBox>(*items, "tenants", k_relay_max, read_relayed_box));
    return RelayCall{std::string(appliance_id), std::string(token), std::move(tenants)};
}

std::string render_relay_call(const RelayCall& call) {
    JsonWriter json(JsonWriter::Style::compact);
    json.begin_object();
    json.text("appliance_id", call.appliance_id);
    json.text("token", call.token);
    json.key("tenants").begin_array();
    for (const auto& box : call.tenants) {
        json.begin_object();
        json.text("id", box.id);
        json.text("hostname", box.hostname);
        if (box.pass) {
            json.text("pass", box.pass->text());
        } else if (box.odd_pass) {
            json.text("pass", "");
        }
        json.end_object();
    }
    json.end_array();
    json.end_object();
    return std::move(json).finish();
}

Result<RelayAnswer> parse_relay_answer(std::string_view body) {
    TRY_ASSIGN(const auto json, Json::parse(body));
    TRY_ASSIGN(const auto* accepted, json.required_items("accepted"));
    TRY_ASSIGN(const auto* refused, json.required_items("refused"));
    RelayAnswer answer;
    TRY_ASSIGN(answer.accepted,
               read_rows<AcceptedBox>(*accepted, "accepted", k_relay_max, read_accepted));
    TRY_ASSIGN(answer.refused,
               read_rows<RefusedBox>(*refused, "refused", k_relay_max, read_refused));
    TRY_ASSIGN(answer.routes, read_routes(json));
    std::set<DnsLabel> seen;
    for (const auto& box : answer.accepted) {
        if (!seen.insert(box.id).second) {
            return fail(Errc::failed, "accepted holds {} twice", box.id.text());
        }
    }
    return answer;
}

std::string render_relay_answer(const RelayAnswer& answer) {
    JsonWriter json(JsonWriter::Style::compact);
    json.begin_object();
    json.key("accepted").begin_array();
    for (const auto& box : answer.accepted) {
        json.begin_object();
        json.text("id", box.id.text());
        json.text("hostname", box.hostname.text());
        json.whole("rathole_port", box.rathole_port.number());
        json.end_object();
    }
    json.end_array();
    json.key("refused").begin_array();
    for (const auto& box : answer.refused) {
        json.begin_object().text("id", box.id).text("reason", box.reason).end_object();
    }
    json.end_array();
    json.key("routes").begin_array();
    for (const auto& route : answer.routes) {
        json.begin_object().text("id", route.id).text("domain", route.domain).end_object();
    }
    json.end_array();
    json.end_object();
    return std::move(json).finish();
}

} // namespace losos
