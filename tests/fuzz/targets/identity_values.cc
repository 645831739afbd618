// The keys, signatures, names and nonces of identities, one text each.
#include "check.h"
#include "target.h"

#include "core/identity.h"
#include "files/root_key_file.h"

#include <algorithm>
#include <cctype>

namespace losos::fuzz {
namespace {

constexpr std::size_t k_part_of_key = 16;

std::size_t longest_hex_run(std::string_view text) {
    std::size_t longest = 0;
    std::size_t run = 0;
    for (const char c : text) {
        run = std::isxdigit(static_cast<unsigned char>(c)) != 0 ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return longest;
}

void check_private_key(std::string_view input) {
    const auto key = check_codec(input, IdentityKey::parse,
                                 [](const IdentityKey& each) { return each.reveal(); });
    if (!key) {
        FUZZ_CHECK(longest_hex_run(key.error().what) < k_part_of_key);
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
    if (const auto signature = check_text<IdentitySignature>(input)) {
        FUZZ_CHECK(signature->text().size() == 128 && input.size() == 128);
    }
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
