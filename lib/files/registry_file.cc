#include "files/registry_file.h"

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "files/document.h"
#include "files/entry.h"
#include "files/paths.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

namespace losos::registry_file {
namespace {

constexpr mode_t k_mode = 0600;
constexpr auto k_any_low = std::numeric_limits<std::int64_t>::min();
constexpr auto k_any_high = std::numeric_limits<std::int64_t>::max();

/// The sentence for an entry of another shape. It costs only itself.
std::string dropped(std::string_view name, const Json& json, const Error& fault) {
    return entry::fault_in(name, json, fault).what + "; it is dropped";
}

Result<StoredRow> parse_row(const std::string& id, const Json& json) {
    TRY(json.members(id));
    TRY_ASSIGN(const auto hostname, json.required_text("hostname"));
    TRY_ASSIGN(const auto port, json.required_whole("port", k_any_low, k_any_high));
    TRY_ASSIGN(const auto via, json.optional_text("via"));
    return StoredRow{id, std::string(hostname), port,
                     via ? std::optional<std::string>(*via) : std::nullopt};
}

Result<void> read_tenants(const Json& root, const PortRange& range, Loaded& loaded) {
    TRY_ASSIGN(const auto* members, root.required_members("tenants"));
    std::vector<StoredRow> rows;
    rows.reserve(members->size());
    for (const auto& [id, json] : *members) {
        if (auto row = parse_row(id, json)) {
            rows.push_back(*std::move(row));
        } else {
            loaded.dropped.push_back(dropped(id, json, row.error()));
        }
    }
    auto validated = validate_rows(std::move(rows), range);
    loaded.registry.rows = std::move(validated.rows);
    std::move(validated.dropped.begin(), validated.dropped.end(),
              std::back_inserter(loaded.dropped));
    return {};
}

Result<ComputeWindow> parse_window(const std::string& node, const Json& json) {
    TRY(json.members(node));
    ComputeWindow window;
    TRY_ASSIGN(window.share_compute, json.boolean_or("share_compute", false));
    TRY_ASSIGN(const auto start, json.optional_text("window_start"));
    TRY_ASSIGN(const auto end, json.optional_text("window_end"));
    TRY_ASSIGN(const auto tz, json.optional_text("tz"));
    window.window_start = start.value_or("");
    window.window_end = end.value_or("");
    window.tz = tz.value_or(window.tz);
    return window;
}

Result<void> read_windows(const Json& root, Loaded& loaded) {
    if (root.find("compute_windows") == nullptr) {
        return {};
    }
    TRY_ASSIGN(const auto* members, root.required_members("compute_windows"));
    for (const auto& [node, json] : *members) {
        auto window = parse_window(node, json);
        if (!window) {
            loaded.dropped.push_back(dropped(node, json, window.error()));
            continue;
        }
        auto id = DnsLabel::parse(node);
        if (!id) {
            loaded.dropped.push_back(format("the compute window of {} is dropped: {}",
                                            in_quotes(node), id.error().what));
            continue;
        }
        loaded.registry.compute_windows.emplace(*std::move(id), *std::move(window));
    }
    return {};
}

struct StoredRest {
    std::string_view id;
    UnixTime until;
};

Result<StoredRest> parse_rest(const std::string& port, const Json& json) {
    TRY(json.members(port));
    TRY_ASSIGN(const auto id, json.required_text("id"));
    TRY_ASSIGN(const auto until, json.required_whole("until", k_any_low, k_any_high));
    return StoredRest{id, UnixTime(until)};
}

Result<void> read_resting(const Json& root, Loaded& loaded) {
    if (root.find("resting") == nullptr) {
        return {};
    }
    TRY_ASSIGN(const auto* members, root.required_members("resting"));
    std::set<Port> held;
    for (const auto& [_, row] : loaded.registry.rows) {
        held.insert(row.port);
    }
    for (const auto& [key, json] : *members) {
        auto rest = parse_rest(key, json);
        if (!rest) {
            loaded.dropped.push_back(dropped(key, json, rest.error()));
            continue;
        }
        const auto port = Port::parse(key);
        auto id = RowId::parse(rest->id);
        if (!port || !id) {
            loaded.dropped.push_back(format("the rest of port {} is dropped: {}", in_quotes(key),
                                            port ? id.error().what : port.error().what));
        } else if (held.contains(*port)) {
            loaded.dropped.push_back(
                format("the rest of port {} is dropped: a tenant has that port", port->text()));
        } else {
            loaded.registry.resting.emplace(*port, RestingPort{*std::move(id), rest->until});
        }
    }
    return {};
}

void render_rows(JsonWriter& json, const Registry& registry) {
    json.key("tenants").begin_object();
    for (const auto& [id, row] : registry.rows) {
        json.key(id.text()).begin_object();
        json.text("hostname", row.hostname.text());
        json.whole("port", row.port.number());
        if (const auto spoke = id.spoke()) {
            json.text("via", spoke->text());
        }
        json.end_object();
    }
    json.end_object();
}

} // namespace

Result<Loaded> parse(std::string_view text, const PortRange& range) {
    TRY_ASSIGN(const Json root, Json::parse(text));
    TRY(document::members_of(root));
    Loaded loaded;
    TRY(read_tenants(root, range, loaded));
    TRY(read_windows(root, loaded));
    TRY(read_resting(root, loaded));
    return loaded;
}

std::string render(const Registry& registry) {
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object();
    render_rows(json, registry);
    json.key("compute_windows").begin_object();
    for (const auto& [node, window] : registry.compute_windows) {
        json.key(node.text()).begin_object();
        json.boolean("share_compute", window.share_compute);
        json.text("window_start", window.window_start);
        json.text("window_end", window.window_end);
        json.text("tz", window.tz);
        json.end_object();
    }
    json.end_object();
    json.key("resting").begin_object();
    for (const auto& [port, rest] : registry.resting) {
        json.key(port.text()).begin_object();
        json.text("id", rest.id.text());
        json.whole("until", rest.until.count());
        json.end_object();
    }
    json.end_object().end_object();
    return std::move(json).finish();
}

Result<std::optional<Loaded>> load(const std::string& path, const PortRange& range) {
    return document::load<Loaded>(path, k_limit,
                                  [&](std::string_view text) { return parse(text, range); });
}

Result<Change> store(const std::string& path, const Registry& registry) {
    return replace_file(path, render(registry), k_mode, Durability::durable);
}

std::string lock_path(const std::string& path) {
    return beside(path, k_registrar_lock);
}

} // namespace losos::registry_file
