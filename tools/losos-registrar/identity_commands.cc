#include "identity_commands.h"

#include "edge_client.h"

#include "base/crypto.h"
#include "base/hex.h"
#include "base/log.h"
#include "core/identity_api.h"
#include "files/document.h"
#include "files/identity_cert_file.h"
#include "files/identity_key_file.h"
#include "files/root_key_file.h"
#include "io/clock.h"

#include <charconv>
#include <iostream>
#include <utility>

namespace losos {

namespace {

constexpr const char* k_key_flag = "--identity-key-file";
constexpr const char* k_cert_flag = "--identity-cert-file";
constexpr const char* k_root_key_flag = "--root-key-file";

Result<int> parse_days(std::string_view text) {
    constexpr int k_century = 36525;
    int days = 0;
    const auto* end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data(), end, days);
    if (fault != std::errc{} || stop != end || days < 1 || days > k_century) {
        return fail(Errc::usage, "must be a number from 1 to {}", k_century);
    }
    return days;
}

Result<IdentityKey> load_key(const std::string& path, std::string_view root = "") {
    return document::existing(
        identity_key_file::load(path), path,
        format("make it with losos-registrar identity keygen {}--identity-key-file {}", root,
               path));
}

Result<IdentityPublicKey> load_root_key(const std::string& path) {
    return document::existing(root_key_file::load(path), path,
                              "without the root's public key nothing is official");
}

Result<std::string> read_standard_input() {
    std::string text(identity_cert_file::k_limit + 1, '\0');
    std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::cin.gcount()));
    if (text.size() > identity_cert_file::k_limit) {
        return fail(Errc::failed,
                    "standard input holds more than the {} bytes of the longest "
                    "certificate",
                    identity_cert_file::k_limit);
    }
    return text;
}

/// One that the edge could not prove, or that boxes refuse already, takes nobody's place.
Result<void> check_fit(const IdentityCertificate& certificate, const IdentityKey& key,
                       const std::optional<IdentityPublicKey>& root) {
    if (certificate.public_key != key.public_key()) {
        return fail(Errc::failed,
                    "the certificate is for another key than this edge's; have the root sign {}",
                    key.public_key().text());
    }
    if (has_expired(certificate, unix_now())) {
        return fail(Errc::failed, "the certificate expired on {}; have the root sign a new one",
                    render_day(certificate.not_after));
    }
    if (root && !is_signed_by_root(certificate, *root)) {
        return fail(Errc::failed, "the certificate is not signed by the root key {}", root->text());
    }
    return {};
}

Result<void> keygen(const IdentityOptions& options) {
    const auto& path = *options.key_file;
    TRY_ASSIGN(const auto lock, FileLock::wait_for_directory_of(path));
    remove_leftovers(path);
    TRY_ASSIGN(const auto fresh, IdentityKey::make());
    TRY_ASSIGN([[maybe_unused]] const auto made, identity_key_file::create(path, fresh));
    TRY_ASSIGN(const auto stored, identity_key_file::load(path));
    if (!stored) {
        return fail(Errc::failed, "{} vanished while it was being made", path);
    }
    if (options.root) {
        const auto public_path = root_key_file::public_path(path);
        remove_leftovers(public_path);
        TRY_ASSIGN([[maybe_unused]] const auto change,
                   root_key_file::store(public_path, stored->public_key()));
    }
    std::cout << stored->public_key().text() << '\n';
    return {};
}

Result<void> sign(const IdentityOptions& options) {
    TRY_ASSIGN(const auto root, load_key(*options.root_private_key_file, "--root "));
    const auto not_after = unix_now() + UnixTime(std::chrono::hours(24) * *options.days);
    TRY_ASSIGN(const auto certificate,
               sign_certificate(root, *options.name, *options.url, *options.public_key, not_after));
    std::cout << render_identity_certificate(certificate);
    return {};
}

Result<void> install(const IdentityOptions& options) {
    TRY_ASSIGN(const auto key, load_key(*options.key_file));
    std::optional<IdentityPublicKey> root;
    if (options.root_key_file) {
        TRY_ASSIGN(root, load_root_key(*options.root_key_file));
    }
    TRY_ASSIGN(const auto text, read_standard_input());
    const auto certificate = parse_identity_certificate(text);
    if (!certificate) {
        return fail(Errc::failed,
                    "standard input holds no certificate: {}; give what "
                    "losos-registrar identity sign printed",
                    certificate.error().what);
    }
    TRY(check_fit(*certificate, key, root));
    const auto& path = *options.cert_file;
    TRY_ASSIGN(const auto lock, FileLock::wait_for_directory_of(path));
    remove_leftovers(path);
    TRY_ASSIGN([[maybe_unused]] const auto change, identity_cert_file::store(path, *certificate));
    return {};
}

