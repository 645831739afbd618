#include "ssh.h"

#include "base/format.h"
#include "base/json_writer.h"
#include "io/service_manager.h"

#include <unistd.h>

namespace losos {

namespace {

const std::string k_ssh = "ssh.service";

Result<void> turn_on(const ServiceManager& manager) {
    TRY(manager.enable(k_ssh));
    return manager.start(k_ssh);
}

Result<void> turn_off(const ServiceManager& manager) {
    TRY(manager.disable(k_ssh));
    return manager.stop(k_ssh);
}

} // namespace

Result<void> switch_ssh(const EdgeFiles& files, SshWish wish) {
    const bool is_on = wish == SshWish::on;
    if (geteuid() != 0) {
        return fail(Errc::failed, "only root may turn SSH {}; type \"sudo losos-edge ssh {}\"",
                    is_on ? "on" : "off", is_on ? "on" : "off");
    }
    const auto manager = ServiceManager::connect();
    if (!manager) {
        return fail(Errc::failed, "{}; type \"systemctl start dbus\" and try again",
                    manager.error().what);
    }
    TRY_ASSIGN(const auto state, manager->state_of(k_ssh));
    if (state.load == "not-found" && is_on) {
        return fail(Errc::failed, "no SSH server is installed; install one with \"apt install "
                                  "openssh-server\"");
    }
    if (state.load != "not-found") {
        TRY(is_on ? turn_on(*manager) : turn_off(*manager));
    }
    if (files.style() == OutputStyle::json) {
        JsonWriter json(JsonWriter::Style::indented);
        json.begin_object().boolean("ssh", is_on).end_object();
        print(std::move(json).finish());
    } else {
        print(format("ssh: {}\n", is_on ? "on" : "off"));
    }
    return {};
}

} // namespace losos
