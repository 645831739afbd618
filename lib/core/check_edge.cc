#include "core/check_edge.h"

#include "base/append.h"
#include "base/format.h"

namespace losos {

namespace {

constexpr int k_unauthorized = 401;
constexpr int k_not_found = 404;
// What Traefik says where no router matches.
constexpr std::string_view k_no_router = "404 page not found\n";

std::string quoted(const EdgeAnswer& answer) {
    const auto said = quote_answer(answer.body);
    return format("{}{}{}", answer.status, said.empty() ? "" : ": ", said);
}

std::string list_of(const std::vector<std::string>& words) {
    std::string list;
    for (const auto& word : words) {
        append_item(list, word);
    }
    return list;
}

} // namespace

Check check_health(std::string_view role, const HttpUrl& url, const EdgeFacts& health) {
    auto what = format("{} {}", role, url.text());
    if (!health.answer) {
        return check_failed(
            std::move(what),
            format("{}; see that it runs and that this machine reaches it", health.fault));
    }
    if (!is_healthy(*health.answer)) {
        return check_failed(std::move(what),
                            format("it answers /health with {}, but not as an edge does; check "
                                   "the URL",
                                   quoted(*health.answer)));
    }
    return check_ok(std::move(what), "it answers");
}

Check check_tunnel_port(std::string_view role, const Endpoint& rathole, std::string_view fault) {
    auto what = format("{} tunnels {}", role, rathole.text());
    if (!fault.empty()) {
        return check_failed(std::move(what),
                            format("it takes no connection: {}; the {}'s port {} must be open, "
                                   "and losos-rathole must run there",
                                   fault, role, rathole.port().text()));
    }
    return check_ok(std::move(what), "it takes connections");
}

Check check_key(std::string_view role, const HttpUrl& url, const NoiseJudgement& judgement,
                std::string_view cause, std::string_view pin_file) {
    auto what = format("{} key", role);
    switch (judgement.verdict) {
    case NoiseVerdict::same:
        return check_ok(std::move(what), "the pinned one");
    case NoiseVerdict::plain:
        return check_ok(std::move(what), "none, and none is pinned: tunnels are not encrypted");
    case NoiseVerdict::pin_now:
        return check_not_made(std::move(what), "it is not pinned yet; the first contact does that");
    case NoiseVerdict::changed:
        return check_failed(std::move(what),
                            format("{} has another key than the one in {}, so no tunnel is made; "
                                   "ask its operator, and only if that was meant remove the file",
                                   url.text(), pin_file));
    case NoiseVerdict::no_answer:
        break;
    }
    return check_not_made(std::move(what), std::string(cause));
}

Check check_token(std::string_view role, const HttpUrl& url, std::string_view id,
                  const EdgeFacts& heartbeat, std::string_view token_file) {
    auto what = format("{} token", role);
    if (!heartbeat.answer) {
        return check_not_made(std::move(what), heartbeat.fault);
    }
    const auto& answer = *heartbeat.answer;
    if (answer.status == k_unauthorized) {
        return check_failed(std::move(what),
                            format("{} does not take the token in {} for {}; its operator must "
                                   "list that id with this very token",
                                   url.text(), token_file, id));
    }
    // Known and not registered: the token was looked at first.
    if (classify_status(answer.status) == AnswerKind::good || answer.status == k_not_found) {
        return check_ok(std::move(what), format("taken for {}", id));
    }
    return check_not_made(std::move(what), format("{} answered {}", url.text(), quoted(answer)));
}

Check check_route(const std::string& hostname, const LocalAnswer& answer, std::string_view file,
                  const std::vector<std::string>& strangers) {
    auto what = format("route {}", hostname);
    switch (answer.kind) {
    case LocalAnswer::Kind::refused:
        return check_failed(std::move(what), "nobody takes visitors' connections; see \"systemctl "
                                             "status losos-traefik\"");
    case LocalAnswer::Kind::hung_up:
        return check_failed(std::move(what), "who listens for visitors hangs up: it is not "
                                             "Traefik, or does no TLS; see \"journalctl -u "
                                             "losos-traefik\"");
    case LocalAnswer::Kind::silent:
        return check_failed(std::move(what), "no answer in time; see the line of its tunnel, and "
                                             "\"journalctl -u losos-traefik\"");
    case LocalAnswer::Kind::answered:
        break;
    }
    if (answer.status != k_not_found || answer.body != k_no_router) {
        return check_ok(std::move(what), format("Traefik has it ({})", answer.status));
    }
    return check_failed(
        std::move(what),
        format("Traefik does not know it, so it has not taken {}{}{}; \"journalctl -u "
               "losos-traefik\" names the file at fault",
               file,
               strangers.empty() ? ""
                                 : ": one file it cannot read spoils all in that directory, "
                                   "where there are also ",
               list_of(strangers)));
}

Check check_tunnel(const TunnelFacts& tunnel) {
    auto what = format("tunnel {}", tunnel.id);
    const bool is_box = tunnel.end == TunnelEnd::box;
    switch (tunnel.answer.kind) {
    case LocalAnswer::Kind::answered:
        return check_ok(std::move(what),
                        format("port {} answers ({})", tunnel.port, tunnel.answer.status));
    case LocalAnswer::Kind::refused:
        return check_failed(std::move(what),
                            format("nothing is connected to port {}; {}", tunnel.port,
                                   is_box ? "on the box type \"losos-edge doctor\", and see "
                                            "losos-rathole-client there"
                                          : "on its gateway type \"losos-edge doctor\", and see "
                                            "losos-rathole-uplink there"));
    case LocalAnswer::Kind::hung_up:
        return check_failed(
            std::move(what),
            format("it is up, but {}", is_box ? "the box's web server does not answer; see what "
                                                "listens on port 80 there"
                                              : "behind it nobody answers: the box's own tunnel or "
                                                "its web server; on the gateway type \"losos-edge "
                                                "doctor\""));
    case LocalAnswer::Kind::silent:
        break;
    }
    return check_failed(std::move(what),
                        "no answer came through it in time; the box or the way to it hangs");
}

Check check_web_server(const LocalAnswer& answer) {
    const std::string what = "web server";
    switch (answer.kind) {
    case LocalAnswer::Kind::answered:
        return check_ok(what, format("port 80 answers ({})", answer.status));
    case LocalAnswer::Kind::refused:
        return check_failed(what, "nobody listens on port 80 of this box, so visitors meet "
                                  "nothing; start its web server");
    case LocalAnswer::Kind::hung_up:
        return check_failed(what, "who listens on port 80 of this box does not speak HTTP");
    case LocalAnswer::Kind::silent:
        break;
    }
    return check_failed(what, "port 80 of this box gives no answer in time; restart its web "
                              "server");
}

Check check_advert(std::string_view file, std::string_view url, const AdvertFacts& facts) {
    const std::string what = "advert";
    if (!facts.has_file) {
        return check_failed(what, format("{} is missing, so no box finds this gateway; the "
                                         "registrar writes it when it starts: type \"systemctl "
                                         "restart losos-registrar\"",
                                         file));
    }
    if (!facts.has_avahi) {
        return check_failed(what, "Avahi does not answer, so no box finds this gateway; type "
                                  "\"systemctl start avahi-daemon\"");
    }
    if (facts.is_seen) {
        return check_ok(what, format("the LAN is told of {}", url));
    }
    if (!facts.is_searched) {
        return check_not_made(what, "Avahi has not finished its search in time");
    }
    return check_failed(what, format("Avahi does not tell the LAN of {}; see \"journalctl -u "
                                     "avahi-daemon\" for what it has against {}",
                                     url, file));
}

} // namespace losos
