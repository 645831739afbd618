#include "files/token_file.h"

#include "base/crypto.h"
#include "base/format.h"

#include <utility>

namespace losos::token_file {
namespace {

constexpr mode_t k_mode = 0600;
constexpr mode_t k_directory_mode = 0700;

/// Wipes the text.
Result<Token> parse(const std::string& path, std::string& text) {
    auto token = Token::parse(text);
    wipe(text);
    if (!token) {
        return fail(Errc::failed, "token file {}: {}", path, token.error().what);
    }
    return token;
}

} // namespace

Result<Token> load(const std::string& path) {
    TRY_ASSIGN(auto text, read_existing_file(path, k_limit));
    return parse(path, text);
}

Result<std::optional<Token>> load_if_there(const std::string& path) {
    TRY_ASSIGN(auto text, read_file(path, k_limit));
    if (!text) {
        return std::optional<Token>();
    }
    TRY_ASSIGN(auto token, parse(path, *text));
    return std::optional(std::move(token));
}

Result<Change> store(const std::string& path, const Token& token) {
    std::string text = token.reveal() + "\n";
    auto change = replace_file(path, text, k_mode, Durability::durable);
    wipe(text);
    return change;
}

Result<Change> create(const std::string& path, const Token& token) {
    TRY(make_directory(directory_of(path), k_directory_mode));
    TRY_ASSIGN(const auto lock, FileLock::wait_for_directory_of(path));
    std::string text = token.reveal() + "\n";
    auto change = create_file(path, text, k_mode, Durability::durable);
    wipe(text);
    return change;
}

Result<Change> remove(const std::string& path) {
    return remove_file(path, Durability::durable);
}

} // namespace losos::token_file
