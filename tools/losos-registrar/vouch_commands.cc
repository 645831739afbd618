#include "vouch_commands.h"

#include "base/log.h"
#include "base/utf8.h"
#include "files/document.h"
#include "files/vouch_file.h"

#include <algorithm>
#include <iostream>
#include <utility>

namespace losos {

namespace {

/// Under the lock, so that nothing another writer adds meanwhile is lost.
template <class Edit>
Result<void> edit_file(const VouchOptions& options, Edit edit) {
    const auto& path = *options.file;
    TRY_ASSIGN(const auto lock, FileLock::wait_for_directory_of(path));
    TRY_ASSIGN(auto loaded, vouch_file::load(path));
    VouchList list = loaded ? *std::move(loaded) : VouchList{};
    std::erase_if(list.faulty,
                  [&](const FaultySeller& row) { return row.id == options.id->text(); });
    if (!list.faulty.empty()) {
        const auto& row = list.faulty.front();
        return fail(Errc::unusable,
                    "entry {} of {} cannot be kept: {}; put it right or remove it, nothing was "
                    "changed",
                    in_quotes(row.id), path, row.fault);
    }
    TRY(edit(list));
    TRY_ASSIGN([[maybe_unused]] const auto change, vouch_file::store(path, list));
    return {};
}

/// The file is written all the same: which of the two UUIDs is wrong is not known here.
Result<void> set(const VouchOptions& options) {
    std::vector<SharedUuid> shared;
    TRY(edit_file(options, [&](VouchList& list) -> Result<void> {
        list.sellers.insert_or_assign(
            *options.id, Seller{options.account_id, !options.not_ready, options.box_uuid});
        shared = shared_uuids(vouchers_of(list));
        return {};
    }));
    for (const auto& each : shared) {
        log(LogLevel::warning, "{}: {}", *options.file, describe(each));
    }
    return {};
}

Result<VouchList> load_existing(const std::string& path) {
    return document::existing(vouch_file::load(path), path, "losos-registrar vouch set makes it");
}

Result<void> remove(const VouchOptions& options) {
    TRY_ASSIGN(const auto before, load_existing(*options.file));
    const auto is_faulty = [&](const FaultySeller& row) {
        return row.id == options.id->text();
    };
    const bool known = before.sellers.contains(*options.id) ||
                       std::any_of(before.faulty.begin(), before.faulty.end(), is_faulty);
    if (!known) {
        return fail(Errc::failed,
                    "nobody vouches for {} in {}; losos-registrar vouch list shows for whom",
                    options.id->text(), *options.file);
    }
    return edit_file(options, [&](VouchList& list) -> Result<void> {
        list.sellers.erase(*options.id);
        return {};
    });
}

Result<void> list(const VouchOptions& options) {
    TRY_ASSIGN(const auto loaded, load_existing(*options.file));
    for (const auto& [id, seller] : loaded.sellers) {
        std::cout << id.text() << ' ' << (seller.box_uuid ? seller.box_uuid->text() : "-") << ' '
                  << (seller.ready ? "ready" : "not-ready") << ' '
                  << (seller.account_id ? printable(seller.account_id->text()) : "-") << '\n';
    }
    for (const auto& row : loaded.faulty) {
        log(LogLevel::warning, "entry {} of {} vouches for nobody: {}", in_quotes(row.id),
            *options.file, row.fault);
    }
    return {};
}

} // namespace

void add_vouch_commands(Options& options, VouchOptions& vouch) {
    const auto add_file = [&vouch](Command& command) {
        command.required("--vouch-file", "FILE", "the boxes that are vouched for", vouch.file,
                         parse_path);
    };
    auto& setting = options.command("vouch set", "vouch for a box, so that it may have domains");
    add_file(setting);
    setting.positional("ID", "the box", vouch.id, DnsLabel::parse, true);
    setting.required("--account-id", "ACCOUNT", "whose box it is", vouch.account_id,
                     AccountId::parse);
    setting.required("--box-uuid", "UUID", "which machine it is", vouch.box_uuid, BoxUuid::parse);
    setting.add_switch("--not-ready", "note the box, but do not vouch for it yet", vouch.not_ready);

    add_file(options.command("vouch list", "show the boxes that are noted, and which are ready"));

    auto& removing = options.command("vouch remove", "vouch for a box no longer");
    add_file(removing);
    removing.positional("ID", "the box", vouch.id, DnsLabel::parse, true);
}

std::optional<Result<void>> run_vouch_command(std::string_view command,
                                              const VouchOptions& options) {
    if (command == "vouch set") {
        return set(options);
    }
    if (command == "vouch list") {
        return list(options);
    }
    if (command == "vouch remove") {
        return remove(options);
    }
    return std::nullopt;
}

} // namespace losos
