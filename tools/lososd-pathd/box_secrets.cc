#include "box_secrets.h"

#include "base/crypto.h"
#include "base/hex.h"
#include "base/log.h"
#include "files/token_file.h"

namespace losos {

Result<void> make_token_if_missing(const std::string& path) {
    constexpr std::size_t k_token_bytes = 32;
    remove_leftovers(path);
    if (stamp_file(path)) {
        return {};
    }
    auto bytes = random_bytes(k_token_bytes);
    auto text = hex_encode(bytes);
    const auto token = Token::parse(text);
    wipe(bytes);
    wipe(text);
    TRY(token);
    TRY_ASSIGN(const auto change, token_file::create(path, *token));
    if (change == Change::changed) {
        log(LogLevel::notice, "made a token for this box in {}", path);
    }
    return {};
}

} // namespace losos
