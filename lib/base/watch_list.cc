#include "base/watch_list.h"

#include "base/file.h"

#include <unistd.h>

#include <array>
#include <climits>
#include <optional>

namespace losos {

namespace {

constexpr int k_most_links = 40;

std::string name_of(const std::string& path) {
    const auto end = path.find_last_not_of('/');
    if (end == std::string::npos) {
        return {};
    }
    const auto slash = path.rfind('/', end);
    return path.substr(slash == std::string::npos ? 0 : slash + 1,
                       slash == std::string::npos ? end + 1 : end - slash);
}

std::string joined(const std::string& directory, const std::string& name) {
    return directory == "/" ? directory + name : directory + "/" + name;
}

std::optional<std::string> link_target(const std::string& path) {
    std::array<char, PATH_MAX> target{};
    const auto length = ::readlink(path.c_str(), target.data(), target.size());
    if (length <= 0) {
        return std::nullopt;
    }
    return std::string(target.data(), static_cast<std::size_t>(length));
}

} // namespace

void WatchList::add_file(const std::string& path) {
    m_links = 0;
    const std::string directory = resolve(directory_of(path));
    const std::string end = follow(directory, name_of(path));
    m_entries[directory].names.insert(name_of(path));
    m_entries[directory_of(end)].names.insert(name_of(end));
}

void WatchList::add_directory(const std::string& path) {
    m_links = 0;
    m_entries[resolve(path)].all = true;
}

bool WatchList::concerns(const std::string& directory, std::string_view name) const {
    const auto entries = m_entries.find(directory);
    if (entries == m_entries.end()) {
        return false;
    }
    // No name: the directory itself changed, or events were lost.
    return name.empty() || entries->second.names.contains(name) ||
           (entries->second.all && !name.starts_with('.'));
}

std::set<std::string> WatchList::directories() const {
    std::set<std::string> directories;
    for (const auto& [directory, _] : m_entries) {
        directories.insert(directory);
    }
    return directories;
}

std::string WatchList::resolve(const std::string& path) {
    const std::string name = name_of(path);
    if (name.empty() || path == ".") {
        return name.empty() ? "/" : ".";
    }
    if (const auto known = m_resolved.find(path); known != m_resolved.end()) {
        return known->second;
    }
    std::string resolved = follow(resolve(directory_of(path)), name);
    m_resolved.emplace(path, resolved);
    return resolved;
}

std::string WatchList::follow(const std::string& directory, const std::string& name) {
    std::string path = joined(directory, name);
    const auto target = link_target(path);
    if (!target || ++m_links > k_most_links) {
        return path;
    }
    m_entries[directory].names.insert(name);
    return resolve(target->starts_with('/') ? *target : joined(directory, *target));
}

} // namespace losos
