// A tool's <tool>.toml, with a flag of every kind in it.
#include "check.h"
#include "target.h"

#include "base/options.h"
#include "base/unique_fd.h"
#include "core/port.h"

#include <sys/mman.h>
#include <unistd.h>

namespace losos::fuzz {
namespace {

struct Flags {
    std::optional<Port> port;
    std::vector<std::string> names;
    bool open = false;
    std::string path;
};

Result<Flags> read_flags(const std::string& path) {
    Flags flags;
    Options options("losos-edge", "Fuzzed.", "");
    Command& serve = options.command("serve", "Serves.");
    serve.optional("--port", "PORT", "A port.", flags.port, Port::parse);
    serve.repeated("--name", "NAME", "A name.", flags.names, parse_path);
    serve.add_switch("--open", "Whether it is open.", flags.open);
    serve.value("--registry", "FILE", "A path.", flags.path, parse_path, "registry.json");
    options.command("show", "Shows.").required("--id", "ID", "An id.", flags.port, Port::parse);
    const char* const argv[] = {"losos-edge", "serve", "--config", path.c_str()};
    TRY(options.parse(4, argv));
    return flags;
}

void run(std::string_view input) {
    // A file without a name, rewritten for each input.
    static const int file = memfd_create("flags", MFD_CLOEXEC);
    static const std::string path = "/proc/self/fd/" + std::to_string(file);
    FUZZ_CHECK(ftruncate(file, 0) == 0);
    FUZZ_CHECK(pwrite(file, input.data(), input.size(), 0) == static_cast<ssize_t>(input.size()));

    const auto flags = read_flags(path);
    const auto again = read_flags(path);
    FUZZ_CHECK(flags.has_value() == again.has_value());
    if (!flags) {
        FUZZ_CHECK(flags.error() == again.error());
        FUZZ_CHECK(flags.error().code == Errc::usage);
        return;
    }
    FUZZ_CHECK(!flags->path.empty() && flags->path.find('\0') == std::string::npos);
    FUZZ_CHECK(flags->names == again->names && flags->path == again->path);
}

const Known k_known({"flags-file", "files of flags", k_line, "", run});

} // namespace
} // namespace losos::fuzz
