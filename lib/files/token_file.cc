#include "files/token_file.h"

#include "base/crypto.h"
#include "base/format.h"

#include <utility>

namespace losos::token_file {
namespace {

constexpr mode_t k_mode = 0600;

} // namespace

Result<Token> load(const std::string& path) {
    TRY_ASSIGN(std::string text, read_existing_file(path, k_limit));
    auto token = Token::parse(text);
    wipe(text);
    if (!token) {
        return fail(Errc::failed, "token file {}: {}", path, token.error().what);
    }
    return token;
}

Result<Change> store(const std::string& path, const Token& token) {
    std::string text = token.reveal() + "\n";
    auto change = replace_file(path, text, k_mode, Durability::durable);
    wipe(text);
    return change;
}

Result<Change> remove(const std::string& path) {
    return remove_file(path, Durability::durable);
}

} // namespace losos::token_file
