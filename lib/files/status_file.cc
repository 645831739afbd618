#include "files/status_file.h"

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "files/document.h"
#include "files/entry.h"

#include <array>
#include <limits>
#include <utility>

namespace losos::status_file {
namespace {

constexpr mode_t k_mode = 0644;
constexpr auto k_most = std::numeric_limits<std::int64_t>::max();

constexpr std::array<std::pair<Kind, std::string_view>, 3> k_kinds{
    {{Kind::listed, "listed"}, {Kind::enrolled, "enrolled"}, {Kind::relayed, "relayed"}}};
constexpr std::string_view k_rathole = "rathole";
constexpr std::string_view k_none = "none";

constexpr std::array<std::pair<std::string_view, std::int64_t Counts::*>, 10> k_counts{{
    {"listed", &Counts::listed},
    {"enrolled", &Counts::enrolled},
    {"live_direct", &Counts::live_direct},
    {"live_relayed", &Counts::live_relayed},
    {"ports_free", &Counts::ports_free},
    {"ports_resting", &Counts::ports_resting},
    {"domains_live", &Counts::domains_live},
    {"domains_waiting", &Counts::domains_waiting},
    {"bindings", &Counts::bindings},
    {"routes", &Counts::routes},
}};

std::string_view name_of(Kind kind) {
    for (const auto& [value, name] : k_kinds) {
        if (value == kind) {
            return name;
        }
    }
    return {};
}

Result<Kind> parse_kind(std::string_view text) {
    for (const auto& [value, name] : k_kinds) {
        if (name == text) {
            return value;
        }
    }
    return fail(Errc::failed, "{} is none of listed, enrolled and relayed", in_quotes(text));
}

Result<std::string> text_or_empty(const Json& json, std::string_view key) {
    TRY_ASSIGN(const auto text, json.optional_text(key));
    return std::string(text.value_or(std::string_view()));
}

Result<std::int64_t> whole_or_zero(const Json& json, std::string_view key) {
    return json.find(key) == nullptr ? std::int64_t{0} : json.required_whole(key, 0, k_most);
}

Result<RegistrarPulse> read_pulse(const Json& root) {
    TRY_ASSIGN(const auto boot_id, root.required_text("boot_id"));
    TRY_ASSIGN(const auto reconciled, root.required_whole("reconciled_monotonic_ms", 0, k_most));
    TRY_ASSIGN(const auto ttl, root.required_whole("heartbeat_ttl_ms", 1, k_most));
    return RegistrarPulse{std::string(boot_id), MonotonicTime(reconciled), Duration(ttl)};
}

Result<Row> read_row(const Json& json) {
    TRY(json.check_entry_of("tenants"));
    TRY_ASSIGN(auto id, entry::parsed(json, "id", RowId::parse));
    TRY_ASSIGN(const Kind kind, entry::parsed(json, "kind", parse_kind));
    TRY_ASSIGN(auto hostname, entry::parsed(json, "hostname", DnsName::parse));
    TRY_ASSIGN(const Port port, entry::port(json, "port"));
    TRY_ASSIGN(const auto age, whole_or_zero(json, "last_contact_age_ms"));
    return Row{std::move(id), kind, std::move(hostname), port, Duration(age)};
}

Result<void> read_lists(const Json& root, Status& status) {
    if (root.find("faults") != nullptr) {
        TRY_ASSIGN(const auto* faults, root.required_items("faults"));
        for (const Json& json : *faults) {
            TRY_ASSIGN(const auto fault, json.text("faults"));
            status.faults.emplace_back(fault);
        }
    }
    if (root.find("tenants") != nullptr) {
        TRY_ASSIGN(const auto* rows, root.required_items("tenants"));
        status.rows.reserve(rows->size());
        for (const Json& json : *rows) {
            TRY_ASSIGN(auto row, read_row(json));
            status.rows.push_back(std::move(row));
        }
    }
    return {};
}

Result<void> read_counts(const Json& root, Counts& counts) {
    const Json* const json = root.find("counts");
    if (json == nullptr) {
        return {};
    }
    TRY(json->members("counts"));
    for (const auto& [key, member] : k_counts) {
        TRY_ASSIGN(counts.*member, whole_or_zero(*json, key));
    }
    return {};
}

Result<std::optional<Lan>> read_lan(const Json& root) {
    const Json* const json = root.find("lan");
    if (json == nullptr) {
        return std::optional<Lan>();
    }
    TRY(json->members("lan"));
    Lan lan;
    TRY_ASSIGN(lan.url, text_or_empty(*json, "url"));
    TRY_ASSIGN(lan.rathole, text_or_empty(*json, "rathole"));
    TRY_ASSIGN(lan.enrolment_open, json->boolean_or("enrolment_open", false));
    return std::optional(std::move(lan));
}

Result<std::optional<Certified>> read_identity(const Json& root) {
    const Json* const json = root.find("identity");
    if (json == nullptr) {
        return std::optional<Certified>();
    }
    TRY(json->members("identity"));
    Certified identity;
    TRY_ASSIGN(identity.name, text_or_empty(*json, "name"));
    TRY_ASSIGN(identity.url, text_or_empty(*json, "url"));
    TRY_ASSIGN(const auto not_after, whole_or_zero(*json, "not_after"));
    identity.not_after = UnixTime(not_after);
    return std::optional(std::move(identity));
}

Result<std::optional<Zone>> read_zone(const Json& root) {
    const Json* const json = root.find("zone");
    if (json == nullptr) {
        return std::optional<Zone>();
    }
    TRY(json->members("zone"));
    TRY_ASSIGN(auto name, entry::parsed(*json, "name", DnsName::parse));
    Zone zone{std::move(name), {}, {}};
    TRY_ASSIGN(zone.file, text_or_empty(*json, "file"));
    TRY_ASSIGN(const auto* addresses, json->required_items("addresses"));
    for (const Json& item : *addresses) {
        TRY_ASSIGN(const auto address, item.text("addresses"));
        zone.addresses.emplace_back(address);
    }
    return std::optional(std::move(zone));
}

void render_row(JsonWriter& json, const Row& row) {
    json.begin_object();
    json.text("id", row.id.text());
    json.text("kind", name_of(row.kind));
    json.text("hostname", row.hostname.text());
    json.whole("port", row.port.number());
    if (const auto spoke = row.id.spoke()) {
        json.text("via", spoke->text());
    }
    json.whole("last_contact_age_ms", row.last_contact_age.count());
    json.end_object();
}

void render_lan(JsonWriter& json, const std::optional<Lan>& lan) {
    json.key("lan");
    if (!lan) {
        json.null();
        return;
    }
    json.begin_object();
    json.text("url", lan->url);
    json.text("rathole", lan->rathole);
    json.boolean("enrolment_open", lan->enrolment_open);
    json.end_object();
}

void render_identity(JsonWriter& json, const std::optional<Certified>& identity) {
    json.key("identity");
    if (!identity) {
        json.null();
        return;
    }
    json.begin_object();
    json.text("name", identity->name);
    json.text("url", identity->url);
    json.whole("not_after", identity->not_after.count());
    json.end_object();
}

void render_zone(JsonWriter& json, const std::optional<Zone>& zone) {
    json.key("zone");
    if (!zone) {
        json.null();
        return;
    }
    json.begin_object().text("name", zone->name.text()).text("file", zone->file);
    json.key("addresses").begin_array();
    for (const std::string& address : zone->addresses) {
        json.text(address);
    }
    json.end_array().end_object();
}

} // namespace

Result<Status> parse(std::string_view text) {
    TRY_ASSIGN(const Json root, Json::parse(text));
    Status status;
    TRY_ASSIGN(const auto pulse, read_pulse(root));
    status.boot_id = pulse.boot_id;
    status.reconciled = pulse.reconciled;
    status.heartbeat_ttl = pulse.heartbeat_ttl;
    TRY_ASSIGN(status.version, text_or_empty(root, "version"));
    TRY_ASSIGN(const auto started, whole_or_zero(root, "started_at"));
    status.started_at = UnixTime(started);
    TRY_ASSIGN(status.stopped, root.boolean_or("stopped", false));
    TRY_ASSIGN(const auto tunnels, text_or_empty(root, "tunnels"));
    status.tunnels = tunnels == k_none ? Tunnels::none : Tunnels::rathole;
    TRY_ASSIGN(const auto domain, root.optional_text("public_domain"));
    if (domain) {
        status.public_domain = *domain;
    }
    TRY(read_counts(root, status.counts));
    TRY_ASSIGN(status.lan, read_lan(root));
    TRY_ASSIGN(status.identity, read_identity(root));
    TRY_ASSIGN(status.zone, read_zone(root));
    TRY(read_lists(root, status));
    return status;
}

Result<RegistrarPulse> parse_pulse(std::string_view text) {
    TRY_ASSIGN(const Json root, Json::parse(text));
    return read_pulse(root);
}

std::string render(const Status& status) {
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object();
    json.text("version", status.version);
    json.text("boot_id", status.boot_id);
    json.whole("reconciled_monotonic_ms", status.reconciled.count());
    json.whole("heartbeat_ttl_ms", status.heartbeat_ttl.count());
    json.whole("started_at", status.started_at.count());
    if (status.stopped) {
        json.boolean("stopped", true);
    }
    json.text("tunnels", status.tunnels == Tunnels::none ? k_none : k_rathole);
    if (status.public_domain) {
        json.text("public_domain", *status.public_domain);
    }
    json.key("counts").begin_object();
    for (const auto& [key, member] : k_counts) {
        json.whole(key, status.counts.*member);
    }
    json.end_object();
    render_lan(json, status.lan);
    render_identity(json, status.identity);
    render_zone(json, status.zone);
    json.key("faults").begin_array();
    for (const std::string& fault : status.faults) {
        json.text(fault);
    }
    json.end_array();
    json.key("tenants").begin_array();
    for (const Row& row : status.rows) {
        render_row(json, row);
    }
    json.end_array().end_object();
    return std::move(json).finish();
}

Result<std::optional<Status>> load(const std::string& path) {
    return document::load<Status>(path, k_limit, parse, document::Remedy::next_write);
}

Result<std::optional<RegistrarPulse>> load_pulse(const std::string& path) {
    return document::load<RegistrarPulse>(path, k_limit, parse_pulse, document::Remedy::next_write);
}

Result<Change> store(const std::string& path, const Status& status) {
    return replace_file(path, render(status), k_mode, Durability::until_reboot);
}

} // namespace losos::status_file
