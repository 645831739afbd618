#include "directories.h"

#include "base/file.h"
#include "base/file_facts.h"
#include "base/format.h"
#include "files/paths.h"

namespace losos {

std::vector<std::string> missing_directories(const ServeOptions& options) {
    std::vector<std::string> sentences;
    const auto look = [&](const std::string& path, std::string_view flag) {
        const auto found =
            check_directory(path, format("{} leads there: make it or name another", flag));
        if (!found) {
            sentences.push_back(found.error().what);
        }
    };
    if (options.registry != k_registry) {
        look(directory_of(options.registry), "--registry");
    }
    if (options.run_dir != k_registrar_run_dir) {
        look(options.run_dir, "--run-dir");
    }
    look(options.traefik_dir, "--traefik-dir");
    if (options.rathole.config) {
        look(directory_of(*options.rathole.config), "--rathole-config");
    }
    return sentences;
}

} // namespace losos
