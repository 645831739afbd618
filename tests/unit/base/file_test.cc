#include "base/file.h"

#include "support/catch.h"
#include "unit/files/scratch_dir.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <thread>
#include <vector>

using namespace losos;
using test::mode_of;
using test::ScratchDir;
using test::slurp;
using test::spill;

namespace {

constexpr auto k_durable = Durability::durable;
constexpr auto k_volatile = Durability::until_reboot;

ino_t inode_of(const std::string& path) {
    struct stat status {};
    ::lstat(path.c_str(), &status);
    return status.st_ino;
}

std::vector<std::string> entries_of(const std::string& directory) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
        names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("base/file: a link to nowhere is not the same as no file") {
    const ScratchDir dir;
    REQUIRE(::symlink("nowhere", (dir / "link").c_str()) == 0);
    const auto read = read_file(dir / "link", 100);
    REQUIRE_FALSE(read);
    CHECK(read.error().what.find("link to nowhere") != std::string::npos);
    CHECK(*read_file(dir / "nothing", 100) == std::nullopt);
}

TEST_CASE("base/file: a file is read whole up to its limit") {
    const ScratchDir dir;
    const std::string path = dir / "f";
    const std::string content("a\0b\nc", 5);
    spill(path, content);
    CHECK(**read_file(path, 5) == content);
    CHECK(**read_file(path, SIZE_MAX - 1) == content);
    CHECK(read_file(path, 4).error().what == path + " is larger than 4 bytes");
    spill(path, "");
    CHECK((*read_file(path, 0))->empty());
    spill(path, std::string(100'000, 'x'));
    CHECK((*read_file(path, 100'000))->size() == 100'000);
    CHECK_FALSE(read_file(path, 99'999));
}

TEST_CASE("base/file: a file that is not there is no error unless it must be") {
    const ScratchDir dir;
    CHECK(*read_file(dir / "f", 10) == std::nullopt);
    CHECK(*read_file(dir / "no/f", 10) == std::nullopt);
    CHECK(read_existing_file(dir / "f", 10).error().what ==
          "cannot read " + (dir / "f") + ": No such file or directory");
}

TEST_CASE("base/file: what is no regular file is refused without waiting for it") {
    const ScratchDir dir;
    CHECK(read_file(dir.path(), 10).error().what == dir.path() + " is a directory, not a file");
    const std::string fifo = dir / "fifo";
    REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
    CHECK(read_file(fifo, 10).error().what == fifo + " is not a regular file");
    CHECK(read_file("/dev/zero", 10).error().what == "/dev/zero is not a regular file");
    spill(dir / "f", "x");
    CHECK_FALSE(read_file(dir / "f/g", 10));
}

TEST_CASE("base/file: a file of the kernel that says no size is read too") {
    const auto content = read_file("/proc/self/status", 65'536);
    REQUIRE(content);
    REQUIRE(*content);
    CHECK((*content)->find("Pid:") != std::string::npos);
}

TEST_CASE(
    "base/file: a replaced file holds the content with its mode, and nothing stays beside it") {
    const ScratchDir dir;
    const std::string path = dir / "f";
    const mode_t mask = ::umask(077);
    CHECK(*replace_file(path, "one", 0644, k_durable) == Change::changed);
    ::umask(0);
    CHECK(slurp(path) == "one");
    CHECK(mode_of(path) == 0644);
    CHECK(*replace_file(path, "two", 0600, k_volatile) == Change::changed);
    ::umask(mask);
    CHECK(slurp(path) == "two");
    CHECK(mode_of(path) == 0600);
    CHECK(*replace_file(path, "", 0600, k_volatile) == Change::changed);
    CHECK(slurp(path).empty());
    CHECK(entries_of(dir.path()) == Names{"f"});
}

TEST_CASE("base/file: a file that is already as asked for is left alone") {
    const ScratchDir dir;
    const std::string path = dir / "f";
    REQUIRE(replace_file(path, "same", 0644, k_durable));
    const auto stamp = stamp_file(path);
    CHECK(*replace_file(path, "same", 0644, k_durable) == Change::unchanged);
    CHECK(stamp_file(path) == stamp);
    for (const char* const other : {"sam", "same1", "Same", ""}) {
        INFO(other);
        CHECK(*replace_file(path, other, 0644, k_volatile) == Change::changed);
        CHECK(*replace_file(path, "same", 0644, k_volatile) == Change::changed);
    }
}

TEST_CASE("base/file: versions dated apart are of different seconds, each later than the last") {
    const ScratchDir dir;
    const std::string path = dir / "f";
    const auto second_of = [&path] {
        return stamp_file(path)->modified_ns / 1'000'000'000;
    };
    REQUIRE(replace_file(path, "0", 0644, k_volatile, Dating::apart));
    auto last = second_of();
    for (const char* const content : {"1", "2", "3"}) {
        REQUIRE(replace_file(path, content, 0644, k_durable, Dating::apart));
        CHECK(second_of() > last);
        last = second_of();
    }
    REQUIRE(replace_file(path, "4", 0644, k_volatile));
    CHECK(second_of() < last);
}

TEST_CASE("base/file: the right content with the wrong mode is replaced") {
    const ScratchDir dir;
    const std::string path = dir / "f";
    spill(path, "secret");
    for (const mode_t mode : {0644U, 0400U, 0640U, 04600U}) {
        REQUIRE(::chmod(path.c_str(), mode) == 0);
        CHECK(*replace_file(path, "secret", 0600, k_volatile) == Change::changed);
        CHECK(mode_of(path) == 0600);
    }
}

TEST_CASE("base/file: a reader that has the old file open keeps it") {
    const ScratchDir dir;
    const std::string path = dir / "f";
    REQUIRE(replace_file(path, "old", 0600, k_volatile));
    const UniqueFd reader(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    REQUIRE(replace_file(path, "new content", 0600, k_volatile));
    char buffer[16] = {};
    CHECK(::read(reader.get(), buffer, sizeof buffer) == 3);
    CHECK(std::string(buffer) == "old");
}

TEST_CASE("base/file: a link is replaced itself, never followed") {
    const ScratchDir dir;
    spill(dir / "target", "precious");
    REQUIRE(::chmod((dir / "target").c_str(), 0600) == 0);
    REQUIRE(::symlink("target", (dir / "f").c_str()) == 0);
    CHECK(*replace_file(dir / "f", "precious", 0600, k_volatile) == Change::changed);
    CHECK(std::filesystem::symlink_status(dir / "f").type() == std::filesystem::file_type::regular);
    REQUIRE(replace_file(dir / "f", "new", 0600, k_volatile));
    CHECK(slurp(dir / "target") == "precious");
}

TEST_CASE("base/file: a failed replacement names the cause and leaves nothing behind") {
    const ScratchDir dir;
    CHECK(replace_file(dir / "no/f", "x", 0600, k_durable).error().what ==
          "cannot write " + (dir / "no/f") + ": there is no directory " + (dir / "no") +
              "; make it");
    CHECK(replace_file(dir / "", "x", 0600, k_durable).error().what ==
          "cannot write \"" + (dir / "") + "\": it names no file");
    CHECK_FALSE(replace_file("", "x", 0600, k_durable));
    REQUIRE(::mkdir((dir / "d").c_str(), 0700) == 0);
    CHECK(replace_file(dir / "d", "x", 0600, k_durable).error().what ==
          "cannot write " + (dir / "d") + ": Is a directory");
    CHECK_FALSE(replace_file(dir / std::string(250, 'n'), "x", 0600, k_durable));
    CHECK(entries_of(dir.path()) == Names{"d"});
}

TEST_CASE("base/file: a full disk leaves the old file and no temporary one") {
    const ScratchDir dir;
    const std::string path = dir / "f";
    REQUIRE(replace_file(path, "old", 0600, k_durable));
    // In a child, since a limit on file sizes stands for the disk and holds for the whole process.
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{4096, 4096};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const auto outcome = replace_file(path, std::string(10'000, 'x'), 0600, k_durable);
        ::_exit(!outcome && outcome.error().what == "cannot write " + path + ": File too large"
                    ? 0
                    : 1);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(slurp(path) == "old");
    CHECK(entries_of(dir.path()) == Names{"f"});
}

TEST_CASE("base/file: run as root, a file gets the owner of its directory") {
    if (::geteuid() != 0) {
        // Nobody else can give a file away; what holds then is that the writer owns it.
        const ScratchDir own;
        REQUIRE(replace_file(own / "f", "x", 0600, k_volatile));
        struct stat status {};
        REQUIRE(::stat((own / "f").c_str(), &status) == 0);
        CHECK(status.st_uid == ::geteuid());
        return;
    }
    const ScratchDir dir;
    REQUIRE(::chown(dir.path().c_str(), 12345, 23456) == 0);
    const auto owner_of = [](const std::string& path) {
        struct stat status {};
        ::stat(path.c_str(), &status);
        return std::pair(status.st_uid, status.st_gid);
    };
    const std::pair<uid_t, gid_t> expected(12345, 23456);
    CHECK(*replace_file(dir / "f", "x", 0600, k_durable) == Change::changed);
    CHECK(owner_of(dir / "f") == expected);
    CHECK(*replace_file(dir / "f", "x", 0600, k_durable) == Change::unchanged);
    REQUIRE(::chown((dir / "f").c_str(), 0, 0) == 0);
    CHECK(*replace_file(dir / "f", "x", 0600, k_durable) == Change::changed);
    CHECK(owner_of(dir / "f") == expected);
    REQUIRE(create_file(dir / "c", "x", 04600, k_durable));
    CHECK(owner_of(dir / "c") == expected);
    CHECK(mode_of(dir / "c") == 04600);
    REQUIRE(make_directory(dir / "d", 0700));
    CHECK(owner_of(dir / "d") == expected);
    REQUIRE(FileLock::wait_for(dir / "l"));
    CHECK(owner_of(dir / "l") == expected);
}

TEST_CASE("base/file: a file is created once and never overwritten") {
    const ScratchDir dir;
    const std::string path = dir / "key";
    CHECK(*create_file(path, "first", 0600, k_durable) == Change::changed);
    CHECK(mode_of(path) == 0600);
    CHECK(*create_file(path, "second", 0644, k_durable) == Change::unchanged);
    CHECK(slurp(path) == "first");
    CHECK(mode_of(path) == 0600);
    REQUIRE(::symlink("nowhere", (dir / "dangling").c_str()) == 0);
    CHECK(*create_file(dir / "dangling", "x", 0600, k_durable) == Change::unchanged);
    CHECK_FALSE(test::exists(dir / "nowhere"));
    CHECK_FALSE(create_file(dir / "no/f", "x", 0600, k_durable));
    CHECK(entries_of(dir.path()) == Names{"dangling", "key"});
}

TEST_CASE("base/file: of many that create a file at once, one does") {
    const ScratchDir dir;
    for (int round = 0; round < 20; ++round) {
        const std::string path = dir / std::to_string(round);
        std::atomic<int> made = 0;
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&path, &made, i] {
                const auto change = create_file(path, std::to_string(i), 0600, k_volatile);
                made += change && *change == Change::changed ? 1 : 0;
            });
        }
        for (auto& thread : threads) {
            thread.join();
        }
        CHECK(made == 1);
        CHECK(slurp(path).size() == 1);
    }
    CHECK(entries_of(dir.path()).size() == 20);
}

TEST_CASE("base/file: a removed file is gone, and one that was not there is no error") {
    const ScratchDir dir;
    spill(dir / "f", "x");
    CHECK(*remove_file(dir / "f", k_durable) == Change::changed);
    CHECK(*remove_file(dir / "f", k_durable) == Change::unchanged);
    CHECK(*remove_file(dir / "no/f", k_durable) == Change::unchanged);
    spill(dir / "target", "x");
    REQUIRE(::symlink("target", (dir / "link").c_str()) == 0);
    CHECK(*remove_file(dir / "link", k_volatile) == Change::changed);
    CHECK(test::exists(dir / "target"));
    REQUIRE(::mkdir((dir / "d").c_str(), 0700) == 0);
    CHECK(remove_file(dir / "d", k_durable).error().what ==
          "cannot remove " + (dir / "d") + ": Is a directory");
}

TEST_CASE("base/file: only a file's own leftovers are removed") {
    const ScratchDir dir;
    const Names leftovers = {".f.1-0123456789ab.tmp", ".f.4194304-ffffffffffff.tmp"};
    const Names others = {
        ".f",
        ".f..tmp",
        ".f.-0123456789ab.tmp",
        ".f.1-.tmp",
        ".f.1-0123456789a.tmp",
        ".f.1-0123456789abc.tmp",
        ".f.1-0123456789aB.tmp",
        ".f.1-0123456789ab.tmp.x",
        ".f.1a-0123456789ab.tmp",
        ".f.tmp",
        ".f.tmp.1-0123456789ab.tmp",
        ".ff.1-0123456789ab.tmp",
        ".g.1-0123456789ab.tmp",
        "f",
        "f.1-0123456789ab.tmp",
    };
    for (const std::string& name : others) {
        spill(dir / name, "x");
    }
    for (const std::string& name : leftovers) {
        spill(dir / name, "x");
    }
    REQUIRE(::mkdir((dir / ".f.2-0123456789ab.tmp").c_str(), 0700) == 0);
    remove_leftovers(dir / "f");
    Names expected = others;
    expected.emplace_back(".f.2-0123456789ab.tmp");
    std::sort(expected.begin(), expected.end());
    CHECK(entries_of(dir.path()) == expected);
    remove_leftovers(dir / "no/f");
    remove_leftovers("");
}

TEST_CASE("base/file: a directory is made with its mode, one level at a time") {
    const ScratchDir dir;
    const mode_t mask = ::umask(077);
    CHECK(make_directory(dir / "d", 0755));
    ::umask(mask);
    CHECK(mode_of(dir / "d") == 0755);
    CHECK(make_directory(dir / "d", 0700));
    CHECK(mode_of(dir / "d") == 0755);
    CHECK(make_directory(dir / "e/", 0700));
    CHECK(mode_of(dir / "e") == 0700);
    CHECK(make_directory("/", 0700));
    spill(dir / "f", "x");
    CHECK(make_directory(dir / "f", 0700).error().what == (dir / "f") + " is not a directory");
    CHECK_FALSE(make_directory(dir / "x/y", 0700));
    REQUIRE(::symlink("nowhere", (dir / "dangling").c_str()) == 0);
    CHECK_FALSE(make_directory(dir / "dangling", 0700));
}

TEST_CASE("base/file: a stamp changes whenever the file does") {
    const ScratchDir dir;
    const std::string path = dir / "f";
    CHECK(stamp_file(path) == std::nullopt);
    spill(path, "one");
    const auto first = stamp_file(path);
    REQUIRE(first);
    CHECK(first->inode == inode_of(path));
    CHECK(first->size == 3);
    CHECK(stamp_file(path) == first);
    REQUIRE(replace_file(path, "two", mode_of(path), k_volatile));
    CHECK_FALSE(stamp_file(path) == first);
    const auto second = stamp_file(path);
    REQUIRE(::chmod(path.c_str(), 0400) == 0);
    CHECK_FALSE(stamp_file(path) == second);
}

TEST_CASE("base/file: the directory of a path is found as dirname finds it") {
    const std::pair<const char*, const char*> cases[] = {
        {"/a/b", "/a"}, {"/a", "/"},  {"a", "."},      {"a/b", "a"},       {"/", "/"},
        {"", "."},      {"a/", "."},  {"/a/b/", "/a"}, {"//a", "/"},       {"a//b", "a"},
        {"//", "/"},    {"./a", "."}, {"../a", ".."},  {"/a/b/c", "/a/b"},
    };
    for (const auto& [path, directory] : cases) {
        INFO(path);
        CHECK(directory_of(path) == directory);
    }
}
