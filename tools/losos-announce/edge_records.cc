#include "edge_records.h"

#include "base/log.h"

#include <algorithm>
#include <utility>

namespace losos {

namespace {

/// What a file holds; one that cannot be used costs only itself.
template <class T>
std::optional<T> or_nothing(Result<std::optional<T>> loaded) {
    if (!loaded) {
        log(LogLevel::warning, "{}; it counts as empty until it is next written",
            loaded.error().what);
        return std::nullopt;
    }
    return *std::move(loaded);
}

} // namespace

EdgeRecords::EdgeRecords(std::string announced_path, std::string refused_path)
    : m_announced_path(std::move(announced_path)), m_refused_path(std::move(refused_path)) {
    remove_leftovers(m_announced_path);
    remove_leftovers(m_refused_path);
    m_announced = or_nothing(announced_file::load(m_announced_path));
    m_refusals = or_nothing(refused_file::load(m_refused_path)).value_or(std::vector<Refusal>());
}

std::optional<HttpUrl> EdgeRecords::registered_with() const {
    return m_announced ? m_announced->url : std::nullopt;
}

std::vector<HttpUrl> EdgeRecords::leaving() const {
    return m_announced ? m_announced->leaving : std::vector<HttpUrl>();
}

void EdgeRecords::note_leaving(std::vector<HttpUrl> leaving) {
    if (!m_announced) {
        return;
    }
    m_announced->leaving = std::move(leaving);
    if (m_announced->url || !m_announced->leaving.empty()) {
        warn_unless_stored(announced_file::store(m_announced_path, *m_announced));
        return;
    }
    m_announced.reset();
    warn_unless_stored(announced_file::remove(m_announced_path));
}

void EdgeRecords::note_attempt(const HttpUrl& edge) {
    if (registered_with() == edge) {
        return;
    }
    auto noted = m_announced.value_or(Announced{});
    if (std::find(noted.leaving.begin(), noted.leaving.end(), edge) == noted.leaving.end()) {
        noted.leaving.push_back(edge);
        m_announced = std::move(noted);
        warn_unless_stored(announced_file::store(m_announced_path, *m_announced));
    }
}

void EdgeRecords::note_registration(const HttpUrl& edge, std::vector<HttpUrl> leaving,
                                    UnixTime now) {
    m_announced = Announced{edge, now, std::move(leaving)};
    warn_unless_stored(announced_file::store(m_announced_path, *m_announced));
    const auto before = m_refusals.size();
    drop_refusal(edge);
    if (m_refusals.size() != before) {
        store_refusals();
    }
}

void EdgeRecords::note_refusal(const HttpUrl& edge, int status, UnixTime now) {
    drop_refusal(edge);
    m_refusals.push_back({edge, status, now});
    store_refusals();
}

void EdgeRecords::drop_refusal(const HttpUrl& edge) {
    std::erase_if(m_refusals, [&edge](const Refusal& refusal) { return refusal.url == edge; });
}

void EdgeRecords::store_refusals() {
    warn_unless_stored(refused_file::store(m_refused_path, m_refusals));
}

void EdgeRecords::warn_unless_stored(const Result<Change>& stored) {
    if (stored) {
        m_write_fault.clear();
    } else if (std::exchange(m_write_fault, stored.error().what) != m_write_fault) {
        log(LogLevel::warning, "{}", m_write_fault);
    }
}

} // namespace losos
