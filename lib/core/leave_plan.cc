#include "core/leave_plan.h"

#include "core/edge_answer.h"
#include "core/retry_delay.h"

#include <algorithm>

namespace losos {

namespace {

template <class List>
auto earliest(List& list) {
    return std::min_element(list.begin(), list.end(),
                            [](const auto& a, const auto& b) { return a.due < b.due; });
}

} // namespace

void LeavePlan::leave(const HttpUrl& edge, MonotonicTime now) {
    stay(edge);
    m_leaving.push_back({edge, now, 0});
}

void LeavePlan::stay(const HttpUrl& edge) {
    std::erase_if(m_leaving, [&edge](const Leaving& leaving) { return leaving.edge == edge; });
}

std::vector<HttpUrl> LeavePlan::edges() const {
    std::vector<HttpUrl> edges;
    edges.reserve(m_leaving.size());
    for (const Leaving& leaving : m_leaving) {
        edges.push_back(leaving.edge);
    }
    return edges;
}

std::optional<MonotonicTime> LeavePlan::due() const {
    if (m_leaving.empty()) {
        return std::nullopt;
    }
    return earliest(m_leaving)->due;
}

std::optional<HttpUrl> LeavePlan::next() const {
    if (m_leaving.empty()) {
        return std::nullopt;
    }
    return earliest(m_leaving)->edge;
}

bool LeavePlan::answered(const HttpUrl& edge, std::optional<int> status, MonotonicTime now,
                         double jitter) {
    if (status && classify_status(*status) != AnswerKind::unavailable) {
        stay(edge);
        return true;
    }
    for (auto& leaving : m_leaving) {
        if (leaving.edge == edge) {
            ++leaving.failures;
            leaving.due = now + retry_delay(leaving.failures, jitter);
        }
    }
    return false;
}

} // namespace losos
