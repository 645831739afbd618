#include "files/document.h"

namespace losos::document {

Error unusable(const std::string& path, const Error& fault, Remedy remedy) {
    return fail(Errc::unusable, "cannot use {}: {}{}", path, fault.what,
                remedy == Remedy::by_hand ? "; put it right or restore it, nothing was changed"
                                          : "");
}

Result<const std::vector<Json::Member>*> members_of(const Json& root) {
    if (root.kind() != Json::Kind::object) {
        return fail(Errc::failed, "the whole must be an object (byte {})", root.offset());
    }
    return root.members("");
}

Result<std::optional<std::string>> load_text(const std::string& path, std::size_t limit) {
    auto text = read_file(path, limit);
    if (!text) {
        return Error{Errc::unusable, std::move(text).error().what};
    }
    return text;
}

} // namespace losos::document
