#include "core/path_state.h"

#include "base/format.h"

#include <utility>

namespace losos {

PathState PathState::inherited(const EdgeWay& way, MonotonicTime now) {
    PathState state(now);
    state.m_way = way;
    state.m_beginning = Beginning::later;
    state.m_is_inherited = true;
    return state;
}

PathState::Change PathState::update(const EdgeTable& table, MonotonicTime now) {
    // An advert may have said meanwhile whose the inherited way is.
    if (m_way && m_is_inherited && table.find(*m_way) == nullptr) {
        if (const auto known = table.find_same_way(*m_way)) {
            m_way = known;
        }
    }
    auto choice = choose_edge(table, m_way, m_beginning, now);
    m_latest = choice;
    if (choice.reason == ChoiceReason::searching) {
        return Change::same;
    }
    const bool is_first = m_beginning == Beginning::first_choice;
    m_beginning = Beginning::later;
    if (choice.way == m_way && !is_first) {
        return Change::same;
    }
    m_way = choice.way;
    m_since = now;
    m_is_inherited = false;
    m_taken = std::move(choice);
    return Change::changed;
}

std::string PathState::reason() const {
    switch (m_latest.reason) {
    case ChoiceReason::kept:
        return m_is_inherited ? explain(m_latest) : explain(m_taken);
    case ChoiceReason::kept_in_doubt:
    case ChoiceReason::kept_without_advert:
    case ChoiceReason::kept_without_avahi:
        break;
    case ChoiceReason::none_answers:
        return explain(m_taken);
    case ChoiceReason::searching:
    case ChoiceReason::first_lan_edge:
    case ChoiceReason::better_lan_edge:
    case ChoiceReason::other_way:
    case ChoiceReason::no_lan_edge:
        return explain(m_latest);
    }
    return m_is_inherited ? explain(m_latest)
                          : format("{}; now: {}", explain(m_taken), describe(m_latest.reason));
}

EdgePath path_by(const EdgeWay& way, const PinPlaces& places) {
    return {way.url, way.rathole, way.source,
            way.source == PathSource::lan ? places.pins_dir + "/" + pin_file_name(way.edge)
                                          : places.noise_public_key_file};
}

EdgeWay way_of(const EdgePath& path) {
    return {path.source, path.url.endpoint(), path.url, path.rathole};
}

Result<PathOrder> order_of(const PathState& state, ConfiguredEdge configured,
                           const PinPlaces& places) {
    if (state.way()) {
        TRY_ASSIGN(auto env, render_edge_path(path_by(*state.way(), places)));
        return PathOrder{PathOrder::Kind::take, std::move(env)};
    }
    const bool waits = state.beginning() == Beginning::first_choice;
    return PathOrder{waits && configured == ConfiguredEdge::given ? PathOrder::Kind::leave_alone
                                                                  : PathOrder::Kind::stop,
                     {}};
}

} // namespace losos
