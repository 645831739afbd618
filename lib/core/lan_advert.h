// The Avahi service file with which an edge makes itself known on its LAN: an XML text, and nothing
// here talks to Avahi.
#pragma once

#include "core/names.h"
#include "core/port.h"

#include <string>

namespace losos {

/// What the advert says.
struct LanAdvert {
    DnsName host;
    Port api_port;
    Port rathole_port;
    bool enrolment_open = false;
};

std::string render_lan_advert(const LanAdvert& advert);

} // namespace losos
