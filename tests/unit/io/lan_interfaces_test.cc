#include "io/lan_interfaces.h"

#include "support/catch.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using namespace losos;
namespace fs = std::filesystem;

namespace {

/// Interfaces as the kernel lists them, in a directory of the test's own.
class Interfaces {
public:
    Interfaces() {
        std::string pattern = (fs::temp_directory_path() / "losos-links-XXXXXX").string();
        REQUIRE(mkdtemp(pattern.data()) != nullptr);
        m_root = pattern;
    }
    ~Interfaces() { fs::remove_all(m_root); }
    Interfaces(const Interfaces&) = delete;
    Interfaces& operator=(const Interfaces&) = delete;

    void add(const std::string& name, const std::string& type = "1") const {
        fs::create_directories(m_root / name);
        std::ofstream(m_root / name / "type") << type << "\n";
    }
    void has(const std::string& name, const std::string& entry) const {
        fs::create_directories(m_root / name / entry);
    }
    LinkKind kind(const std::string& name) const { return read_link_kind(name, m_root.string()); }

private:
    fs::path m_root;
};

} // namespace

TEST_CASE("io/lan_interfaces: what is no bridge is plain, but for loopback") {
    const Interfaces all;
    all.add("eth0");
    all.has("eth0", "device");
    all.add("lo", "772");
    CHECK(all.kind("eth0") == LinkKind::plain);
    CHECK(all.kind("lo") == LinkKind::loopback);
    CHECK(all.kind("gone0") == LinkKind::plain);
    CHECK(all.kind("") == LinkKind::plain);
    CHECK(all.kind("../eth0") == LinkKind::plain);
}

TEST_CASE("io/lan_interfaces: a bridge leads out when hardware is below one of its ports") {
    const Interfaces all;
    for (const char* name : {"br0", "eth0", "veth7", "bond0", "bond0.5"}) {
        all.add(name);
    }
    all.has("br0", "bridge");
    all.has("eth0", "device");
    CHECK(all.kind("br0") == LinkKind::bridge_within);
    all.has("br0", "brif/veth7");
    CHECK(all.kind("br0") == LinkKind::bridge_within);

    SECTION("a port that is hardware") {
        all.has("br0", "brif/eth0");
        CHECK(all.kind("br0") == LinkKind::bridge_to_outside);
    }
    SECTION("a VLAN on a bond of it") {
        all.has("br0", "brif/bond0.5");
        all.has("bond0.5", "lower_bond0");
        CHECK(all.kind("br0") == LinkKind::bridge_within);
        all.has("bond0", "lower_eth0");
        CHECK(all.kind("br0") == LinkKind::bridge_to_outside);
    }
    SECTION("links that lead round in a ring end the search") {
        all.has("br0", "brif/bond0");
        all.has("bond0", "lower_bond0");
        CHECK(all.kind("br0") == LinkKind::bridge_within);
    }
}

TEST_CASE("io/lan_interfaces: the host's own addresses and names, each once") {
    for (const auto& own : {own_addresses(), own_names()}) {
        CHECK_FALSE(own.empty());
        for (const auto& each : own) {
            CHECK(std::count(own.begin(), own.end(), each) == 1);
        }
    }
    const auto addresses = own_addresses();
    CHECK(std::find(addresses.begin(), addresses.end(), "127.0.0.1") != addresses.end());
    CHECK(own_names().back().ends_with(".local"));
}
