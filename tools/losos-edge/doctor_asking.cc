#include "doctor_asking.h"

#include "edge_client.h"

#include "core/heartbeat_api.h"
#include "core/http_date.h"
#include "files/token_file.h"
#include "io/clock.h"
#include "io/resolve.h"

namespace losos {

namespace {

LocalAnswer::Kind kind_of(LocalReply::Kind kind) {
    switch (kind) {
    case LocalReply::Kind::answered:
        return LocalAnswer::Kind::answered;
    case LocalReply::Kind::refused:
        return LocalAnswer::Kind::refused;
    case LocalReply::Kind::hung_up:
        return LocalAnswer::Kind::hung_up;
    case LocalReply::Kind::silent:
        break;
    }
    return LocalAnswer::Kind::silent;
}

EdgeFacts facts_of(const Result<HttpAnswer>& answer) {
    if (!answer) {
        return {std::nullopt, answer.error().what};
    }
    return {EdgeAnswer{answer->status, answer->body}, {}};
}

Check examine_token(const EdgeQuestion& question, Duration timeout) {
    const auto what = question.role + " token";
    if (!question.id) {
        return check_not_made(what, "it is not known yet as whom this machine is known there");
    }
    const auto token = token_file::load(question.token_file);
    if (!token) {
        return check_not_made(what, token.error().what);
    }
    return check_token(question.role, question.url, *question.id,
                       ask_with_token(question.url, *question.id, *token, timeout),
                       question.token_file);
}

} // namespace

HealthFinding ask_health(const HttpUrl& edge, Duration timeout) {
    const auto answer = ask_edge(edge, "/health", timeout);
    return {facts_of(answer), answer ? parse_http_date(answer->date) : std::nullopt};
}

EdgeFacts ask_with_token(const HttpUrl& edge, const std::string& id, const Token& token,
                         Duration timeout) {
    const HeartbeatCall call{id, token.reveal(), std::nullopt, {}};
    return facts_of(tell_edge(edge, "/heartbeat", render_heartbeat_call(call), token, timeout));
}

std::string ask_tunnel_port(const Endpoint& rathole, Duration timeout) {
    const auto deadline = monotonic_now() + timeout;
    const auto addresses = resolve_host(rathole.host(), deadline);
    if (!addresses) {
        return addresses.error().what;
    }
    std::string fault;
    for (const auto& address : *addresses) {
        const auto reply = connection_fault(address, rathole.port().number(), deadline);
        if (reply.empty()) {
            return {};
        }
        fault = reply;
    }
    return fault;
}

NameFacts look_up(const std::string& name, Duration timeout) {
    auto addresses = resolve_host(name, monotonic_now() + timeout);
    if (!addresses) {
        return {{}, addresses.error().what};
    }
    return {*std::move(addresses), {}};
}

bool is_name(const std::string& host) {
    return !IpAddress::parse(host);
}

LocalAnswer ask_local(Port port, const std::string& host, LocalTransport transport,
                      Duration timeout) {
    auto reply = ask_local_server(port.number(), host, transport, timeout);
    return {kind_of(reply.kind), reply.status, std::move(reply.body)};
}

std::vector<Check> examine_other_edge(const EdgeQuestion& question, Duration timeout) {
    std::vector<Check> checks;
    const auto& host = question.url.endpoint().host();
    if (is_name(host)) {
        checks.push_back(check_name(host, "the " + question.role, look_up(host, timeout)));
    }
    const auto& tunnel_host = question.rathole.host();
    if (tunnel_host != host && is_name(tunnel_host)) {
        checks.push_back(check_name(tunnel_host, "the " + question.role + "'s tunnel server",
                                    look_up(tunnel_host, timeout)));
    }
    const auto finding = ask_health(question.url, timeout);
    checks.push_back(check_health(question.role, question.url, finding.health));
    checks.push_back(check_clock_against(question.url.text(), unix_now(), finding.date));
    checks.push_back(check_tunnel_port(question.role, question.rathole,
                                       ask_tunnel_port(question.rathole, timeout)));
    const auto key = ask_noise_key(question.url, question.pin, timeout);
    checks.push_back(
        check_key(question.role, question.url, key.judgement, key.cause, question.pin_file));
    checks.push_back(examine_token(question, timeout));
    return checks;
}

} // namespace losos
