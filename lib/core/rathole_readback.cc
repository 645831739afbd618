// Reads the client configuration back, by the lines render_rathole_client writes and no others: a
// TOML reader would be larger than everything it is needed for.
#include "core/network.h"
#include "core/rathole_config.h"

#include <optional>
#include <string_view>
#include <utility>

namespace losos {
namespace {

/// The text a TOML basic string of ours stands for; nullopt for anything else.
std::optional<std::string> unquoted(std::string_view text) {
    if (text.size() < 2 || !text.starts_with('"') || !text.ends_with('"')) {
        return std::nullopt;
    }
    text = text.substr(1, text.size() - 2);
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') {
            return std::nullopt;
        }
        if (text[i] == '\\') {
            ++i;
            if (i == text.size() || (text[i] != '"' && text[i] != '\\')) {
                return std::nullopt;
            }
        }
        result += text[i];
    }
    return result;
}

/// Walks a text line by line. Whatever does not fit is remembered and reported once.
class LineReader {
public:
    explicit LineReader(std::string_view text) : m_rest(text) {}

    bool at_end() const { return m_rest.empty(); }

    /// Takes the next line if it is exactly this one.
    bool take(std::string_view expected) {
        const auto line = next();
        if (!line || *line != expected) {
            return false;
        }
        advance();
        return true;
    }

    /// Takes the next line if it is `prefix`, a quoted text and `suffix`; returns the text.
    std::optional<std::string> take_quoted(std::string_view prefix, std::string_view suffix = "") {
        const auto line = next();
        if (!line || line->size() < prefix.size() + suffix.size() || !line->starts_with(prefix) ||
            !line->ends_with(suffix)) {
            return std::nullopt;
        }
        auto text =
            unquoted(line->substr(prefix.size(), line->size() - prefix.size() - suffix.size()));
        if (text) {
            advance();
        }
        return text;
    }

private:
    std::optional<std::string_view> next() const {
        const auto end = m_rest.find('\n');
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        return m_rest.substr(0, end);
    }

    void advance() { m_rest.remove_prefix(m_rest.find('\n') + 1); }

    std::string_view m_rest;
};

bool read_head(LineReader& lines) {
    if (!lines.take("[client]")) {
        return false;
    }
    const auto remote = lines.take_quoted("remote_addr = ");
    if (!remote || !Endpoint::parse(*remote)) {
        return false;
    }
    if (const auto token = lines.take_quoted("default_token = "); token && !Token::parse(*token)) {
        return false;
    }
    return true;
}

bool read_noise(LineReader& lines) {
    if (!lines.take("type = \"noise\"") || !lines.take("") ||
        !lines.take("[client.transport.noise]")) {
        return false;
    }
    const auto key = lines.take_quoted("remote_public_key = ");
    return key && NoiseKey::parse(*key);
}

std::optional<RowId> read_service(LineReader& lines) {
    const auto name = lines.take_quoted("[client.services.", "]");
    const auto token = lines.take_quoted("token = ");
    const auto address = lines.take_quoted("local_addr = ");
    if (!name || !token || !Token::parse(*token) || !address) {
        return std::nullopt;
    }
    const auto local = SocketAddress::parse(*address);
    auto id = RowId::parse(*name);
    if (!local || local->address.text() != "127.0.0.1" || !id) {
        return std::nullopt;
    }
    return *std::move(id);
}

std::optional<std::vector<RowId>> read_services(LineReader& lines) {
    std::vector<RowId> services;
    if (lines.take("[client.services]")) {
        return lines.at_end() ? std::optional(services) : std::nullopt;
    }
    for (;;) {
        auto id = read_service(lines);
        if (!id || (!services.empty() && *id <= services.back())) {
            return std::nullopt;
        }
        services.push_back(*std::move(id));
        if (lines.at_end()) {
            return services;
        }
        if (!lines.take("")) {
            return std::nullopt;
        }
    }
}

std::optional<std::vector<RowId>> read_client(LineReader& lines) {
    if (!read_head(lines) || !lines.take("")) {
        return std::nullopt;
    }
    if (lines.take("[client.transport]") && (!read_noise(lines) || !lines.take(""))) {
        return std::nullopt;
    }
    return read_services(lines);
}

} // namespace

Result<std::vector<RowId>> parse_rathole_client_services(std::string_view text) {
    LineReader lines(text);
    auto services = read_client(lines);
    if (!services) {
        return Error{Errc::failed, "this is not a rathole client configuration of ours"};
    }
    return *std::move(services);
}

std::optional<SocketAddress> parse_rathole_server_bind(std::string_view text) {
    LineReader lines(text);
    if (!lines.take("[server]")) {
        return std::nullopt;
    }
    const auto bind = lines.take_quoted("bind_addr = ");
    auto address = SocketAddress::parse(bind.value_or(""));
    return address ? std::optional(*std::move(address)) : std::nullopt;
}

bool has_client_head(std::string_view text, const RatholeClientHead& head) {
    const auto head_of = [](std::string_view whole) {
        return whole.substr(0, whole.find("[client.services"));
    };
    return head_of(text) == head_of(render_rathole_client(head, {}));
}

} // namespace losos
