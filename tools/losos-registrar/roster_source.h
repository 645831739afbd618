// The roster as the operator's and the enrolment's files give it, read again when they change.
#pragma once

#include "base/file.h"
#include "base/watch_list.h"
#include "core/roster.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace losos {

/// Keeps the last good roster in force while a file cannot be used.
class RosterSource {
public:
    /// First reading. Errc::unusable when the tenants file is missing or either list does not
    /// parse. A listed tenant that has `own_host` is a fault.
    static Result<RosterSource> open(std::optional<std::string> tenants_file,
                                     std::optional<std::string> enrol_dir,
                                     std::optional<DnsName> own_host);

    /// Reads again what changed since the last time; says whether the roster did.
    Change refresh();
    /// The same for the list of enrolled tenants alone, at the price of one look at its file.
    Change refresh_enrolled();

    const Roster& roster() const { return m_roster; }
    /// One sentence for each file or row that cannot be used right now.
    std::vector<std::string> faults() const;
    /// Adds all that a change of the roster could show in.
    void add_watches(WatchList& list) const;

private:
    struct CachedToken {
        std::optional<FileStamp> stamp;
        std::optional<Token> token;
        std::string fault;
    };

    RosterSource(std::optional<std::string> tenants_file, std::optional<std::string> enrol_dir,
                 std::optional<DnsName> own_host)
        : m_tenants_file(std::move(tenants_file)), m_enrol_dir(std::move(enrol_dir)),
          m_own_host(std::move(own_host)) {}

    Result<void> read_tenants();
    Result<void> read_enrolled();
    bool reread_enrolled();
    bool refresh_tokens();
    std::vector<std::optional<FileStamp>> enrolled_stamps() const;
    void merge();

    std::optional<std::string> m_tenants_file;
    std::optional<std::string> m_enrol_dir;
    std::optional<DnsName> m_own_host;

    std::optional<FileStamp> m_tenants_stamp;
    TenantList m_listed;
    std::map<std::string, CachedToken> m_tokens;
    std::vector<std::string> m_hostname_faults;
    std::vector<std::string> m_token_faults;
    std::vector<std::optional<FileStamp>> m_enrolled_stamps;
    std::vector<EnrolledWithToken> m_enrolled;
    std::vector<std::string> m_enrolled_faults;
    std::string m_tenants_fault;
    std::string m_enrolled_fault;
    Roster m_roster;
};

} // namespace losos
