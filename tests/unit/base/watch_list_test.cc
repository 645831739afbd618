#include "base/watch_list.h"

#include "support/catch.h"
#include "unit/files/scratch_dir.h"

#include <filesystem>

using namespace losos;
using test::ScratchDir;
using test::spill;

namespace fs = std::filesystem;

namespace {

/// A secret as a secret manager leaves it: DIR/secrets -> generations/1, which holds `token`.
struct Generations {
    ScratchDir scratch;
    std::string top = fs::canonical(scratch.path()).string();

    Generations() {
        fs::create_directories(top + "/generations/1");
        spill(top + "/generations/1/token", "x");
        fs::create_symlink("generations/1", top + "/secrets");
    }
};

} // namespace

TEST_CASE("a file without links is watched by its name in its directory") {
    Generations made;
    WatchList list;
    list.add_file(made.top + "/generations/1/token");
    CHECK(list.directories() == std::set<std::string>{made.top + "/generations/1"});
    CHECK(list.concerns(made.top + "/generations/1", "token"));
    CHECK_FALSE(list.concerns(made.top + "/generations/1", "other"));
    CHECK(list.concerns(made.top + "/generations/1", ""));
}

TEST_CASE("a link on the way to a file is watched as well as the file it leads to") {
    Generations made;
    WatchList list;
    list.add_file(made.top + "/secrets/token");
    CHECK(list.concerns(made.top, "secrets"));
    CHECK_FALSE(list.concerns(made.top, "generations"));
    CHECK(list.concerns(made.top + "/generations/1", "token"));
}

TEST_CASE("a file that is a link itself is watched at both ends") {
    Generations made;
    fs::create_directory(made.top + "/etc");
    fs::create_symlink(made.top + "/secrets/token", made.top + "/etc/box");
    WatchList list;
    list.add_file(made.top + "/etc/box");
    CHECK(list.concerns(made.top + "/etc", "box"));
    CHECK(list.concerns(made.top, "secrets"));
    CHECK(list.concerns(made.top + "/generations/1", "token"));
}

TEST_CASE("a link that leads nowhere is watched where its file would be") {
    Generations made;
    fs::create_symlink("absent/token", made.top + "/box");
    WatchList list;
    list.add_file(made.top + "/box");
    CHECK(list.concerns(made.top, "box"));
    CHECK(list.concerns(made.top + "/absent", "token"));
}

TEST_CASE("links that lead in a circle end") {
    Generations made;
    fs::create_symlink("b", made.top + "/a");
    fs::create_symlink("a", made.top + "/b");
    WatchList list;
    list.add_file(made.top + "/a/token");
    list.add_file(made.top + "/b");
    CHECK(list.concerns(made.top, "a"));
    CHECK(list.concerns(made.top, "b"));
}

TEST_CASE("a directory is watched whole, but for names with a dot in front") {
    Generations made;
    WatchList list;
    list.add_directory(made.top + "/secrets");
    CHECK(list.concerns(made.top + "/generations/1", "anything"));
    CHECK_FALSE(list.concerns(made.top + "/generations/1", ".temporary"));
    CHECK(list.concerns(made.top, "secrets"));
}

TEST_CASE("a relative path is watched from here") {
    WatchList list;
    list.add_file("tenants.json");
    CHECK(list.directories() == std::set<std::string>{"."});
    CHECK(list.concerns(".", "tenants.json"));
}
