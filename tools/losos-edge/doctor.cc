#include "doctor.h"

#include "edge_client.h"

#include "base/file_facts.h"
#include "base/format.h"
#include "core/check_host.h"
#include "files/paths.h"
#include "io/clock.h"

#include <iterator>
#include <utility>

namespace losos {

namespace {

Result<Machine> parse_machine(std::string_view text) {
    for (const Machine machine : {Machine::hub, Machine::gateway, Machine::box}) {
        if (name_of(machine) == text) {
            return machine;
        }
    }
    return fail(Errc::usage, "a machine is a hub, a gateway or a box");
}

bool is_there(const std::string& path) {
    return examine_entry(path).fault == 0;
}

bool is_wanted(const UnitFacts& target) {
    return target.active == "active" || is_enabled(target);
}

MachineSigns read_signs(const DoctorPlace& place) {
    MachineSigns signs;
    signs.hub_target = is_wanted(place.unit("losos-hub.target"));
    signs.gateway_target = is_wanted(place.unit("losos-gateway.target"));
    signs.box_target = is_wanted(place.unit("losos-box.target"));
    const auto& status = place.report.status;
    signs.registrar_files = status || is_there(place.files.registry());
    signs.gateway_files =
        (status && status->lan) || place.report.uplink || place.report.uplink_fault;
    signs.box_files = is_there(in_directory(place.options.box_run_dir, k_edge_json)) ||
                      is_there(in_directory(place.options.secrets_dir, k_proxy_token));
    return signs;
}

Result<std::vector<Machine>> machines_at(const DoctorPlace& place) {
    if (place.options.machine) {
        return std::vector<Machine>{*place.options.machine};
    }
    auto machines = tell_machines(read_signs(place));
    if (machines.empty()) {
        return fail(Errc::unusable,
                    "nothing says whether this machine is a hub, a gateway or a box; enable its "
                    "target, as in \"systemctl enable --now losos-gateway.target\", or say it with "
                    "--machine");
    }
    return machines;
}

Checks examine(const DoctorPlace& place, Machine machine) {
    auto checks = examine_units(place, machine);
    if (machine == Machine::box) {
        append(checks, examine_box_files(place));
        append(checks, examine_box(place));
        return checks;
    }
    append(checks, examine_edge_files(place, machine));
    append(checks, examine_edge(place, machine));
    if (machine == Machine::hub) {
        append(checks, examine_zone(place));
    }
    if (machine == Machine::gateway) {
        append(checks, examine_advert(place));
        append(checks, examine_uplink(place));
    }
    return checks;
}

Result<DoctorPlace> go_to(const EdgeFiles& files, const DoctorOptions& options) {
    TRY_ASSIGN(auto report, make_report(files));
    DoctorPlace place{files, options, std::move(report), std::nullopt, {}, read_listeners()};
    auto manager = ServiceManager::connect();
    if (manager) {
        place.manager = *std::move(manager);
    } else {
        place.manager_fault = manager.error().what;
    }
    return place;
}

} // namespace

void add_doctor_flags(Command& command, DoctorOptions& options) {
    command.optional("--machine", "KIND",
                     "hub, gateway or box; not given, what is set up here says it", options.machine,
                     parse_machine);
    command.value("--box-run-dir", "DIR", "where a box says how it is", options.box_run_dir,
                  parse_path, std::string(k_box_run_dir));
    command.value("--secrets-dir", "DIR", "a box's tokens and pins", options.secrets_dir,
                  parse_path, std::string(k_secrets_dir));
    command.value("--rathole-client-config", "FILE", "a box's tunnel", options.rathole_client,
                  parse_path, std::string(k_rathole_client));
    command.value("--rathole-config", "FILE", "the tunnels an edge takes in",
                  options.rathole_server, parse_path, std::string(k_rathole_server));
    command.value("--traefik-dir", "DIR", "Traefik's dynamic files", options.traefik_dir,
                  parse_path, std::string(k_traefik_dir));
    command.value("--avahi-service-file", "FILE", "a gateway's advert", options.advert, parse_path,
                  std::string(k_lan_advert));
    command.value("--https-port", "PORT", "where Traefik takes visitors", options.https_port,
                  Port::parse, "443");
    command.value("--http-port", "PORT", "where a box's web server listens, and Traefik as well",
                  options.http_port, Port::parse, "80");
    command.value("--timeout", "TIME", "how long to wait for each answer", options.timeout,
                  parse_timeout, "5s");
}

UnitFacts DoctorPlace::unit(const std::string& name) const {
    UnitFacts facts;
    facts.name = name;
    if (!manager) {
        return facts;
    }
    auto state = manager->state_of(name);
    if (state) {
        facts.load = state->load;
        facts.active = state->active;
        facts.sub = state->sub;
        facts.file_state = state->file_state;
        facts.exit_status = state->exit_status;
    }
    return facts;
}

void append(Checks& checks, Checks more) {
    checks.insert(checks.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
}

Result<void> examine_machine(const EdgeFiles& files, const DoctorOptions& options) {
    TRY_ASSIGN(const auto place, go_to(files, options));
    Examination examination;
    TRY_ASSIGN(examination.machines, machines_at(place));
    examination.checks.push_back(check_clock(unix_now()));
    for (const Machine machine : examination.machines) {
        append(examination.checks, examine(place, machine));
    }
    print(files.style() == OutputStyle::json ? render_examination_json(examination)
                                             : render_examination(examination));
    const auto failed = examination.count(Verdict::failed);
    if (failed != 0) {
        return fail(Errc::failed, "{} of {} checks failed; each says what to do", failed,
                    examination.checks.size());
    }
    return {};
}

} // namespace losos
