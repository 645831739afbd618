// The one program of all fuzz targets: `--target=NAME` chooses, `--list` names them for the runner.
#include "target.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace losos::fuzz {
namespace {

std::vector<Target>& targets() {
    static std::vector<Target> all;
    return all;
}

const Target* g_chosen = nullptr;

void print(std::string_view text, char end) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fputc(end, stdout);
}

void list() {
    for (const Target& target : targets()) {
        print(target.name, '\t');
        print(target.subject, '\t');
        std::printf("%zu\t", target.longest);
        print(target.golden, '\n');
    }
}

void choose(std::string_view name) {
    for (const Target& target : targets()) {
        if (target.name == name) {
            g_chosen = &target;
        }
    }
}

} // namespace

Known::Known(const Target& target) {
    targets().push_back(target);
}

} // namespace losos::fuzz

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    constexpr std::string_view k_flag = "--target=";
    for (int i = 1; i < *argc; ++i) {
        const std::string_view argument = (*argv)[i];
        if (argument == "--list") {
            losos::fuzz::list();
            std::exit(EXIT_SUCCESS);
        }
        if (argument.substr(0, k_flag.size()) == k_flag) {
            losos::fuzz::choose(argument.substr(k_flag.size()));
        }
    }
    if (losos::fuzz::g_chosen == nullptr) {
        std::fputs("--target=NAME must name one of those that --list prints\n", stderr);
        std::exit(EXIT_FAILURE);
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    losos::fuzz::g_chosen->run({reinterpret_cast<const char*>(bytes), size});
    return 0;
}
