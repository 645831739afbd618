// What a box remembers of edges over a restart: announced.json and refused.json.
#pragma once

#include "base/duration.h"
#include "core/network.h"
#include "files/announced_file.h"
#include "files/refused_file.h"

#include <optional>
#include <string>
#include <vector>

namespace losos {

class EdgeRecords {
public:
    /// Reads both; one that cannot be read begins empty, with a warning.
    EdgeRecords(std::string announced_path, std::string refused_path);

    /// The edge the box last registered with.
    std::optional<HttpUrl> registered_with() const;

    /// The edges that a former run had yet to leave.
    std::vector<HttpUrl> leaving() const;

    /// The edge is about to be asked: it may have the box from now on, whatever becomes of the
    /// answer.
    void note_attempt(const HttpUrl& edge);
    /// The edge took the box: it is noted, and refuses no more. `leaving` are yet to be left.
    void note_registration(const HttpUrl& edge, std::vector<HttpUrl> leaving, UnixTime now);
    /// Fewer edges are yet to be left.
    void note_leaving(std::vector<HttpUrl> leaving);
    /// The edge refused the box.
    void note_refusal(const HttpUrl& edge, int status, UnixTime now);

private:
    void drop_refusal(const HttpUrl& edge);
    void store_refusals();
    /// The same fault is said once.
    void warn_unless_stored(const Result<Change>& stored);

    std::string m_announced_path;
    std::string m_refused_path;
    std::optional<Announced> m_announced;
    std::vector<Refusal> m_refusals;
    std::string m_write_fault;
};

} // namespace losos
