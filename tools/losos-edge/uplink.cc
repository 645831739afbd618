#include "uplink.h"

#include "farewell.h"

#include "base/file.h"
#include "base/format.h"
#include "base/json_writer.h"
#include "base/log.h"
#include "core/public_host.h"
#include "files/hub_noise_file.h"
#include "files/noise_key_file.h"
#include "files/token_file.h"

#include <filesystem>
#include <utility>

namespace losos {

namespace {

constexpr mode_t k_edge_dir_mode = 0700;

/// What the operator named, read before anything is changed.
struct NamedSecrets {
    Token token;
    std::optional<Token> bootstrap_token;
};

std::string absolute(const std::string& path) {
    return std::filesystem::absolute(path).lexically_normal().string();
}

/// A file that cannot be used, and by which flag it was named.
Error unusable(std::string_view flag, const Error& fault) {
    return fail(Errc::unusable, "{}: {}", flag, fault.what);
}

Result<Token> load_token(std::string_view flag, const std::string& path) {
    auto token = token_file::load(path);
    return token ? std::move(token) : unusable(flag, token.error());
}

Result<void> check_noise_key(const std::string& path) {
    constexpr std::string_view k_flag = "--noise-public-key-file";
    const auto key = noise_key_file::load(path);
    if (!key) {
        return unusable(k_flag, key.error());
    }
    if (!*key) {
        return fail(Errc::unusable, "{}: there is no file {} to read the hub's Noise key from",
                    k_flag, path);
    }
    return {};
}

Result<NamedSecrets> load_named(const UplinkSetOptions& options) {
    TRY_ASSIGN(auto token, load_token("--token-file", *options.token_file));
    NamedSecrets named{std::move(token), std::nullopt};
    if (options.bootstrap_token_file) {
        TRY_ASSIGN(named.bootstrap_token,
                   load_token("--bootstrap-token-file", *options.bootstrap_token_file));
    }
    if (options.noise_public_key_file) {
        TRY(check_noise_key(*options.noise_public_key_file));
    }
    return named;
}

Result<void> check_secrecy(const UplinkSetOptions& options) {
    if (options.registrar->is_https() || options.insecure ||
        !may_be_public(options.registrar->endpoint())) {
        return {};
    }
    return fail(Errc::usage,
                "--registrar {} would send the uplink's token over the internet in the clear; give "
                "an https:// URL, or --insecure if nobody can listen on the way",
                options.registrar->text());
}

UplinkConfig config_of(const EdgeFiles& files, const UplinkSetOptions& options) {
    UplinkConfig uplink{*options.registrar, *options.rathole,
                        *options.id,        absolute(files.uplink_token()),
                        std::nullopt,       std::nullopt};
    if (options.bootstrap_token_file) {
        uplink.bootstrap_token_file = absolute(files.uplink_bootstrap_token());
    }
    if (options.noise_public_key_file) {
        uplink.noise_public_key_file = absolute(*options.noise_public_key_file);
    }
    return uplink;
}

/// The uplink so far. One that cannot be read is about to be replaced or removed anyway.
std::optional<UplinkConfig> load_old(const EdgeFiles& files) {
    const auto text = read_file(files.uplink(), uplink_file::k_limit);
    if (text && !*text) {
        return std::nullopt;
    }
    // Not load(), which speaks to who is to mend the file: here it goes.
    auto old = text ? uplink_file::parse(**text) : text.error();
    if (!old) {
        log(LogLevel::warning, "{} cannot be read, so its hub is not told that it ends: {}",
            files.uplink(), old.error().what);
        return std::nullopt;
    }
    return *std::move(old);
}

bool is_same_place(const UplinkConfig& a, const UplinkConfig& b) {
    return a.registrar_url == b.registrar_url && a.id == b.id;
}

/// Tokens first, uplink.json last: cut in between, no uplink.json names what is not there.
Result<void> store_uplink(const EdgeFiles& files, const UplinkConfig& uplink,
                          const NamedSecrets& secrets) {
    TRY(token_file::store(files.uplink_token(), secrets.token));
    if (secrets.bootstrap_token) {
        TRY(token_file::store(files.uplink_bootstrap_token(), *secrets.bootstrap_token));
    }
    TRY(uplink_file::store(files.uplink(), uplink));
    if (!secrets.bootstrap_token) {
        TRY(token_file::remove(files.uplink_bootstrap_token()));
    }
    return {};
}

/// What an interrupted command left may hold a token.
void remove_all_leftovers(const EdgeFiles& files) {
    for (const auto& path :
         {files.uplink(), files.uplink_token(), files.uplink_bootstrap_token(),
          files.hub_noise_pub(), hub_noise_file::for_path(files.hub_noise_pub())}) {
        remove_leftovers(path);
    }
}

void render_farewell(JsonWriter& json, const std::optional<Farewell>& farewell) {
    json.key("cleared");
    if (!farewell) {
        json.null();
        return;
    }
    json.begin_object().text("id", farewell->uplink.id.text());
    json.text("registrar_url", farewell->uplink.registrar_url.text());
    json.boolean("hub_told", farewell->hub_told == HubTold::told).end_object();
}

void print_set(const EdgeFiles& files, const UplinkConfig& uplink,
               const std::optional<Farewell>& farewell) {
    if (files.style() == OutputStyle::text) {
        print(format("uplink set: {}\n", uplink.id.text()));
        return;
    }
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object().text("set", uplink.id.text());
    render_farewell(json, farewell);
    json.end_object();
    print(std::move(json).finish());
}

void print_cleared(const EdgeFiles& files, bool was_set, const std::optional<Farewell>& farewell) {
    if (files.style() == OutputStyle::json) {
        JsonWriter json(JsonWriter::Style::indented);
        json.begin_object();
        render_farewell(json, farewell);
        json.end_object();
        print(std::move(json).finish());
    } else if (farewell) {
        print(format("uplink cleared: {}\n", farewell->uplink.id.text()));
    } else {
        print(was_set ? "uplink cleared\n" : "uplink: not set\n");
    }
}

} // namespace

void add_uplink_set_flags(Command& command, UplinkSetOptions& options) {
    command.required("--id", "ID", "this gateway's id at the hub", options.id, DnsLabel::parse);
    command.required("--token-file", "FILE", "the token that proves it; it is copied",
                     options.token_file, parse_path);
    command.required("--registrar", "URL", "the hub's API", options.registrar, HttpUrl::parse);
    command.required("--rathole", "HOST:PORT", "the hub's tunnel server", options.rathole,
                     Endpoint::parse);
    command.optional("--bootstrap-token-file", "FILE",
                     "the hub's bootstrap token; it is copied. Not given, the token stands in",
                     options.bootstrap_token_file, parse_path);
    command.optional("--noise-public-key-file", "FILE",
                     "the hub's Noise key, read from there at every pass; not given, the key seen "
                     "first is kept",
                     options.noise_public_key_file, parse_path);
    command.add_switch("--insecure", "allow a plain http:// hub on a public address",
                       options.insecure);
}

Result<void> set_uplink(const EdgeFiles& files, const UplinkSetOptions& options) {
    TRY(check_secrecy(options));
    TRY_ASSIGN(const auto secrets, load_named(options));
    TRY(make_directory(files.edge_dir, k_edge_dir_mode));
    TRY_ASSIGN(const auto lock, FileLock::wait_for(uplink_file::lock_path(files.uplink())));
    remove_all_leftovers(files);
    const auto uplink = config_of(files, options);
    const auto old = load_old(files);
    std::optional<Farewell> farewell;
    if (!old || !is_same_place(*old, uplink)) {
        TRY_ASSIGN(farewell, end_uplink(files, old));
    }
    TRY(store_uplink(files, uplink, secrets));
    print_set(files, uplink, farewell);
    return {};
}

Result<void> show_uplink(const EdgeFiles& files) {
    TRY_ASSIGN(const auto uplink, uplink_file::load(files.uplink()));
    if (!uplink) {
        return fail(Errc::unusable, "no uplink is set; set one with \"losos-edge uplink set\"");
    }
    print(uplink_file::render(*uplink));
    return {};
}

Result<void> clear_uplink(const EdgeFiles& files) {
    std::optional<Farewell> farewell;
    bool was_set = false;
    // Where there is no such directory there is no uplink, and none is made for it.
    if (stamp_file(files.edge_dir)) {
        TRY_ASSIGN(const auto lock, FileLock::wait_for(uplink_file::lock_path(files.uplink())));
        remove_all_leftovers(files);
        was_set = stamp_file(files.uplink()).has_value();
        TRY_ASSIGN(farewell, end_uplink(files, load_old(files)));
    }
    print_cleared(files, was_set, farewell);
    return {};
}

} // namespace losos
