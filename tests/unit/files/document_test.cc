#include "files/document.h"

#include "files/edge_path_env_file.h"
#include "files/live_file.h"
#include "files/rathole_client_file.h"
#include "files/relay_pass_file.h"

#include "support/catch.h"
#include "unit/files/scratch_dir.h"

#include <filesystem>

using namespace losos;
using losos::test::ScratchDir;
using losos::test::spill;

namespace {

Result<int> parse_yes(std::string_view text) {
    return text == "yes" ? Result<int>(1) : fail(Errc::failed, "it is not yes (byte 0)");
}

} // namespace

TEST_CASE("files/document: a load is one of loaded, absent and unusable") {
    const ScratchDir dir;
    const std::string path = dir / "f";

    CHECK(document::load<int>(path, 10, parse_yes).value() == std::nullopt);

    spill(path, "yes");
    CHECK(document::load<int>(path, 10, parse_yes).value() == 1);

    spill(path, "no");
    const auto odd = document::load<int>(path, 10, parse_yes);
    REQUIRE_FALSE(odd);
    CHECK(odd.error().code == Errc::unusable);
    CHECK(odd.error().what ==
          "cannot use " + path +
              ": it is not yes (byte 0); put it right or restore it, nothing was changed");
    const auto renewed = document::load<int>(path, 10, parse_yes, document::Remedy::next_write);
    CHECK(renewed.error().what == "cannot use " + path + ": it is not yes (byte 0)");
}

TEST_CASE("files/document: nobody is asked to restore what a daemon writes anew") {
    const ScratchDir dir;
    const std::string path = dir / "f";
    spill(path, "?");
    const auto check = [&](const auto& loaded) {
        REQUIRE_FALSE(loaded);
        CHECK(loaded.error().code == Errc::unusable);
        CHECK(loaded.error().what.find("restore") == std::string::npos);
    };
    check(live_file::load(path));
    check(edge_path_env_file::load(path));
    check(relay_pass_file::load(path));
    spill(path, "[client.services.a_b_c]\n");
    check(rathole_client_file::load_services(path));
}

TEST_CASE("files/document: what cannot be read is unusable, and named") {
    const ScratchDir dir;
    const std::string path = dir / "f";

    SECTION("a directory where the file should be") {
        std::filesystem::create_directory(path);
    }
    SECTION("a file over the limit") {
        spill(path, "12345678901");
    }
    SECTION("a path through a file") {
        spill(path, "");
        const auto through = document::load_text(path + "/f", 10);
        REQUIRE_FALSE(through);
        CHECK(through.error().code == Errc::unusable);
        spill(path, "12345678901");
    }
    const auto text = document::load_text(path, 10);
    REQUIRE_FALSE(text);
    CHECK(text.error().code == Errc::unusable);
    CHECK(text.error().what.find(path) != std::string::npos);
}
