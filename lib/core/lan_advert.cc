#include "core/lan_advert.h"

#include "base/format.h"

namespace losos {

// A DNS name and a port hold no character that XML or Avahi would read as anything but itself.
std::string render_lan_advert(const LanAdvert& advert) {
    return format("<?xml version=\"1.0\" standalone=\"no\"?>\n"
                  "<!DOCTYPE service-group SYSTEM \"avahi-service.dtd\">\n"
                  "<service-group>\n"
                  "  <name replace-wildcards=\"yes\">LosOS edge on %h</name>\n"
                  "  <service>\n"
                  "    <type>_losos-edge._tcp</type>\n"
                  "    <port>{1}</port>\n"
                  "    <txt-record>url=http://{0}:{1}</txt-record>\n"
                  "    <txt-record>rathole={0}:{2}</txt-record>\n"
                  "    <txt-record>enrol={3}</txt-record>\n"
                  "    <txt-record>txtvers=1</txt-record>\n"
                  "  </service>\n"
                  "</service-group>\n",
                  advert.host.text(), advert.api_port.number(), advert.rathole_port.number(),
                  advert.enrolment_open ? "open" : "closed");
}

} // namespace losos
