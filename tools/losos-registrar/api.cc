#include "api.h"

#include "base/log.h"
#include "identity_routes.h"
#include "io/clock.h"
#include "io/time_zones.h"
#include "replies.h"

#include <type_traits>

namespace losos {

namespace {

HttpReply bad_request(const Error& error) {
    return text_reply(400, error.what);
}

HttpReply answer_heartbeat(const ApiContext& context, const HttpRequest& request) {
    const auto call = parse_heartbeat_call(request.body);
    if (!call) {
        return bad_request(call.error());
    }
    const auto table = context.published.callers.copy();
    const auto caller = table->find(call->appliance_id, call->token);
    switch (caller.verdict) {
    case CallerVerdict::rejected:
        return reply_unauthorized();
    case CallerVerdict::unknown:
        return context.enrolment_open ? text_reply(404, "not registered here; register again")
                                      : reply_unauthorized();
    case CallerVerdict::accepted:
        break;
    }
    if (!caller.presence) {
        return text_reply(404, "not registered here; register again");
    }
    const auto now = monotonic_now();
    caller.presence->heard(now);
    const bool passes_changed = caller.presence->update_pass(call->relay_pass);
    const bool idleness_changed = caller.presence->update_idle(call->idle, now);
    if (passes_changed || (idleness_changed && caller.is_member)) {
        context.news();
    }
    return HttpReply{204, {}, {}};
}

/// What this edge does not offer is said only to those it knows: 401 goes before 503.
HttpReply answer_not_offered(const ApiContext& context, const HttpRequest& request,
                             const char* sentence) {
    const auto call = parse_deregister_call(request.body);
    if (!call) {
        return bad_request(call.error());
    }
    const auto table = context.published.callers.copy();
    if (table->find(call->appliance_id, call->token).verdict != CallerVerdict::accepted) {
        return reply_unauthorized();
    }
    return text_reply(503, sentence);
}

/// Parses a call and leaves the decision to the reconciler. Who proves nothing is turned away here,
/// before the call costs the reconciler anything; a known id must not be told by its quicker
/// answer.
template <class Parse>
HttpReply hand_over(const ApiContext& context, const HttpRequest& request, Parse parse) {
    auto call = parse(request.body);
    if (!call) {
        return bad_request(call.error());
    }
    using Call = std::decay_t<decltype(*call)>;
    const bool may_enrol = std::is_same_v<Call, RegisterCall> && context.enrolment_open;
    const auto table = context.published.callers.copy();
    const auto verdict = table->find(call->appliance_id, call->token).verdict;
    if (verdict == CallerVerdict::rejected || (verdict == CallerVerdict::unknown && !may_enrol)) {
        return reply_unauthorized();
    }
    return context.inbox.decide(*std::move(call), request.deadline);
}

HttpReply answer_domains(const ApiContext& context, DomainsAction action,
                         const HttpRequest& request) {
    if (!context.has_domains) {
        return answer_not_offered(context, request, "this edge does not offer custom domains");
    }
    return hand_over(context, request,
                     [action](std::string_view body) { return parse_domains_call(action, body); });
}

/// The reconciler records the window last, and only then the caller gets its token.
HttpReply answer_join(const ApiContext& context, const HttpRequest& request) {
    if (!context.mesh.is_open()) {
        return answer_not_offered(context, request, "this edge does not offer a mesh");
    }
    auto call = parse_cluster_join_call(request.body);
    if (!call) {
        return bad_request(call.error());
    }
    const auto table = context.published.callers.copy();
    const auto caller = table->find(call->appliance_id, call->token);
    if (caller.verdict != CallerVerdict::accepted) {
        return reply_unauthorized();
    }
    if (!is_known_zone(call->window.tz)) {
        return text_reply(400, "field \"window_tz\" names a time zone that nobody knows here");
    }
    if (!caller.is_member) {
        return reply_to_join(JoinOutcome::no_member);
    }
    if (call->node_name != call->appliance_id) {
        return reply_to_join(JoinOutcome::another_node);
    }
    const auto node = *DnsLabel::parse(call->appliance_id);
    const auto token = context.mesh.enter(node, request.deadline);
    if (!token) {
        return text_reply(503, token.error().what);
    }
    auto recorded = context.inbox.decide(*std::move(call), request.deadline);
    if (recorded.status >= 300) {
        return recorded;
    }
    log(LogLevel::notice, "{} joins the mesh", node.text());
    return json_reply(200, render_cluster_join_answer(
                               {context.mesh.server_addr(), token->reveal(), node.text()}));
}

} // namespace

void add_routes(HttpServer& server, const ApiContext& context) {
    server.route("GET", "/health", [](const HttpRequest&) {
        return HttpReply{200, "ok", "text/plain"};
    });
    server.route("GET", "/noise-public-key", [&context](const HttpRequest&) {
        const auto key = context.published.noise_public_key.copy();
        return key ? HttpReply{200, key->text(), "text/plain"}
                   : text_reply(404, "this edge's tunnels use no Noise key");
    });
    server.route("POST", "/heartbeat", [&context](const HttpRequest& request) {
        return answer_heartbeat(context, request);
    });
    server.route("POST", "/register", [&context](const HttpRequest& request) {
        return hand_over(context, request, parse_register_call);
    });
    server.route("POST", "/relay", [&context](const HttpRequest& request) {
        return hand_over(context, request, parse_relay_call);
    });
    for (const auto action : {DomainsAction::list, DomainsAction::add, DomainsAction::remove}) {
        server.route("POST", std::string(path_of(action)),
                     [&context, action](const HttpRequest& request) {
                         return answer_domains(context, action, request);
                     });
    }
    server.route("POST", "/cluster/join",
                 [&context](const HttpRequest& request) { return answer_join(context, request); });
    add_identity_routes(server, context.published);
    for (const auto* path : {"/deregister", "/unregister"}) {
        server.route("POST", path, [&context](const HttpRequest& request) {
            return hand_over(context, request, parse_deregister_call);
        });
    }
}

} // namespace losos
