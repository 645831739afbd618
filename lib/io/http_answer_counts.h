// How often the routes of a server answered, and with what.
#pragma once

#include "base/guarded.h"
#include "io/http_server.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace losos {

/// Routes are added before any of them is called, and then called by any number of threads.
class AnswerCounts {
public:
    /// The same route, counted under its path; to be called no longer than this object lives.
    HttpServer::Route counted(std::string_view path, HttpServer::Route route);
    /// By path and status.
    std::map<std::pair<std::string, int>, std::uint64_t> copy() const;

private:
    std::map<std::string, Guarded<std::map<int, std::uint64_t>>> m_counts;
};

} // namespace losos
