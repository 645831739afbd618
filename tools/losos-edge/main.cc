// losos-edge(8).
#include "box_report.h"
#include "boxes.h"
#include "doctor.h"
#include "edge_files.h"
#include "edge_report.h"
#include "ssh.h"
#include "uplink.h"

#include "base/log.h"
#include "base/tool_main.h"
#include "files/document.h"
#include "files/edge_file.h"
#include "files/paths.h"
#include "files/public_names_file.h"

using namespace losos;

namespace {

constexpr const char* k_tool = "losos-edge";

/// Where a box says how it is.
struct BoxFiles {
    std::string run_dir;
    std::string public_names;
};

/// None where the file is not there, or is of no use.
std::vector<CustomDomain> live_domains(const std::string& path) {
    auto domains = public_names_file::load(path);
    if (!domains) {
        log(LogLevel::warning, "{}; lososd-pathd writes it anew", domains.error().what);
    }
    return domains && *domains ? **std::move(domains) : std::vector<CustomDomain>();
}

void show_box(const EdgeFiles& files, const BoxFiles& box, const EdgeDocument& document) {
    print(files.style() == OutputStyle::json
              ? edge_file::render(document)
              : box_report_as_text(document, live_domains(box.public_names)));
}

Result<void> show_status(const EdgeFiles& files, const BoxFiles& box) {
    TRY_ASSIGN(const auto report, make_report(files));
    if (!report.is_of_an_edge()) {
        TRY_ASSIGN(const auto document,
                   document::with_remedy(edge_file::load(in_directory(box.run_dir, k_edge_json)),
                                         edge_file::k_remedy));
        if (document) {
            show_box(files, box, *document);
            return {};
        }
    }
    print(files.style() == OutputStyle::json ? report_as_json(report) : report_as_text(report));
    return {};
}

Result<void> run(int argc, char** argv) {
    Options options(k_tool, "look at an edge and change what it is part of",
                    std::string(k_config_dir));
    EdgeFiles files;
    UplinkSetOptions uplink;
    DoctorOptions doctor;
    bool all = false;
    std::optional<RowId> id;
    add_shared_flags(options.root(), files);
    BoxFiles box;
    Command& status = options.command("status", "how this edge is, or this box");
    status.value("--box-run-dir", "DIR", "where a box says how it is", box.run_dir, parse_path,
                 std::string(k_box_run_dir));
    status.value("--public-names-file", "FILE", "the live custom domains of a box",
                 box.public_names, parse_path, std::string(k_public_names));
    options.command("boxes", "who is registered here")
        .add_switch("-l", "also last contact, listed or enrolled, and the hub's verdict", all);
    options.command("forget", "forget a box that enrolled itself")
        .positional("ID", "the box", id, RowId::parse, true);
    add_uplink_set_flags(options.command("uplink set", "relay the boxes here to a hub"), uplink);
    options.command("uplink show", "which hub the boxes here are relayed to");
    options.command("uplink clear", "relay them no more");
    add_doctor_flags(options.command("doctor", "check every hop from this machine"), doctor);
    options.command("ssh on", "let people in by SSH, now and after a boot");
    options.command("ssh off", "let nobody in by SSH");

    TRY_ASSIGN(const auto chosen, options.parse(argc, argv));
    if (chosen.done) {
        return {};
    }
    if (chosen.command == "status") {
        return show_status(files, box);
    }
    if (chosen.command == "boxes") {
        return show_boxes(files, all ? BoxDetail::all : BoxDetail::names_and_ports);
    }
    if (chosen.command == "forget") {
        return forget_box(files, *id);
    }
    if (chosen.command == "uplink set") {
        return set_uplink(files, uplink);
    }
    if (chosen.command == "uplink show") {
        return show_uplink(files);
    }
    if (chosen.command == "uplink clear") {
        return clear_uplink(files);
    }
    if (chosen.command == "doctor") {
        return examine_machine(files, doctor);
    }
    return switch_ssh(files, chosen.command == "ssh on" ? SshWish::on : SshWish::off);
}

} // namespace

int main(int argc, char** argv) {
    return tool_main(k_tool, [&] { return run(argc, argv); });
}
