#include "files/kube_token_file.h"

#include "base/crypto.h"
#include "base/file.h"
#include "base/format.h"
#include "files/token_file.h"

namespace losos::kube_token_file {

Result<BearerToken> load(const std::string& path) {
    TRY(token_file::check_path(path));
    TRY_ASSIGN(auto text, read_existing_file(path, k_limit));
    auto token = BearerToken::parse(text);
    wipe(text);
    if (!token) {
        return fail(Errc::failed, "token file {}: {}", path, token.error().what);
    }
    return token;
}

} // namespace losos::kube_token_file
