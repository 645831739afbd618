#include "replies.h"

namespace losos {

namespace {

HttpReply reply_to_refusal(RegisterRefusal refusal) {
    switch (refusal) {
    case RegisterRefusal::unauthorized:
        return reply_unauthorized();
    case RegisterRefusal::odd_id:
        return text_reply(400, "field \"appliance_id\" must be a DNS label in lower case");
    case RegisterRefusal::odd_token:
        return text_reply(400, "field \"token\" must be at least 32 characters without a control "
                               "character");
    case RegisterRefusal::odd_hostname:
        return text_reply(400, "field \"hostname\" must be a DNS name");
    case RegisterRefusal::hostname_fixed:
        return text_reply(403, "the operator of this edge gave this id another hostname");
    case RegisterRefusal::hostname_held:
        return text_reply(409, "the hostname is taken; choose another");
    case RegisterRefusal::enrolment_full:
        return text_reply(503, "no further box can enrol here");
    case RegisterRefusal::no_port:
        return text_reply(503, "no port is free");
    }
    return text_reply(500, "internal fault");
}

} // namespace

HttpReply reply_unauthorized() {
    return text_reply(401, "unknown id or wrong token");
}

HttpReply reply_to_register(const RegisterOutcome& outcome) {
    if (const auto* port = std::get_if<Port>(&outcome)) {
        return json_reply(200, render_register_answer(*port));
    }
    return reply_to_refusal(std::get<RegisterRefusal>(outcome));
}

HttpReply reply_to_deregister(DeregisterOutcome outcome) {
    switch (outcome) {
    case DeregisterOutcome::done:
        return HttpReply{204, {}, {}};
    case DeregisterOutcome::unauthorized:
        return reply_unauthorized();
    }
    return text_reply(500, "internal fault");
}

HttpReply reply_to_join(JoinOutcome outcome) {
    switch (outcome) {
    case JoinOutcome::done:
        return HttpReply{204, {}, {}};
    case JoinOutcome::unauthorized:
        return reply_unauthorized();
    case JoinOutcome::no_member:
        return text_reply(403, "the operator of this edge did not make this id a member of the "
                               "mesh");
    case JoinOutcome::another_node:
        return text_reply(403, "field \"node_name\" must be the caller's own id");
    }
    return text_reply(500, "internal fault");
}

HttpReply reply_to_relay(const RelayOutcome& outcome) {
    if (const auto* decision = std::get_if<RelayDecision>(&outcome)) {
        return json_reply(200, render_relay_answer(decision->answer));
    }
    switch (std::get<RelayRefusal>(outcome)) {
    case RelayRefusal::unauthorized:
        return reply_unauthorized();
    case RelayRefusal::no_relay_zone:
        return text_reply(403,
                          "this id has no relay zone: the operator of this edge did not make it "
                          "a gateway");
    }
    return text_reply(500, "internal fault");
}

} // namespace losos
