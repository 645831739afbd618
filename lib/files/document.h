// How every file contract meets the disk: a load has three outcomes, loaded, absent and unusable.
// Not a contract itself.
#pragma once

#include "base/file.h"
#include "base/format.h"
#include "base/json_reader.h"
#include "base/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos::document {

inline constexpr std::size_t k_kib = 1024;
inline constexpr std::size_t k_mib = 1024 * k_kib;

/// Whether somebody has to mend a file, or its own writer makes it anew before long.
enum class Remedy { by_hand, next_write };

/// The error of a file that is there and cannot be used: names it, and ends a tool with exit 6.
Error unusable(const std::string& path, const Error& fault, Remedy remedy = Remedy::by_hand);

/// The members of the object a whole text is; fails when it is anything else.
Result<const std::vector<Json::Member>*> members_of(const Json& root);

/// Reads at most `limit` bytes; nullopt when there is no file, Errc::unusable on any fault.
Result<std::optional<std::string>> load_text(const std::string& path, std::size_t limit);

/// The value `parse` makes of the file's text; a fault it finds becomes Errc::unusable and names
/// the file.
template <class T, class Parse>
Result<std::optional<T>> load(const std::string& path, std::size_t limit, Parse parse,
                              Remedy remedy = Remedy::by_hand) {
    TRY_ASSIGN(const std::optional<std::string> text, load_text(path, limit));
    if (!text) {
        return std::optional<T>();
    }
    Result<T> value = parse(std::string_view(*text));
    if (!value) {
        return unusable(path, value.error(), remedy);
    }
    return std::optional<T>(*std::move(value));
}

/// What was loaded, or parsed, as it is; a fault keeps its code and goes on to say what to do.
template <class T>
Result<T> with_remedy(Result<T> loaded, std::string_view remedy) {
    if (!loaded) {
        return fail(loaded.error().code, "{}; {}", loaded.error().what, remedy);
    }
    return loaded;
}

/// What was loaded from a file that has to be there; Errc::unusable, with what to do, when it is
/// not.
template <class T>
Result<T> existing(Result<std::optional<T>> loaded, const std::string& path,
                   std::string_view remedy) {
    if (!loaded) {
        return std::move(loaded).error();
    }
    if (!*loaded) {
        return fail(Errc::unusable, "{} is missing; {}", path, remedy);
    }
    return **std::move(loaded);
}

} // namespace losos::document
