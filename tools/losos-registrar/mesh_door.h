// The door to the mesh: before a member gets the token to join with, what its former life left at
// the mesh's API server is deleted there. It waits for that server on the thread of the caller, so
// nothing of it delays the reconciler; and few wait at a time, so that a server that hangs costs
// other callers nothing.
#pragma once

#include "mesh_options.h"

#include "base/duration.h"
#include "base/guarded.h"
#include "base/watch_list.h"
#include "core/bearer_token.h"
#include "core/names.h"
#include "core/token.h"
#include "io/worker_threads.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace losos {

/// enter() may be called by any thread, everything else by the reconciler's.
class MeshDoor {
public:
    /// A door that is not wanted, as on a LAN, is closed whatever the options say. `news` is
    /// called on another thread when the faults have changed.
    MeshDoor(MeshOptions options, bool is_wanted, std::function<void()> news);
    MeshDoor(const MeshDoor&) = delete;
    MeshDoor& operator=(const MeshDoor&) = delete;

    bool is_open() const { return m_is_open; }

    /// Deletes what `node` left, and returns the token to join with. Fails with a sentence for the
    /// caller; the one for the operator is among the faults. It returns early enough before
    /// `deadline` to write something down.
    Result<Token> enter(const DnsLabel& node, MonotonicTime deadline);
    const std::string& server_addr() const { return *m_options.server_addr; }

    /// Looks at the operator's files.
    void refresh();
    /// What is wrong with them, and why the last who wanted to join could not.
    std::vector<std::string> faults() const;
    void add_watches(WatchList& list) const;

private:
    struct Credentials;

    Result<Credentials> read_credentials() const;
    Result<void> delete_stale(const DnsLabel& node, const Credentials& credentials,
                              MonotonicTime until);
    Result<Token> enter_alone(const DnsLabel& node, MonotonicTime until);
    void set_fault(std::string fault);

    MeshOptions m_options;
    bool m_is_open;
    std::function<void()> m_news;
    std::vector<std::string> m_file_faults;
    Guarded<std::string> m_fault;
    Guarded<std::set<DnsLabel>> m_entering;
    /// The library needs more stack for an exchange than an API thread has.
    WorkerThreads m_threads;
};

} // namespace losos
