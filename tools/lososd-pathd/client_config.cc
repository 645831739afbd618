#include "client_config.h"

#include "edge_client.h"

#include "base/file.h"
#include "base/format.h"
#include "base/log.h"
#include "core/rathole_config.h"
#include "files/document.h"
#include "files/edge_path_env_file.h"
#include "files/paths.h"
#include "files/pin_file.h"
#include "files/rathole_client_file.h"
#include "files/token_file.h"

#include <utility>

namespace losos {

namespace {

/// At the first contact, where nothing can be done without an answer.
constexpr Duration k_patience{5000};
/// With a pin, which stands in for a silent edge: the tunnel is waiting.
constexpr Duration k_patience_with_pin{1500};
/// Where every box serves its visitors.
constexpr long long k_web_port = 80;

/// The edge to dial, and where its key is pinned.
struct DialedEdge {
    HttpUrl url;
    Endpoint rathole;
    std::string pin_file;
};

Result<DialedEdge> find_edge(const ClientConfigOptions& options) {
    TRY_ASSIGN(auto path, document::with_remedy(edge_path_env_file::load(options.path_env),
                                                "type \"systemctl restart lososd-pathd\""));
    if (path) {
        const bool has_directory = path->noise_pub_file.find('/') != std::string::npos;
        return DialedEdge{std::move(path->url), std::move(path->rathole),
                          has_directory ? path->noise_pub_file
                                        : in_directory(options.box.pins_dir, path->noise_pub_file)};
    }
    if (!options.box.registrar_url || !options.box.edge_rathole_endpoint) {
        return fail(
            Errc::unusable,
            "there is no edge to dial: {} is not there, and not both of --registrar-url and "
            "--edge-rathole-endpoint are given; start lososd-pathd, or give them",
            options.path_env);
    }
    return DialedEdge{*options.box.registrar_url, *options.box.edge_rathole_endpoint,
                      options.box.noise_public_key_file};
}

Error fault_of(std::string_view flag, const Error& fault) {
    return fail(Errc::unusable, "{}; {} names it", fault.what, flag);
}

Result<Token> load_token(const ClientConfigOptions& options) {
    auto token = token_file::load(options.box.token_file);
    if (!token) {
        return fault_of("--token-file", token.error());
    }
    return token;
}

/// The box's own token stands in where there is no bootstrap token.
Result<Token> load_bootstrap_token(const ClientConfigOptions& options, const Token& token) {
    const auto bootstrap = token_file::load_if_there(options.box.bootstrap_token_file);
    if (!bootstrap) {
        return fault_of("--bootstrap-token-file", bootstrap.error());
    }
    return bootstrap->value_or(token);
}

Error changed_key(const DialedEdge& edge) {
    return fail(
        Errc::failed,
        "the Noise key of the edge {} has changed: it is not the one pinned in {}; if its "
        "owner confirms that, remove that file and the new key is pinned at the next start, "
        "and if not, somebody else answers for the edge",
        edge.url.text(), edge.pin_file);
}

/// Never over a pin that came meanwhile: that one is then the authority.
Result<void> pin_key(const DialedEdge& edge, const NoiseKey& key) {
    TRY_ASSIGN(const auto change, pin_file::create(edge.pin_file, key));
    if (change == Change::changed) {
        log(LogLevel::notice, "pinned the Noise key of the edge {} in {}", edge.url.text(),
            edge.pin_file);
        return {};
    }
    TRY_ASSIGN(const auto there, pin_file::load(edge.pin_file));
    return there == key ? Result<void>() : changed_key(edge);
}

/// The key the tunnel is to use; nullopt for an edge without Noise.
Result<std::optional<NoiseKey>> settle_key(const DialedEdge& edge) {
    TRY_ASSIGN(const auto pin, pin_file::load(edge.pin_file));
    auto finding = ask_noise_key(edge.url, pin, pin ? k_patience_with_pin : k_patience);
    auto& key = finding.judgement.key;
    switch (finding.judgement.verdict) {
    case NoiseVerdict::same:
    case NoiseVerdict::plain:
        return std::move(key);
    case NoiseVerdict::pin_now:
        TRY(pin_key(edge, *key));
        return std::move(key);
    case NoiseVerdict::changed:
        return changed_key(edge);
    case NoiseVerdict::no_answer:
        break;
    }
    if (!pin) {
        return fail(Errc::no_answer, "{}; no tunnel to an edge whose Noise key was never seen",
                    finding.cause);
    }
    log(LogLevel::warning, "{}; its pinned Noise key is used", finding.cause);
    return std::move(key);
}

} // namespace

Result<void> write_client_config(const ClientConfigOptions& options) {
    TRY(rathole_client_file::lock(options.output));
    TRY_ASSIGN(const auto edge, find_edge(options));
    TRY_ASSIGN(const auto token, load_token(options));
    TRY_ASSIGN(const auto bootstrap_token, load_bootstrap_token(options, token));
    TRY_ASSIGN(const auto web_port, Port::from_number(k_web_port));
    TRY_ASSIGN(const auto key, settle_key(edge));
    const RatholeClientHead head{edge.rathole, bootstrap_token, key};
    // Only now, not while the edge is asked: the pin may stand in the same directory.
    TRY_ASSIGN(const auto lock, rathole_client_file::lock(options.output));
    TRY(rathole_client_file::store(
        options.output,
        render_rathole_client(head, {{RowId::direct(*options.appliance_id), token, web_port}}),
        Durability::until_reboot));
    return {};
}

} // namespace losos
