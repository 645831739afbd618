#include "io/notify.h"

#include <systemd/sd-daemon.h>

#include <algorithm>

namespace losos {

namespace {

// A line feed would begin another assignment of the protocol.
std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

} // namespace

void notify_ready(const std::string& status) {
    sd_notify(0, ("READY=1\nSTATUS=" + one_line(status)).c_str());
}

void notify_status(const std::string& status) {
    sd_notify(0, ("STATUS=" + one_line(status)).c_str());
}

void notify_stopping() {
    sd_notify(0, "STOPPING=1");
}

} // namespace losos
