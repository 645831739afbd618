#include "files/enrolled_dir.h"

#include "files/document.h"
#include "files/enrolled_rows.h"
#include "files/paths.h"
#include "files/token_file.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

namespace losos::enrolled_dir {
namespace {

namespace fs = std::filesystem;
using enrolled_rows::Row;
using Rows = std::vector<Row>;

constexpr mode_t k_directory_mode = 0700;
constexpr mode_t k_mode = 0600;
constexpr std::string_view k_token_suffix = ".token";
// A forget that falls between two readings is seen by the next one; nobody forgets for ever.
constexpr int k_most_readings = 4;

Result<Rows> load_rows(const std::string& directory) {
    TRY_ASSIGN(auto rows,
               document::load<Rows>(tenants_path(directory), k_limit, enrolled_rows::parse));
    return std::move(rows).value_or(Rows());
}

Result<Change> store_rows(const std::string& directory, const Rows& rows) {
    std::error_code error;
    const fs::path absolute = fs::absolute(directory, error);
    const std::string place = error ? directory : absolute.lexically_normal().string();
    return replace_file(tenants_path(directory),
                        enrolled_rows::render(rows, place == "/" ? "" : place), k_mode,
                        Durability::durable);
}

Result<FileLock> lock(const std::string& directory) {
    return FileLock::wait_for(in_directory(directory, k_enrolled_lock));
}

Rows::iterator find_row(Rows& rows, const DnsLabel& id) {
    return std::find_if(rows.begin(), rows.end(),
                        [&](const Row& row) { return row.id == id.text(); });
}

/// The tokens a crash left behind, whole or half written: they bind nobody.
Result<void> sweep(const std::string& directory, const Rows& rows) {
    std::set<std::string> wanted;
    for (const Row& row : rows) {
        wanted.insert(row.id + std::string(k_token_suffix));
    }
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator it(directory, error), end; !error && it != end;
         it.increment(error)) {
        std::error_code ignored;
        if (!fs::is_directory(it->symlink_status(ignored))) {
            names.push_back(it->path().filename().string());
        }
    }
    if (error) {
        return fail(Errc::failed, "cannot list {}: {}", directory, error.message());
    }
    const auto before_a_number = std::string(k_token_suffix) + ".";
    for (const std::string& name : names) {
        const auto half = name.find(before_a_number);
        if (name.starts_with('.') && half != std::string::npos) {
            remove_leftovers(
                in_directory(directory, name.substr(1, half + k_token_suffix.size() - 1)));
        } else if (name.ends_with(k_token_suffix) && !wanted.contains(name)) {
            TRY(token_file::remove(in_directory(directory, name)));
        }
    }
    return {};
}

/// What the rows say; a row or token that is faulty adds a sentence.
Loaded believe(const std::string& directory, const Rows& rows) {
    Loaded loaded;
    for (const Row& row : rows) {
        auto id = DnsLabel::parse(row.id);
        auto hostname = DnsName::parse(row.hostname);
        if (!id || !hostname) {
            loaded.faults.push_back(format("entry \"{}\" of {} is refused: {}", row.id,
                                           tenants_path(directory),
                                           (id ? hostname.error() : id.error()).what));
            continue;
        }
        auto token = token_file::load(token_path(directory, *id));
        if (!token) {
            loaded.faults.push_back(
                format("enrolled box \"{}\" is refused: {}", row.id, token.error().what));
        }
        loaded.tenants.push_back({EnrolledTenant{*std::move(id), *std::move(hostname)},
                                  token ? std::optional(*std::move(token)) : std::nullopt});
    }
    return loaded;
}

Result<Applied> apply_to(Rows& rows, const std::string& directory, const Batch& batch) {
    for (const Newcomer& newcomer : batch.added) {
        const EnrolledTenant& tenant = newcomer.tenant;
        TRY(token_file::store(token_path(directory, tenant.id), newcomer.token));
        if (const auto row = find_row(rows, tenant.id); row != rows.end()) {
            row->hostname = tenant.hostname.text();
        } else {
            rows.push_back({tenant.id.text(), tenant.hostname.text()});
        }
    }
    Applied applied;
    for (const EnrolledTenant& tenant : batch.renamed) {
        if (const auto row = find_row(rows, tenant.id); row != rows.end()) {
            row->hostname = tenant.hostname.text();
        } else {
            applied.gone.push_back(tenant.id);
        }
    }
    TRY(store_rows(directory, rows));
    return applied;
}

} // namespace

Result<void> prepare(const std::string& directory) {
    TRY(make_directory(directory, k_directory_mode));
    TRY_ASSIGN(const FileLock held, lock(directory));
    TRY_ASSIGN(const Rows rows, load_rows(directory));
    remove_leftovers(tenants_path(directory));
    return sweep(directory, rows);
}

Result<Loaded> load(const std::string& directory) {
    TRY_ASSIGN(Rows rows, load_rows(directory));
    for (int reading = 1;; ++reading) {
        Loaded loaded = believe(directory, rows);
        if (loaded.faults.empty() || reading == k_most_readings) {
            return loaded;
        }
        // A token may be missing because its box was forgotten since the rows were read.
        TRY_ASSIGN(Rows again, load_rows(directory));
        if (again == rows) {
            return loaded;
        }
        rows = std::move(again);
    }
}

Result<Applied> apply(const std::string& directory, const Batch& batch) {
    if (batch.added.empty() && batch.renamed.empty()) {
        return Applied();
    }
    TRY_ASSIGN(const FileLock held, lock(directory));
    TRY_ASSIGN(Rows rows, load_rows(directory));
    auto applied = apply_to(rows, directory, batch);
    if (!applied) {
        // Best effort: a start removes what stays.
        if (const auto present = load_rows(directory)) {
            (void)sweep(directory, *present);
        }
    }
    return applied;
}

Result<Forgotten> forget(const std::string& directory, const DnsLabel& id) {
    std::error_code error;
    if (!fs::is_directory(directory, error) &&
        (!error || error == std::errc::no_such_file_or_directory)) {
        return Forgotten::unknown;
    }
    TRY_ASSIGN(const FileLock held, lock(directory));
    remove_leftovers(tenants_path(directory));
    TRY_ASSIGN(Rows rows, load_rows(directory));
    const auto row = find_row(rows, id);
    const bool known = row != rows.end();
    if (known) {
        rows.erase(row);
        TRY(store_rows(directory, rows));
    }
    // An interrupted forget has taken the row already.
    TRY_ASSIGN(const Change token, token_file::remove(token_path(directory, id)));
    return known || token == Change::changed ? Forgotten::forgotten : Forgotten::unknown;
}

std::string tenants_path(const std::string& directory) {
    return in_directory(directory, k_enrolled_tenants);
}

std::string token_path(const std::string& directory, const DnsLabel& id) {
    return in_directory(directory, id.text() + std::string(k_token_suffix));
}

} // namespace losos::enrolled_dir
