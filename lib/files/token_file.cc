#include "files/token_file.h"

#include "base/crypto.h"
#include "base/format.h"

#include <climits>
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

Result<void> check_path(const std::string& path) {
    // Base64 has slashes too: what counts is that nothing is there by its first part.
    const auto first = path.substr(0, path.find('/'));
    const bool is_like_one = path.size() > NAME_MAX || Token::parse(path).has_value();
    if (!first.empty() && is_like_one && !stamp_file(first)) {
        return fail(Errc::unusable,
                    "what should name a token file looks like a token, and no such file is there; "
                    "write the token into a file and name that");
    }
    return {};
}

Result<Token> load(const std::string& path) {
    TRY(check_path(path));
    TRY_ASSIGN(auto text, read_existing_file(path, k_limit));
    return parse(path, text);
}

Result<std::optional<Token>> load_if_there(const std::string& path) {
    TRY(check_path(path));
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
    TRY(check_path(path));
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
