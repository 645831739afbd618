#include "doctor_place.h"

#include "base/file.h"
#include "base/file_facts.h"
#include "base/format.h"
#include "core/check_files.h"
#include "files/announced_file.h"
#include "files/edge_file.h"
#include "files/edge_path_env_file.h"
#include "files/enrolled_dir.h"
#include "files/hub_noise_file.h"
#include "files/noise_key_file.h"
#include "files/paths.h"
#include "files/refused_file.h"
#include "files/registry_file.h"
#include "files/token_file.h"

#include <cerrno>
#include <cstring>
#include <functional>

namespace losos {

namespace {

constexpr unsigned k_secret = 0600;
constexpr unsigned k_public = 0644;
constexpr unsigned k_own_dir = 0700;
constexpr unsigned k_public_dir = 0755;

FileFacts facts_of(const std::string& path) {
    const auto entry = examine_entry(path);
    FileFacts facts;
    switch (entry.fault) {
    case 0:
        facts.access = FileFacts::Access::found;
        break;
    case ENOENT:
    case ENOTDIR:
        facts.access = FileFacts::Access::absent;
        break;
    case EACCES:
        facts.access = FileFacts::Access::denied;
        break;
    default:
        facts.access = FileFacts::Access::fault;
        facts.fault = std::strerror(entry.fault);
    }
    facts.kind = entry.is_file        ? FileKind::file
                 : entry.is_directory ? FileKind::directory
                                      : FileKind::other;
    facts.mode = entry.mode;
    facts.owner = entry.owner;
    facts.read_only_disk = entry.read_only_disk;
    facts.free_bytes = entry.free_bytes;
    facts.free_files = entry.free_files;
    return facts;
}

/// The files of one account, examined one after the other.
class Inspection {
public:
    /// Without such an account here, whoever has `home` is taken for it.
    Inspection(const std::string& account, const std::string& home)
        : m_owner(first_account({account}).value_or(examine_entry(home).owner)) {}

    void directory(const std::string& path, unsigned mode, const std::string& remedy) {
        const FileWish wish{path,
                            FileKind::directory,
                            Presence::needed,
                            mode,
                            mode == k_public_dir ? mode : k_own_dir,
                            m_owner,
                            remedy};
        m_checks.push_back(check_writable(wish, facts_of(path)));
    }

    void optional_directory(const std::string& path, unsigned mode) {
        if (facts_of(path).access != FileFacts::Access::absent) {
            directory(path, mode, "");
        }
    }

    /// `content`: what is wrong with what it holds, asked only of a file that is as it should be.
    /// `mend`: what to do about that, where the fault itself does not say so.
    void file(const std::string& path, unsigned mode, Presence presence, const std::string& remedy,
              const std::function<Result<void>()>& content = nullptr,
              const std::string& mend = "") {
        const FileWish wish{path, FileKind::file, presence, mode, mode & 0444U, m_owner, remedy};
        auto check = check_file(wish, facts_of(path));
        if (!check) {
            return;
        }
        if (check->verdict == Verdict::ok && content && is_readable(path)) {
            const auto fault = content();
            if (!fault) {
                const auto& what = fault.error().what;
                check =
                    check_failed(check->what, mend.empty() ? what : format("{}; {}", what, mend));
            }
        }
        m_checks.push_back(*std::move(check));
    }

    void optional_file(const std::string& path, unsigned mode,
                       const std::function<Result<void>()>& content = nullptr,
                       const std::string& mend = "") {
        file(path, mode, Presence::optional, "", content, mend);
    }

    void secret(const std::string& path, Presence presence, const std::string& remedy,
                const std::string& mend) {
        if (const auto name = token_file::check_path(path); !name) {
            m_checks.push_back(check_failed("file of a token", name.error().what));
            return;
        }
        file(
            path, k_secret, presence, remedy,
            [&]() -> Result<void> { return without_value(token_file::load(path)); }, mend);
    }

    /// Many alike: those at fault are named, the others counted.
    void alike(const std::string& directory, const std::string& ending) {
        std::size_t fine = 0;
        for (const auto& name : names_ending(directory, {ending})) {
            const auto path = format("{}/{}", directory, name);
            const FileWish wish{path, FileKind::file, Presence::optional, k_secret, 0400, m_owner,
                                ""};
            auto check = check_file(wish, facts_of(path));
            if (check && check->verdict != Verdict::ok) {
                m_checks.push_back(*std::move(check));
            } else {
                fine += check ? 1 : 0;
            }
        }
        if (fine != 0) {
            m_checks.push_back(
                check_ok(format("files {}/*{}", directory, ending),
                         format("{} of them, {:04o}, {}'s", fine, k_secret, m_owner)));
        }
    }

    template <class T>
    static Result<void> without_value(const Result<T>& result) {
        return result ? Result<void>() : Result<void>(result.error());
    }

    Checks take() { return std::move(m_checks); }

private:
    static bool is_readable(const std::string& path) {
        constexpr std::size_t k_any = std::size_t{1} << 30;
        return read_file(path, k_any).has_value();
    }

