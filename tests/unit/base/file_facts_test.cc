#include "base/file_facts.h"

#include "base/file.h"
#include "support/catch.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>

using namespace losos;

namespace {

struct Scratch {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("losos-facts-" + std::to_string(getpid()));
    Scratch() { std::filesystem::create_directory(path); }
    ~Scratch() { std::filesystem::remove_all(path); }
    std::string file(const std::string& name) const { return (path / name).string(); }
};

} // namespace

TEST_CASE("an entry is examined for kind, mode and owner") {
    const Scratch scratch;
    REQUIRE(replace_file(scratch.file("a"), "x", 0640, Durability::until_reboot));
    const auto file = examine_entry(scratch.file("a"));
    CHECK(file.fault == 0);
    CHECK(file.is_file);
    CHECK(file.mode == 0640);
    CHECK(first_account({file.owner}) == file.owner);
    CHECK(file.free_bytes > 0);
    const auto folder = examine_entry(scratch.path.string());
    CHECK(folder.is_directory);
    CHECK_FALSE(folder.is_file);
    CHECK(examine_entry(scratch.file("b")).fault == ENOENT);
    CHECK(examine_entry(scratch.file("a/b")).fault == ENOTDIR);
}

TEST_CASE("the first account that exists is found") {
    CHECK(first_account({"no-such-account", "root"}) == "root");
    CHECK_FALSE(first_account({"no-such-account"}));
}

TEST_CASE("names are chosen by their ends and sorted, hidden ones left out") {
    const Scratch scratch;
    for (const auto* name : {"b.yml", "a.toml", ".c.yml", "d.txt"}) {
        REQUIRE(replace_file(scratch.file(name), "", 0600, Durability::until_reboot));
    }
    CHECK(names_ending(scratch.path.string(), {".yml", ".toml"}) ==
          std::vector<std::string>{"a.toml", "b.yml"});
    CHECK(names_ending(scratch.file("none"), {".yml"}).empty());
}

TEST_CASE("a directory is called missing only when it surely is") {
    const Scratch scratch;
    REQUIRE(replace_file(scratch.file("f"), "", 0644, Durability::until_reboot));
    std::filesystem::create_symlink("loop", scratch.file("loop"));

    CHECK(check_directory(scratch.path.string(), "make it"));
    for (const auto* name : {"no", "f", "f/no"}) {
        const auto checked = check_directory(scratch.file(name), "make it");
        REQUIRE_FALSE(checked);
        CHECK(checked.error() ==
              Error{Errc::unusable, "there is no directory " + scratch.file(name) + "; make it"});
    }
    // Nobody gets to the end of this one, as others are closed to some: opening it says why.
    CHECK(check_directory(scratch.file("loop"), "make it"));
}