Result<void> show(const IdentityOptions& options) {
    TRY_ASSIGN(const auto key, load_key(*options.key_file));
    TRY_ASSIGN(const auto certificate, identity_cert_file::load(*options.cert_file));
    std::cout << "public key: " << key.public_key().text() << '\n';
    if (!certificate) {
        std::cout << "certificate: none\n";
        return {};
    }
    const auto fit = check_fit(*certificate, key, std::nullopt);
    std::cout << "name: " << printable(certificate->name.text())
              << "\nurl: " << certificate->url.text()
              << "\nnot after: " << certificate->not_after.count() << " ("
              << render_day(certificate->not_after)
              << ")\ncertificate: " << (fit ? std::string("fits the key") : fit.error().what)
              << '\n';
    return {};
}

Result<void> verify(const IdentityOptions& options) {
    constexpr Duration k_patience{10000};
    constexpr std::size_t k_nonce_bytes = 32;
    const auto& url = *options.url;
    TRY_ASSIGN(const auto root, load_root_key(*options.root_key_file));
    TRY_ASSIGN(const auto nonce, IdentityNonce::parse(hex_encode(random_bytes(k_nonce_bytes))));
    TRY_ASSIGN(const auto answer, ask_edge(url, identity_path(nonce), k_patience));
    const auto finding =
        find_identity(root, EdgeAnswer{answer.status, answer.body}, url, nonce, unix_now());
    switch (finding.verdict) {
    case IdentityVerdict::official:
        std::cout << url.text() << ' ' << explain(finding.verdict) << ": "
                  << printable(finding.certificate->name.text()) << ", until "
                  << render_day(finding.certificate->not_after) << '\n';
        return {};
    case IdentityVerdict::no_answer:
    case IdentityVerdict::malformed: {
        const auto identity = parse_identity_answer(answer.body);
        return unwelcome_answer(url, "/identity", answer, identity ? "" : identity.error().what);
    }
    case IdentityVerdict::no_root_key:
    case IdentityVerdict::no_identity:
    case IdentityVerdict::not_signed_by_root:
    case IdentityVerdict::expired:
    case IdentityVerdict::nonce_not_signed:
        break;
    case IdentityVerdict::other_url:
        if (const auto identity = parse_identity_answer(answer.body)) {
            return fail(Errc::failed, "{} {}, {}", url.text(), explain(finding.verdict),
                        printable(identity->certificate.url.text()));
        }
        break;
    }
    return fail(Errc::failed, "{} {}", url.text(), explain(finding.verdict));
}

} // namespace

void add_identity_commands(Options& options, IdentityOptions& identity) {
    auto& making = options.command("identity keygen", "make this edge's identity key, or the "
                                                      "root's pair");
    making.required(k_key_flag, "FILE", "where the private key goes", identity.key_file,
                    parse_path);
    making.add_switch("--root", "make a root pair: the public key goes to FILE.pub", identity.root);

    auto& signing = options.command("identity sign", "print a certificate for an edge");
    signing.required("--root-private-key-file", "FILE", "the root's private key",
                     identity.root_private_key_file, parse_path);
    signing.required("--name", "NAME", "what the edge is called", identity.name,
                     IdentityName::parse);
    signing.required("--url", "URL", "what boxes dial", identity.url, HttpUrl::parse);
    signing.required("--public-key", "HEX", "the edge's public key", identity.public_key,
                     IdentityPublicKey::parse);
    signing.required("--days", "N", "how long it holds from now on", identity.days, parse_days);

    auto& installing =
        options.command("identity install", "take the certificate that stands on standard input");
    installing.required(k_key_flag, "FILE", "this edge's private key", identity.key_file,
                        parse_path);
    installing.required(k_cert_flag, "FILE", "where the certificate goes", identity.cert_file,
                        parse_path);
    installing.optional(k_root_key_flag, "FILE", "the root's public key, to check it with",
                        identity.root_key_file, parse_path);

    auto& showing = options.command("identity show", "show this edge's key and certificate");
    showing.required(k_key_flag, "FILE", "this edge's private key", identity.key_file, parse_path);
    showing.required(k_cert_flag, "FILE", "this edge's certificate", identity.cert_file,
                     parse_path);

    auto& verifying = options.command("identity verify", "ask an edge whether it is official");
    verifying.required(k_root_key_flag, "FILE", "the root's public key", identity.root_key_file,
                       parse_path);
    verifying.positional("URL", "the edge", identity.url, HttpUrl::parse, true);
}

std::optional<Result<void>> run_identity_command(std::string_view command,
                                                 const IdentityOptions& options) {
    if (command == "identity keygen") {
        return keygen(options);
    }
    if (command == "identity sign") {
        return sign(options);
    }
    if (command == "identity install") {
        return install(options);
    }
    if (command == "identity show") {
        return show(options);
    }
    if (command == "identity verify") {
        return verify(options);
    }
    return std::nullopt;
}

} // namespace losos
