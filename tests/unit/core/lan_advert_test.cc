#include "core/lan_advert.h"

#include "unit/core/make.h"

#include "support/catch.h"

#include <string>

using namespace losos;
using namespace losos::make;

TEST_CASE("the advert says where the API and the tunnels are and whether enrolment is open") {
    const auto open = GENERATE(false, true);
    const auto text = render_lan_advert({name("Gateway.local"), port(8443), port(2334), open});
    const auto holds = [&text](const std::string& part) {
        return text.find(part) != std::string::npos;
    };
    CHECK(holds("<type>_losos-edge._tcp</type>"));
    CHECK(holds("<port>8443</port>"));
    CHECK(holds("<txt-record>url=http://gateway.local:8443</txt-record>"));
    CHECK(holds("<txt-record>rathole=gateway.local:2334</txt-record>"));
    CHECK(holds(open ? "<txt-record>enrol=open</txt-record>"
                     : "<txt-record>enrol=closed</txt-record>"));
    CHECK(holds("<txt-record>txtvers=1</txt-record>"));
}
