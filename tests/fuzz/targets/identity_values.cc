// The keys, signatures, names and nonces of identities, one text each.
#include "check.h"
#include "target.h"

#include "core/identity.h"
#include "files/root_key_file.h"

namespace losos::fuzz {
namespace {

void check_private_key(std::string_view input) {
    const auto key = check_codec(input, IdentityKey::parse,
                                 [](const IdentityKey& each) { return each.reveal(); });
    if (!key) {
        FUZZ_CHECK(input.size() < 32 || key.error().what.find(input) == std::string::npos);
        return;
    }
    const auto signature = key->sign(input);
    FUZZ_CHECK(signature && is_signed_by(key->public_key(), input, *signature));
    FUZZ_CHECK(IdentityPublicKey::parse(key->public_key().text()).has_value());
}

void run(std::string_view input) {
    check_private_key(input);
    const auto key = check_text<IdentityPublicKey>(input);
    const auto root = check_codec(input, root_key_file::parse, root_key_file::render);
    FUZZ_CHECK(key.has_value() == root.has_value() && (!key || *key == *root));
    check_text<IdentitySignature>(input);
    if (const auto name = check_text<IdentityName>(input)) {
        FUZZ_CHECK(name->text() == input);
        check_sentence(name->text());
    }
    if (const auto url = check_text<CertifiedUrl>(input)) {
        FUZZ_CHECK(url->text() == input);
        check_sentence(url->text());
    }
    if (const auto nonce = check_text<IdentityNonce>(input)) {
        FUZZ_CHECK(nonce->text() == input && input.size() >= 32 && input.size() <= 128);
    }
}

const Known k_known({"identity-values", "keys, names and nonces of identities", k_line, "", run});

} // namespace
} // namespace losos::fuzz
