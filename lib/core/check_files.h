// Whether a file or directory is there, whose it is, and who may read and write it: the rules of
// `losos-edge doctor` for losos-federation(7)'s table of files.
#pragma once

#include "core/doctor.h"

#include <cstdint>
#include <optional>
#include <string>

namespace losos {

enum class FileKind { file, directory, other };

/// What stat(2) and statvfs(2) say.
struct FileFacts {
    /// Why nothing else is known: no such file, or what the kernel said.
    enum class Access { found, absent, denied, fault };
    Access access = Access::absent;
    std::string fault;

    FileKind kind = FileKind::file;
    unsigned mode = 0;
    std::string owner;
    bool read_only_disk = false;
    std::uint64_t free_bytes = 0;
    std::uint64_t free_files = 0;
};

/// Whether it is a fault that it is not there.
enum class Presence { needed, optional };

struct FileWish {
    std::string path;
    FileKind kind = FileKind::file;
    Presence presence = Presence::optional;
    /// The mode it should have, and the bits of it without which somebody cannot do their work.
    unsigned mode = 0600;
    unsigned must = 0400;
    std::string owner;
    /// What to do when it is missing.
    std::string remedy;
};

/// nullopt for an optional file that is not there: there is nothing to say.
std::optional<Check> check_file(const FileWish& wish, const FileFacts& facts);

/// Whether a program can write its files into the directory: it is there, is its user's, and its
/// disk is writable and has room.
Check check_writable(const FileWish& wish, const FileFacts& facts);

} // namespace losos
