#include "files/token_file.h"

#include "support/catch.h"
#include "unit/files/make.h"
#include "unit/files/scratch_dir.h"

#include <filesystem>

using namespace losos;
using namespace losos::make;
using namespace losos::test;

TEST_CASE("files/token_file: the token is trimmed") {
    const ScratchDir dir;
    spill(dir / "t", " \t" + std::string(32, 'x') + " \r\n\n");
    CHECK(token_file::load(dir / "t").value().reveal() == std::string(32, 'x'));
}

TEST_CASE("files/token_file: a fault names the file and never the content") {
    const ScratchDir dir;
    const std::string path = dir / "t";
    const std::string marker = "MARKERMARKERMARKER";

    SECTION("missing") {}
    SECTION("empty") {
        spill(path, "");
    }
    SECTION("blank") {
        spill(path, std::string(64, ' ') + "\n");
    }
    SECTION("short") {
        spill(path, marker);
    }
    SECTION("a control character") {
        spill(path, marker + "\n" + marker);
    }
    SECTION("a NUL") {
        spill(path, marker + std::string(1, '\0') + marker);
    }
    SECTION("too large") {
        spill(path, std::string(5000, 'x'));
    }
    SECTION("a directory") {
        std::filesystem::create_directory(path);
    }

    const auto token = token_file::load(path);
    REQUIRE_FALSE(token);
    CHECK(token.error().code == Errc::failed);
    CHECK(token.error().what.find(path) != std::string::npos);
    CHECK(token.error().what.find(marker) == std::string::npos);
}

TEST_CASE("files/token_file: a token in place of a file's name is never said, nor made a file") {
    const std::string pasted =
        GENERATE(std::string(64, 'f'), std::string(20, 'A') + "/" + std::string(23, '+') + "=",
                 std::string(400, 'x'));
    CAPTURE(pasted);
    const std::string sentence =
        "what should name a token file looks like a token, and no such file is there; write the "
        "token into a file and name that";
    CHECK(token_file::load(pasted).error() == Error{Errc::unusable, sentence});
    CHECK(token_file::load_if_there(pasted).error().what == sentence);
    CHECK(token_file::create(pasted, token('x')).error().what == sentence);
    CHECK_FALSE(std::filesystem::exists(pasted.substr(0, 40)));
}

TEST_CASE("files/token_file: a name as long as a token names its file") {
    const ScratchDir dir;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(dir.path());
    const std::string name(40, 'f');
    spill(name, std::string(32, 'x'));
    CHECK(token_file::load(name));
    std::filesystem::remove(name);
    const auto below = token_file::load("./" + name);
    REQUIRE_FALSE(below);
    CHECK(below.error().what.find("./" + name) != std::string::npos);
    std::filesystem::current_path(before);
}

TEST_CASE("files/token_file: stored for the owner alone") {
    const ScratchDir dir;
    const std::string path = dir / "t";
    CHECK(token_file::store(path, token('x')).value() == Change::changed);
    CHECK(token_file::store(path, token('x')).value() == Change::unchanged);
    CHECK(mode_of(path) == 0600);
    CHECK(token_file::load(path).value().same_as(token('x')));
    CHECK(token_file::remove(path).value() == Change::changed);
    CHECK(token_file::remove(path).value() == Change::unchanged);
}
