#include "core/registry.h"

#include "base/format.h"
#include "base/utf8.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace losos {
namespace {

/// A believable row with its key.
struct SoundRow {
    RowId id;
    RegistryRow row;
};

Result<SoundRow> read_row(const StoredRow& stored, const PortRange& range) {
    if (stored.id.empty()) {
        return Error{Errc::failed, "the id is empty"};
    }
    auto id = RowId::parse(stored.id);
    if (!id) {
        return Error{Errc::failed, "the id is neither a DNS label nor two joined by a dot"};
    }
    const auto spoke = id->spoke();
    if (spoke && stored.via != spoke->text()) {
        return Error{Errc::failed, "its via is not the spoke in its id"};
    }
    if (!spoke && stored.via) {
        return Error{Errc::failed, "it has a via, but no spoke in its id"};
    }
    if (stored.hostname.empty()) {
        return Error{Errc::failed, "the hostname is empty"};
    }
    auto hostname = DnsName::parse(stored.hostname);
    if (!hostname) {
        return Error{Errc::failed, "the hostname is not a DNS name"};
    }
    const auto port = Port::from_number(stored.port);
    if (!port || !range.contains(*port)) {
        return fail(Errc::failed, "port {} is outside the range {}", stored.port, range.text());
    }
    return SoundRow{*std::move(id), RegistryRow{*std::move(hostname), *port}};
}

std::string warning(const StoredRow& stored, std::string_view fault) {
    return format("registry row {} is dropped: {}", in_quotes(stored.id), fault);
}

} // namespace

ValidatedRows validate_rows(std::vector<StoredRow> stored, const PortRange& range) {
    std::stable_sort(stored.begin(), stored.end(),
                     [](const auto& a, const auto& b) { return a.id < b.id; });
    ValidatedRows result;
    std::map<Port, RowId> claimed;
    for (const auto& candidate : stored) {
        auto sound = read_row(candidate, range);
        if (!sound) {
            result.dropped.push_back(warning(candidate, sound.error().what));
            continue;
        }
        if (result.rows.contains(sound->id)) {
            result.dropped.push_back(warning(candidate, "the id stands twice"));
            continue;
        }
        const auto [claim, fresh] = claimed.emplace(sound->row.port, sound->id);
        if (!fresh) {
            result.dropped.push_back(
                warning(candidate, format("{} already has port {}", claim->second.text(),
                                          sound->row.port.number())));
            continue;
        }
        result.rows.emplace(std::move(sound->id), std::move(sound->row));
    }
    return result;
}

} // namespace losos
