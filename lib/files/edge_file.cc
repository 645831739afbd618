#include "files/edge_file.h"

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "files/document.h"
#include "files/entry.h"

#include <array>
#include <limits>
#include <utility>

namespace losos::edge_file {
namespace {

constexpr mode_t k_mode = 0644;
constexpr auto k_most = std::numeric_limits<std::int64_t>::max();

using Edge = EdgeDocument::Edge;
using Candidate = EdgeDocument::Candidate;
using Path = EdgeDocument::Path;

template <class T, std::size_t Size>
using Names = std::array<std::pair<T, std::string_view>, Size>;

constexpr Names<PathSource, 2> k_sources{
    {{PathSource::lan, "lan"}, {PathSource::configured, "configured"}}};
constexpr Names<ProbeResult, 4> k_results{{{ProbeResult::ok, "ok"},
                                           {ProbeResult::wrong_answer, "wrongAnswer"},
                                           {ProbeResult::no_answer, "noAnswer"},
                                           {ProbeResult::wrong_key, "wrongKey"}}};
constexpr Names<HealthState, 5> k_states{{{HealthState::untried, "untried"},
                                          {HealthState::up, "up"},
                                          {HealthState::doubtful, "doubtful"},
                                          {HealthState::down, "down"},
                                          {HealthState::returning, "returning"}}};
constexpr Names<NoUse, 4> k_bans{{{NoUse::wrong_key, "wrongKey"},
                                  {NoUse::refused, "refused"},
                                  {NoUse::busy, "busy"},
                                  {NoUse::no_tunnel, "noTunnel"}}};

template <class T, std::size_t Size>
std::string_view name_in(const Names<T, Size>& names, T value) {
    for (const auto& [each, name] : names) {
        if (each == value) {
            return name;
        }
    }
    return {};
}

/// The value of a required text that is one of the names.
template <class T, std::size_t Size>
Result<T> one_of(const Json& json, std::string_view key, const Names<T, Size>& names) {
    return entry::parsed(json, key, [&names](std::string_view text) -> Result<T> {
        for (const auto& [value, name] : names) {
            if (name == text) {
                return value;
            }
        }
        return fail(Errc::failed, "{} is no word that is known here", in_quotes(text));
    });
}

Result<UnixTime> moment(const Json& json, std::string_view key) {
    TRY_ASSIGN(const auto seconds, json.required_whole(key, -k_most, k_most));
    return UnixTime(seconds);
}

Result<Edge> read_edge(const Json& json) {
    TRY(json.check_entry_of("edges"));
    TRY_ASSIGN(const auto name, json.required_text("name"));
    TRY_ASSIGN(auto url, entry::parsed(json, "url", HttpUrl::parse));
    TRY_ASSIGN(const auto source, one_of(json, "source", k_sources));
    TRY_ASSIGN(const bool official, json.boolean_or("official", false));
    TRY_ASSIGN(auto rathole, entry::parsed(json, "rathole", Endpoint::parse));
    return Edge{std::string(name), std::move(url), source, official, std::move(rathole)};
}

Result<Candidate> read_candidate(const Json& json) {
    TRY(json.check_entry_of("candidates"));
    TRY_ASSIGN(const auto name, json.required_text("name"));
    TRY_ASSIGN(auto url, entry::parsed(json, "url", HttpUrl::parse));
    TRY_ASSIGN(const auto source, one_of(json, "source", k_sources));
    TRY_ASSIGN(const auto state, one_of(json, "state", k_states));
    Candidate candidate{std::string(name), std::move(url), source, state, {}, {}};
    if (const Json* const probe = json.find("probe")) {
        TRY_ASSIGN(const auto result, one_of(*probe, "result", k_results));
        TRY_ASSIGN(const auto at, moment(*probe, "at"));
        candidate.probe = {result, at};
    }
    if (const Json* const ban = json.find("noUse")) {
        TRY_ASSIGN(const auto reason, one_of(*ban, "reason", k_bans));
        TRY_ASSIGN(const auto until, moment(*ban, "until"));
        candidate.ban = {reason, until};
    }
    return candidate;
}

Result<std::optional<Path>> read_path(const Json& root) {
    const Json* const json = root.find("path");
    if (json == nullptr) {
        return std::optional<Path>();
    }
    TRY_ASSIGN(const auto name, json->required_text("name"));
    TRY_ASSIGN(auto url, entry::parsed(*json, "url", HttpUrl::parse));
    TRY_ASSIGN(auto rathole, entry::parsed(*json, "rathole", Endpoint::parse));
    TRY_ASSIGN(const auto source, one_of(*json, "source", k_sources));
    return std::optional(Path{std::string(name), std::move(url), std::move(rathole), source});
}

template <class T, class ReadOne>
Result<std::vector<T>> read_list(const Json& root, std::string_view key, ReadOne read_one) {
    std::vector<T> values;
    if (root.find(key) == nullptr) {
        return values;
    }
    TRY_ASSIGN(const auto* items, root.required_items(key));
    for (const Json& json : *items) {
        TRY_ASSIGN(auto value, read_one(json));
        values.push_back(std::move(value));
    }
    return values;
}

void render_edge(JsonWriter& json, const Edge& edge) {
    json.begin_object();
    json.text("name", edge.name);
    json.text("url", edge.url.text());
    json.text("source", name_in(k_sources, edge.source));
    json.boolean("official", edge.official);
    json.text("rathole", edge.rathole.text());
    json.end_object();
}

void render_candidate(JsonWriter& json, const Candidate& candidate) {
    json.begin_object();
    json.text("name", candidate.name);
    json.text("url", candidate.url.text());
    json.text("source", name_in(k_sources, candidate.source));
    json.text("state", name_in(k_states, candidate.state));
    json.key("probe");
    if (candidate.probe) {
        json.begin_object();
        json.text("result", name_in(k_results, candidate.probe->result));
        json.whole("at", candidate.probe->at.count());
        json.end_object();
    } else {
        json.null();
    }
    json.key("noUse");
    if (candidate.ban) {
        json.begin_object();
        json.text("reason", name_in(k_bans, candidate.ban->reason));
        json.whole("until", candidate.ban->until.count());
        json.end_object();
    } else {
        json.null();
    }
    json.end_object();
}

void render_path(JsonWriter& json, const std::optional<Path>& path) {
    json.key("path");
    if (!path) {
        json.null();
        return;
    }
    json.begin_object();
    json.text("name", path->name);
    json.text("url", path->url.text());
    json.text("rathole", path->rathole.text());
    json.text("source", name_in(k_sources, path->source));
    json.end_object();
}

} // namespace

Result<EdgeDocument> parse(std::string_view text) {
    TRY_ASSIGN(const Json root, Json::parse(text));
    TRY(document::members_of(root));
    EdgeDocument document;
    TRY_ASSIGN(document.reachable, root.boolean_or("reachable", false));
    TRY_ASSIGN(document.official, root.boolean_or("official", false));
    TRY_ASSIGN(document.edges, read_list<Edge>(root, "edges", read_edge));
    TRY_ASSIGN(document.lan_searched, root.boolean_or("lanSearched", false));
    if (root.find("configuredUrl") != nullptr) {
        TRY_ASSIGN(auto url, entry::parsed(root, "configuredUrl", HttpUrl::parse));
        document.configured_url = std::move(url);
    }
    TRY_ASSIGN(document.checked_at, moment(root, "checkedAt"));
    TRY_ASSIGN(document.path, read_path(root));
    TRY_ASSIGN(const auto reason, root.optional_text("reason"));
    document.reason = reason.value_or(std::string_view());
    TRY_ASSIGN(document.candidates, read_list<Candidate>(root, "candidates", read_candidate));
    return document;
}

std::string render(const EdgeDocument& document) {
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object();
    json.boolean("reachable", document.reachable);
    json.boolean("official", document.official);
    json.key("edges").begin_array();
    for (const Edge& edge : document.edges) {
        render_edge(json, edge);
    }
    json.end_array();
    json.boolean("lanSearched", document.lan_searched);
    json.key("configuredUrl");
    if (document.configured_url) {
        json.text(document.configured_url->text());
    } else {
        json.null();
    }
    json.whole("checkedAt", document.checked_at.count());
    render_path(json, document.path);
    json.text("reason", document.reason);
    json.key("candidates").begin_array();
    for (const Candidate& candidate : document.candidates) {
        render_candidate(json, candidate);
    }
    json.end_array().end_object();
    return std::move(json).finish();
}

Result<std::optional<EdgeDocument>> load(const std::string& path) {
    return document::load<EdgeDocument>(path, k_limit, parse, document::Remedy::next_write);
}

Result<Change> store(const std::string& path, const EdgeDocument& document) {
    return replace_file(path, render(document), k_mode, Durability::until_reboot);
}

} // namespace losos::edge_file
