// Which files a pass has read, and whether one of them has changed since.
#pragma once

#include "base/file.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace losos {

class InputStamps {
public:
    /// To be called before the file is read, so that no change in between is lost.
    void note(const std::string& path) { note(path, stamp_file(path)); }
    /// Notes a stamp that was taken before the file was read.
    void note(const std::string& path, const std::optional<FileStamp>& stamp) {
        m_stamps.emplace_back(path, stamp);
    }

    /// Whether one of the files is no longer the one that was noted.
    bool changed() const {
        for (const auto& [path, stamp] : m_stamps) {
            if (stamp_file(path) != stamp) {
                return true;
            }
        }
        return false;
    }

private:
    std::vector<std::pair<std::string, std::optional<FileStamp>>> m_stamps;
};

} // namespace losos