    std::string m_owner;
    Checks m_checks;
};

Result<void> judge_registry(const std::string& path) {
    TRY_ASSIGN(const auto any_port, PortRange::parse("1-65535"));
    return Inspection::without_value(registry_file::load(path, any_port));
}

Result<void> judge_fault(const std::optional<std::string>& fault) {
    return fault ? Result<void>(Error{Errc::unusable, *fault}) : Result<void>();
}

void inspect_uplink(const DoctorPlace& place, Inspection& inspection) {
    const auto& files = place.files;
    const auto& report = place.report;
    inspection.optional_directory(files.edge_dir, k_own_dir);
    inspection.optional_file(files.uplink(), k_secret,
                             [&] { return judge_fault(report.uplink_fault); });
    const std::string set_again = "set the uplink again, with \"losos-edge uplink set\"";
    if (report.uplink) {
        inspection.secret(report.uplink->token_file, Presence::needed, set_again, set_again);
        if (report.uplink->bootstrap_token_file) {
            inspection.secret(*report.uplink->bootstrap_token_file, Presence::needed, set_again,
                              set_again);
        }
    }
    inspection.optional_file(files.hub_noise_pub(), k_secret, [&] {
        return Inspection::without_value(hub_noise_file::load(files.hub_noise_pub()));
    });
    inspection.optional_file(files.rathole_uplink, k_secret);
    inspection.optional_file(
        files.uplink_status(), k_public, [&] { return judge_fault(report.last_pass_fault); },
        "type \"systemctl start losos-uplink\"");
    inspection.optional_file(in_directory(files.state_dir, k_hub_routes), k_public);
}

/// Another account serves it.
void inspect_zone(const std::string& file, Inspection& inspection, const std::string& make_dirs,
                  const std::string& restart) {
    inspection.directory(directory_of(file), k_public_dir, make_dirs);
    inspection.file(file, k_public, Presence::needed, restart);
}

} // namespace

Checks examine_edge_files(const DoctorPlace& place, Machine machine) {
    const auto& files = place.files;
    const auto& options = place.options;
    Inspection inspection("losos-edge", files.state_dir);
    const std::string make_dirs = "type \"systemd-tmpfiles --create\"";
    const std::string restart = "type \"systemctl restart losos-registrar\"";
    inspection.directory(files.state_dir, k_public_dir, make_dirs);
    inspection.directory(files.run_dir, k_public_dir, make_dirs);
    inspection.directory(directory_of(options.rathole_server), k_own_dir, make_dirs);
    inspection.directory(options.traefik_dir, k_public_dir, make_dirs);
    inspection.optional_directory(files.enrolled(), k_own_dir);
    inspection.file(files.registry(), k_secret, Presence::optional, "",
                    [&] { return judge_registry(files.registry()); });
    inspection.optional_file(enrolled_dir::tenants_path(files.enrolled()), k_secret, [&] {
        return Inspection::without_value(enrolled_dir::load(files.enrolled()));
    });
    inspection.alike(files.enrolled(), ".token");
    const auto noise = in_directory(files.state_dir, k_edge_noise_key);
    const auto bootstrap = in_directory(files.state_dir, k_edge_bootstrap_token);
    inspection.secret(bootstrap, Presence::optional, "", "put back the token the boxes have");
    inspection.optional_file(
        noise, k_secret, [&] { return Inspection::without_value(noise_key_file::load(noise)); });
    inspection.file(
        files.status(), k_public, Presence::needed, restart,
        [&] { return judge_fault(place.report.status_fault); }, restart);
    inspection.optional_file(in_directory(files.run_dir, k_live), k_secret);
    inspection.file(options.rathole_server, k_secret, Presence::needed, restart);
    if (place.report.status && place.report.status->zone) {
        inspect_zone(place.report.status->zone->file, inspection, make_dirs, restart);
    }
    const bool has_live = place.report.status && !place.report.status->rows.empty();
    inspection.file(in_directory(options.traefik_dir, k_traefik), k_public,
                    has_live ? Presence::needed : Presence::optional, restart);
    if (machine == Machine::gateway) {
        inspect_uplink(place, inspection);
    }
    return inspection.take();
}

Checks examine_box_files(const DoctorPlace& place) {
    const auto& run = place.options.box_run_dir;
    const auto& secrets = place.options.secrets_dir;
    Inspection inspection("losos-box", run);
    const std::string make_dirs = "type \"systemd-tmpfiles --create\"";
    const std::string restart = "type \"systemctl restart lososd-pathd\"";
    inspection.directory(run, k_public_dir, make_dirs);
    inspection.directory(secrets, k_own_dir, make_dirs);
    // A new one would be another box's to every edge that knows this one.
    const std::string put_back = "put back the token that the edges know";
    inspection.secret(in_directory(secrets, k_proxy_token), Presence::needed, restart, put_back);
    inspection.secret(in_directory(secrets, k_box_bootstrap_token), Presence::needed, restart,
                      put_back);
    inspection.optional_file(in_directory(secrets, k_box_noise_pub), k_secret);
    inspection.alike(in_directory(secrets, k_pins_dir), ".pub");
    const auto document = in_directory(run, k_edge_json);
    inspection.file(
        document, k_public, Presence::needed, restart,
        [&] { return Inspection::without_value(edge_file::load(document)); }, restart);
    const auto env = in_directory(run, k_edge_path_env);
    inspection.optional_file(
        env, k_public, [&] { return Inspection::without_value(edge_path_env_file::load(env)); },
        restart);
    inspection.optional_file(in_directory(run, k_relay_pass), k_secret);
    const std::string announce = "type \"systemctl restart losos-registrar-announce\"";
    const auto announced = in_directory(run, k_announced);
    inspection.optional_file(
        announced, k_secret,
        [&] { return Inspection::without_value(announced_file::load(announced)); }, announce);
    const auto refused = in_directory(run, k_refused);
    inspection.optional_file(
        refused, k_secret, [&] { return Inspection::without_value(refused_file::load(refused)); },
        announce);
    inspection.optional_file(place.options.rathole_client, k_secret);
    return inspection.take();
}

} // namespace losos
