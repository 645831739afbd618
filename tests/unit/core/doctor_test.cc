#include "core/doctor.h"

#include "support/catch.h"

#include <vector>

using namespace losos;

namespace {

std::vector<Machine> told(bool hub, bool gateway, bool box, bool registrar_files,
                          bool gateway_files, bool box_files) {
    return tell_machines({hub, gateway, box, registrar_files, gateway_files, box_files});
}

using Machines = std::vector<Machine>;

} // namespace

TEST_CASE("a target says which machine this is, whatever files lie about") {
    CHECK(told(true, false, false, true, true, true) == Machines{Machine::hub});
    CHECK(told(false, true, false, true, false, true) == Machines{Machine::gateway});
    CHECK(told(false, false, true, true, true, false) == Machines{Machine::box});
    CHECK(told(false, true, true, false, false, false) == Machines{Machine::gateway, Machine::box});
}

TEST_CASE("without a target the files say which machine this is") {
    CHECK(told(false, false, false, true, false, false) == Machines{Machine::hub});
    CHECK(told(false, false, false, true, true, false) == Machines{Machine::gateway});
    CHECK(told(false, false, false, false, false, true) == Machines{Machine::box});
    CHECK(told(false, false, false, true, true, true) == Machines{Machine::gateway, Machine::box});
    CHECK(told(false, false, false, false, false, false).empty());
}

TEST_CASE("an examination has a line a check and counts them") {
    const Examination examination{{Machine::hub},
                                  {check_ok("clock", "right"),
                                   check_failed("port 443", "nobody listens"),
                                   check_not_made("hub key", "it does not answer")}};
    CHECK(render_examination(examination) == "ok           clock: right\n"
                                             "failed       port 443: nobody listens\n"
                                             "not checked  hub key: it does not answer\n"
                                             "3 checks: 1 ok, 1 failed, 1 not checked\n");
    CHECK(examination.count(Verdict::not_checked) == 1);
}
