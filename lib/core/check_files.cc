#include "core/check_files.h"

#include "base/format.h"

namespace losos {

namespace {

constexpr unsigned k_permissions = 07777;
constexpr std::uint64_t k_room_bytes = std::uint64_t{1024} * 1024;
constexpr std::uint64_t k_room_files = 16;

std::string what_of(const FileWish& wish) {
    return format("{} {}", wish.kind == FileKind::directory ? "directory" : "file", wish.path);
}

/// The fault that ends every further question.
std::optional<Check> check_access(const FileWish& wish, const FileFacts& facts) {
    switch (facts.access) {
    case FileFacts::Access::found:
        return std::nullopt;
    case FileFacts::Access::absent:
        return check_failed(what_of(wish), format("it is missing; {}", wish.remedy));
    case FileFacts::Access::denied:
        return check_not_made(what_of(wish), "this user may not look at it; ask again as root");
    case FileFacts::Access::fault:
        break;
    }
    return check_failed(what_of(wish), format("it cannot be examined: {}", facts.fault));
}

std::optional<Check> check_kind(const FileWish& wish, const FileFacts& facts) {
    if (facts.kind == wish.kind) {
        return std::nullopt;
    }
    return check_failed(what_of(wish),
                        format("it is no {}; move it away",
                               wish.kind == FileKind::directory ? "directory" : "regular file"));
}

std::optional<Check> check_owner(const FileWish& wish, const FileFacts& facts) {
    if (facts.owner == wish.owner) {
        return std::nullopt;
    }
    return check_failed(what_of(wish), format("it belongs to {}, not to {}; type \"chown {}: {}\"",
                                              facts.owner, wish.owner, wish.owner, wish.path));
}

/// A mode that lets in more than it should, or keeps out who must read.
std::optional<Check> check_mode(const FileWish& wish, const FileFacts& facts) {
    const unsigned mode = facts.mode & k_permissions;
    const bool too_open = (mode & ~wish.mode) != 0;
    if (!too_open && (wish.must & ~mode) == 0) {
        return std::nullopt;
    }
    return check_failed(what_of(wish),
                        format("its mode is {:04o}, which {}; type \"chmod {:04o} {}\"", mode,
                               too_open ? "lets others at it" : "keeps out who must reach it",
                               wish.mode, wish.path));
}

std::optional<Check> check_disk(const FileWish& wish, const FileFacts& facts) {
    if (facts.read_only_disk) {
        return check_failed(what_of(wish), "it is on a disk that is mounted read-only; mount it "
                                           "for writing, and see \"dmesg\" for why it is not");
    }
    if (facts.free_bytes < k_room_bytes || facts.free_files < k_room_files) {
        return check_failed(what_of(wish), format("its disk is full: {} bytes and {} files are "
                                                  "left; make room",
                                                  facts.free_bytes, facts.free_files));
    }
    return std::nullopt;
}

} // namespace

std::optional<Check> check_file(const FileWish& wish, const FileFacts& facts) {
    if (facts.access == FileFacts::Access::absent && wish.presence == Presence::optional) {
        return std::nullopt;
    }
    for (const auto& rule : {check_access, check_kind, check_owner, check_mode}) {
        if (auto fault = rule(wish, facts)) {
            return fault;
        }
    }
    return check_ok(what_of(wish), format("{:04o}, {}'s", facts.mode & k_permissions, facts.owner));
}

Check check_writable(const FileWish& wish, const FileFacts& facts) {
    for (const auto& rule : {check_access, check_kind, check_owner, check_mode, check_disk}) {
        if (auto fault = rule(wish, facts)) {
            return *std::move(fault);
        }
    }
    return check_ok(what_of(wish),
                    format("{:04o}, {}'s, and writable", facts.mode & k_permissions, facts.owner));
}

} // namespace losos
