// Which entries of which directories decide what a set of paths leads to, so that they can be
// watched. It reads links and nothing else.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace losos {

/// Directories by their path without links, each with the names in it that matter.
class WatchList {
public:
    /// Adds the file at `path` and every link on the way to it. What is missing is added where it
    /// would be. At most 40 links are followed, as the kernel does.
    void add_file(const std::string& path);

    /// Adds all names of a directory but those with a dot in front, and every link on the way to
    /// it.
    void add_directory(const std::string& path);

    /// Whether a change of that name in that directory may matter.
    bool concerns(const std::string& directory, std::string_view name) const;

    /// The directories to watch.
    std::set<std::string> directories() const;

private:
    struct Entries {
        bool all = false;
        std::set<std::string, std::less<>> names;
    };

    std::string resolve(const std::string& path);
    std::string follow(const std::string& directory, const std::string& name);

    std::map<std::string, Entries> m_entries;
    std::map<std::string, std::string> m_resolved;
    int m_links = 0;
};

} // namespace losos
