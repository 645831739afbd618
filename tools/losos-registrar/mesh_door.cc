#include "mesh_door.h"

#include "base/file.h"
#include "base/format.h"
#include "core/cluster_api.h"
#include "files/kube_token_file.h"
#include "files/token_file.h"
#include "io/clock.h"
#include "io/http_client.h"

#include <algorithm>
#include <future>
#include <memory>
#include <utility>

namespace losos {

namespace {

/// How long the API server may take for both deletions, and what is left to write the window down.
constexpr Duration k_patience{4000};
constexpr Duration k_reserve{500};
/// Of an answer only the status matters.
constexpr std::size_t k_answer_bytes = std::size_t{16} * 1024;
constexpr std::size_t k_authority_limit = std::size_t{1024} * 1024;
constexpr std::size_t k_at_a_time = 4;
constexpr std::size_t k_stack_bytes = std::size_t{1024} * 1024;

Error for_caller(std::string_view cause) {
    return fail(Errc::no_answer,
                "nobody can join the mesh now: {}; nothing was handed out, so retry later", cause);
}

} // namespace

struct MeshDoor::Credentials {
    Token agent;
    BearerToken kube;
};

MeshDoor::MeshDoor(MeshOptions options, bool is_wanted, std::function<void()> news)
    : m_options(std::move(options)), m_is_open(is_wanted && can_join(m_options)),
      m_news(std::move(news)), m_threads(k_stack_bytes) {}

Result<MeshDoor::Credentials> MeshDoor::read_credentials() const {
    TRY_ASSIGN(auto agent, token_file::load(*m_options.agent_token_file));
    TRY_ASSIGN(auto kube, kube_token_file::load(*m_options.kube_token_file));
    TRY_ASSIGN(const auto authority,
               read_existing_file(*m_options.kube_ca_file, k_authority_limit));
    if (authority.find("-----BEGIN CERTIFICATE-----") == std::string::npos) {
        return fail(Errc::failed, "{} holds no certificate in PEM", *m_options.kube_ca_file);
    }
    return Credentials{std::move(agent), std::move(kube)};
}

Result<void> MeshDoor::delete_stale(const DnsLabel& node, const Credentials& credentials,
                                    MonotonicTime until) {
    const auto& server = m_options.kube_api->endpoint();
    const HttpTarget target{.https = true,
                            .host = server.host(),
                            .port = server.port().number(),
                            .authority_file = m_options.kube_ca_file};
    for (const auto& path : stale_paths(node)) {
        const HttpBounds bounds{std::max<Duration>(until - monotonic_now(), Duration(1)),
                                k_answer_bytes, Surplus::is_cut};
        const auto answer = http_delete(target, path, credentials.kube.reveal(), bounds);
        if (!answer) {
            set_fault(answer.error().what);
            return for_caller("its API server does not answer as it should");
        }
        if (const auto fault = deletion_fault(answer->status); !fault.empty()) {
            set_fault(format("{}, asked to delete a {}: {}; see losos-mesh(7) for the role "
                             "this edge needs there",
                             m_options.kube_api->text(),
                             path.ends_with(".node-password.rke2") ? "node's password Secret in "
                                                                     "kube-system"
                                                                   : "Node",
                             fault));
            return for_caller("its API server did not delete what this box left there: " + fault);
        }
    }
    return {};
}

Result<Token> MeshDoor::enter_alone(const DnsLabel& node, MonotonicTime until) {
    auto credentials = read_credentials();
    if (!credentials) {
        // refresh() says so, and goes on saying so for as long as it is true.
        return for_caller("a file of this edge is faulty, and its operator was told which");
    }
    // Shared, for a promise is still at work when its future is there.
    const auto done = std::make_shared<std::promise<Result<void>>>();
    auto deleted = done->get_future();
    const bool runs =
        m_threads.run([&, done] { done->set_value(delete_stale(node, *credentials, until)); });
    if (!runs) {
        return for_caller("this edge has no thread to spare");
    }
    TRY(deleted.get());
    set_fault({});
    return std::move(credentials->agent);
}

Result<Token> MeshDoor::enter(const DnsLabel& node, MonotonicTime deadline) {
    const auto now = monotonic_now();
    const auto until = std::min<MonotonicTime>(now + k_patience, deadline - k_reserve);
    if (until <= now) {
        return for_caller("the call itself took too long to arrive");
    }
    const bool may_enter = m_entering.with([&](auto& entering) {
        return entering.size() < k_at_a_time && entering.insert(node).second;
    });
    if (!may_enter) {
        return for_caller("others are joining, or this box already is");
    }
    auto token = enter_alone(node, until);
    m_entering.with([&](auto& entering) { entering.erase(node); });
    return token;
}

void MeshDoor::set_fault(std::string fault) {
    const bool is_news =
        m_fault.with([&](std::string& known) { return std::exchange(known, fault) != fault; });
    if (is_news) {
        m_news();
    }
}

void MeshDoor::refresh() {
    m_file_faults.clear();
    if (!m_is_open) {
        return;
    }
    if (const auto credentials = read_credentials(); !credentials) {
        m_file_faults.push_back(credentials.error().what + "; until then no box can join the mesh");
    }
}

std::vector<std::string> MeshDoor::faults() const {
    auto faults = m_file_faults;
    if (const auto last = m_fault.copy(); !last.empty()) {
        faults.push_back("the last box that wanted to join the mesh could not: " + last);
    }
    return faults;
}

void MeshDoor::add_watches(WatchList& list) const {
    if (!m_is_open) {
        return;
    }
    for (const auto& file :
         {m_options.agent_token_file, m_options.kube_token_file, m_options.kube_ca_file}) {
        list.add_file(*file);
    }
}

} // namespace losos
