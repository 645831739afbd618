#include "path_writer.h"

#include "base/log.h"
#include "files/edge_file.h"
#include "files/edge_none_file.h"

#include <utility>

namespace losos {

namespace {

EdgeDocument without_times(EdgeDocument document) {
    document.checked_at = UnixTime(0);
    for (auto& candidate : document.candidates) {
        if (candidate.probe) {
            candidate.probe->at = UnixTime(0);
        }
        if (candidate.ban) {
            candidate.ban->until = UnixTime(0);
        }
    }
    return document;
}

bool is_same(const PathOrder& a, const PathOrder& b) {
    return a.kind == b.kind && a.env == b.env;
}

} // namespace

PathWriter::PathWriter(const ServeOptions& options) : m_options(options) {
    for (const auto& path :
         {options.path_env_file(), options.edge_none_file(), options.edge_json_file()}) {
        remove_leftovers(path);
    }
}

std::optional<EdgePath> PathWriter::read_inherited() {
    if (m_options.no_drive || stamp_file(m_options.edge_none_file())) {
        return std::nullopt;
    }
    auto path = edge_path_env_file::load(m_options.path_env_file());
    if (!path) {
        log(LogLevel::warning, "{}; it is made anew", path.error().what);
        return std::nullopt;
    }
    m_inherited = *std::move(path);
    return m_inherited;
}

EdgePath PathWriter::path_to(const EdgeWay& way) const {
    const bool is_inherited =
        m_inherited && way.source == PathSource::lan && way_of(*m_inherited) == way;
    return is_inherited ? *m_inherited : path_by(way, m_options.pins());
}

Result<void> PathWriter::write(const PathState& state, const EdgeDocument& document) {
    if (!m_options.no_drive) {
        TRY(write_path(state));
    }
    return write_document(document);
}

void PathWriter::doubt(std::string_view name) {
    const auto is_file = [name](const std::string& path) {
        return path.substr(path.rfind('/') + 1) == name;
    };
    if (is_file(m_options.path_env_file()) || is_file(m_options.edge_none_file())) {
        m_order.reset();
    }
    if (is_file(m_options.edge_json_file())) {
        m_document.reset();
    }
}

Result<void> PathWriter::write_path(const PathState& state) {
    const auto configured =
        m_options.configured_way() ? ConfiguredEdge::given : ConfiguredEdge::none;
    TRY_ASSIGN(auto order, order_of(state, configured, m_options.pins()));
    if (state.way()) {
        TRY_ASSIGN(order.env, render_edge_path(path_to(*state.way())));
    }
    if (m_order && is_same(*m_order, order)) {
        return {};
    }
    m_order.reset();
    switch (order.kind) {
    case PathOrder::Kind::leave_alone:
        break;
    case PathOrder::Kind::take: {
        // The marker goes last: the units do not start before they can read where to.
        TRY_ASSIGN([[maybe_unused]] const auto env,
                   edge_path_env_file::store(m_options.path_env_file(), path_to(*state.way())));
        TRY_ASSIGN([[maybe_unused]] const auto marker,
                   edge_none_file::remove(m_options.edge_none_file()));
        break;
    }
    case PathOrder::Kind::stop: {
        TRY_ASSIGN([[maybe_unused]] const auto marker,
                   edge_none_file::store(m_options.edge_none_file()));
        TRY_ASSIGN([[maybe_unused]] const auto env,
                   edge_path_env_file::remove(m_options.path_env_file()));
        break;
    }
    }
    m_order = std::move(order);
    return {};
}

Result<void> PathWriter::write_document(const EdgeDocument& document) {
    auto timeless = without_times(document);
    if (m_document == timeless) {
        return {};
    }
    m_document.reset();
    TRY_ASSIGN([[maybe_unused]] const auto change,
               edge_file::store(m_options.edge_json_file(), document));
    m_document = std::move(timeless);
    return {};
}

} // namespace losos
