// For which boxes somebody vouches, as the vouch file gives it, read again when it changes.
#pragma once

#include "base/file.h"
#include "base/watch_list.h"
#include "core/vouching.h"

#include <optional>
#include <string>
#include <vector>

namespace losos {

/// A file that cannot be used vouches for nobody new and lapses nobody.
class VouchSource {
public:
    /// `fallback` is in force until the file was read once; without a file nobody vouches.
    VouchSource(std::optional<std::string> path, Vouchers fallback)
        : m_path(std::move(path)), m_vouchers(m_path ? std::move(fallback) : Vouchers()) {}

    /// Reads the file again if it changed.
    void refresh();

    const Vouchers& vouchers() const { return m_vouchers; }
    /// One sentence for each thing that cannot be used right now.
    const std::vector<std::string>& faults() const { return m_faults; }
    void add_watches(WatchList& list) const;

private:
    std::optional<std::string> m_path;
    Vouchers m_vouchers;
    std::optional<FileStamp> m_stamp;
    bool m_was_read = false;
    std::vector<std::string> m_faults;
};

} // namespace losos
