#include "files/paths.h"

#include "support/catch.h"

using namespace losos;

TEST_CASE("files/paths: a file keeps its name in another directory") {
    CHECK(in_directory("/tmp/run", k_live) == "/tmp/run/live.json");
    CHECK(in_directory("/tmp/run/", k_live) == "/tmp/run/live.json");
    CHECK(in_directory("/", k_live) == "/live.json");
    CHECK(in_directory(k_registrar_run_dir, k_live) == k_live);
    CHECK(in_directory(k_enrol_dir, k_enrolled_lock) == k_enrolled_lock);
}

TEST_CASE("files/paths: a file stands beside another one") {
    CHECK(beside(k_live, k_status) == k_status);
    CHECK(beside("live.json", k_status) == "./status.json");
    CHECK(beside("/live.json", k_status) == "/status.json");
}
