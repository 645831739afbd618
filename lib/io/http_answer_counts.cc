#include "io/http_answer_counts.h"

namespace losos {

HttpServer::Route AnswerCounts::counted(std::string_view path, HttpServer::Route route) {
    auto& counts = m_counts[std::string(path)];
    return [&counts, route = std::move(route)](const HttpRequest& request) {
        auto reply = route(request);
        counts.with([&](auto& by_status) { ++by_status[reply.status]; });
        return reply;
    };
}

std::map<std::pair<std::string, int>, std::uint64_t> AnswerCounts::copy() const {
    std::map<std::pair<std::string, int>, std::uint64_t> all;
    for (const auto& [path, counts] : m_counts) {
        for (const auto& [status, count] : counts.copy()) {
            all.emplace(std::pair(path, status), count);
        }
    }
    return all;
}

} // namespace losos
