#include "box_inputs.h"

#include "base/file.h"
#include "base/format.h"
#include "core/idleness.h"
#include "files/document.h"
#include "files/edge_path_env_file.h"
#include "files/relay_pass_file.h"
#include "files/token_file.h"

#include <unistd.h>

#include <utility>

namespace losos {
namespace {

// What lososd-pathd writes, it writes anew at its start.
constexpr std::string_view k_writer_restart = "type \"systemctl restart lososd-pathd\"";

} // namespace

Result<BoxInputs> InputReader::read() {
    TRY_ASSIGN(auto edge, m_edge.take(read_edge()));
    TRY_ASSIGN(auto token, m_token.take(read_token()));
    return BoxInputs{std::move(edge), std::move(token), read_pass(), read_idleness()};
}

Result<HttpUrl> InputReader::read_edge() const {
    TRY_ASSIGN(auto path, document::with_remedy(edge_path_env_file::load(m_options.path_env_file()),
                                                k_writer_restart));
    if (path) {
        return std::move(path->url);
    }
    if (!m_options.registrar_url) {
        return fail(Errc::unusable,
                    "there is no edge to announce to: {} is not there, and no --registrar-url is "
                    "given; start lososd-pathd, or give one",
                    m_options.path_env_file());
    }
    return *m_options.registrar_url;
}

Result<Token> InputReader::read_token() const {
    auto token = token_file::load(m_options.token_file);
    if (!token) {
        return fail(Errc::unusable, "{}; --token-file names this box's token", token.error().what);
    }
    return token;
}

std::optional<RelayPass> InputReader::read_pass() {
    auto pass = relay_pass_file::load(m_options.pass_file());
    if (pass) {
        m_pass_fault.clear();
        return *std::move(pass);
    }
    if (m_pass_fault != pass.error().what) {
        m_pass_fault = pass.error().what;
        log(LogLevel::warning, "{}; no relay pass is sent; {}", m_pass_fault, k_writer_restart);
    }
    return std::nullopt;
}

std::optional<bool> InputReader::read_idleness() const {
    constexpr std::size_t k_limit = 4096;
    switch (m_options.idle) {
    case IdleMode::yes:
        return true;
    case IdleMode::no:
        return false;
    case IdleMode::off:
        return std::nullopt;
    case IdleMode::measured:
        break;
    }
    const auto load = read_existing_file("/proc/loadavg", k_limit);
    if (!load) {
        return std::nullopt;
    }
    return judge_idle(*load, sysconf(_SC_NPROCESSORS_ONLN));
}

} // namespace losos
