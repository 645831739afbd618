#include "files/edge_path_env_file.h"
#include "files/hub_routes_file.h"
#include "files/lan_advert_file.h"
#include "files/metrics_file.h"
#include "files/rathole_client_file.h"
#include "files/rathole_server_file.h"
#include "files/traefik_file.h"

#include "support/catch.h"
#include "unit/files/make.h"
#include "unit/files/scratch_dir.h"

using namespace losos;
using namespace losos::make;
using namespace losos::test;

TEST_CASE("files/traefik_file: no text means no file") {
    const ScratchDir dir;
    const std::string path = dir / "losos.yml";
    CHECK(traefik_file::store(path, std::nullopt).value() == Change::unchanged);
    CHECK(traefik_file::store(path, "http: {}\n").value() == Change::changed);
    CHECK(traefik_file::store(path, "http: {}\n").value() == Change::unchanged);
    CHECK(mode_of(path) == 0644);
    CHECK(traefik_file::load(path).value() == "http: {}\n");
    CHECK(traefik_file::store(path, std::nullopt).value() == Change::changed);
    CHECK_FALSE(traefik_file::load(path).value().has_value());
}

TEST_CASE("files/rathole_server_file: seeding leaves a file alone") {
    const ScratchDir dir;
    const std::string path = dir / "server.toml";
    CHECK(rathole_server_file::create(path, "first").value() == Change::changed);
    CHECK(rathole_server_file::create(path, "second").value() == Change::unchanged);
    CHECK(rathole_server_file::load(path).value() == "first");
    CHECK(mode_of(path) == 0600);
    CHECK(rathole_server_file::store(path, "second").value() == Change::changed);
    CHECK(rathole_server_file::store(path, "second").value() == Change::unchanged);
    CHECK(mode_of(path) == 0600);
}

TEST_CASE("files/rathole_client_file: the services of what is there") {
    const ScratchDir dir;
    const std::string path = dir / "run/client.toml";
    CHECK_FALSE(rathole_client_file::load_services(path).value().has_value());

    const RatholeClientHead head{endpoint("edge.example.org:2333"), token('b'), noise_key('k')};
    const std::string text =
        render_rathole_client(head, {{row_id("acme.zoe"), token('t'), port(20001)},
                                     {row_id("acme.mattbox"), token('t'), port(20000)}});
    CHECK(rathole_client_file::store(path, text, Durability::until_reboot).value() ==
          Change::changed);
    CHECK(mode_of(path) == 0600);
    CHECK(mode_of(dir / "run") == 0700);
    CHECK(rathole_client_file::load(path).value() == text);
    CHECK(rathole_client_file::load_services(path).value() ==
          std::vector<RowId>{row_id("acme.mattbox"), row_id("acme.zoe")});

    spill(path, "by hand");
    CHECK(rathole_client_file::load_services(path).error().code == Errc::unusable);
    CHECK(rathole_client_file::remove(path, Durability::durable).value() == Change::changed);
    CHECK(rathole_client_file::remove(path, Durability::durable).value() == Change::unchanged);
}

TEST_CASE("files/hub_routes_file: sorted by id, then domain") {
    const ScratchDir dir;
    const std::string path = dir / "hub-routes.json";
    const std::vector<RelayRoute> sorted{{"a", "b.org"}, {"a", "c.org"}, {"b", "a.org"}};
    const std::vector<RelayRoute> jumbled{sorted[2], sorted[1], sorted[0]};
    CHECK(hub_routes_file::store(path, sorted).value() == Change::changed);
    CHECK(hub_routes_file::store(path, jumbled).value() == Change::unchanged);
    CHECK(mode_of(path) == 0644);
    CHECK(hub_routes_file::load(path).value()->size() == sorted.size());
    CHECK(hub_routes_file::remove(path).value() == Change::changed);
}

TEST_CASE("files/lan_advert_file: Avahi can read it") {
    const ScratchDir dir;
    const std::string path = dir / "losos-edge.service";
    const LanAdvert advert{name("gw.local"), port(8443), port(2333), true};
    CHECK(lan_advert_file::store(path, advert).value() == Change::changed);
    CHECK(lan_advert_file::store(path, advert).value() == Change::unchanged);
    CHECK(mode_of(path) == 0644);
    const auto before = stamp_file(path)->modified_ns / 1'000'000'000;
    const LanAdvert renamed{name("gw-2.local"), port(8443), port(2333), true};
    CHECK(lan_advert_file::store(path, renamed).value() == Change::changed);
    CHECK(stamp_file(path)->modified_ns / 1'000'000'000 > before);
    CHECK(lan_advert_file::remove(path).value() == Change::changed);
}

TEST_CASE("files/metrics_file: a collector can read it") {
    const ScratchDir dir;
    const std::string path = dir / "metrics.prom";
    CHECK(metrics_file::store(path, {}).value() == Change::changed);
    CHECK(mode_of(path) == 0644);
}

TEST_CASE("files/edge_path_env_file: written, read and removed") {
    const ScratchDir dir;
    const std::string path = dir / "edge-path.env";
    const EdgePath edge{url("http://gw.local:8443"), endpoint("gw.local:2333"), PathSource::lan,
                        "/pins/gw.local_8443.pub"};
    CHECK_FALSE(edge_path_env_file::load(path).value().has_value());
    CHECK(edge_path_env_file::store(path, edge).value() == Change::changed);
    CHECK(edge_path_env_file::store(path, edge).value() == Change::unchanged);
    CHECK(mode_of(path) == 0644);
    CHECK(edge_path_env_file::load(path).value() == edge);
    CHECK(edge_path_env_file::remove(path).value() == Change::changed);

    spill(path, "LOSOS_EDGE_PATH_URL=?\n");
    CHECK(edge_path_env_file::load(path).error().code == Errc::unusable);

    EdgePath odd = edge;
    odd.noise_pub_file = "/pins/with blank.pub";
    CHECK_FALSE(edge_path_env_file::store(path, odd));
}
