#include "edge_calls.h"

#include "edge_client.h"

#include "core/heartbeat_api.h"
#include "core/register_api.h"

#include <utility>

namespace losos {

namespace {

constexpr Duration k_patience{5000};
constexpr int k_ok = 200;
constexpr int k_no_content = 204;

PassUpdate update_of(const std::optional<RelayPass>& pass) {
    return {pass ? PassUpdate::What::set : PassUpdate::What::leave, pass};
}

/// `is_right` tells whether a 2xx is an edge's: anything on the way may answer 200.
template <class IsRight>
CallOutcome post(const HttpUrl& edge, const std::string& path, const std::string& body,
                 const Token& token, IsRight is_right) {
    auto answer = tell_edge(edge, path, body, token, k_patience);
    if (!answer) {
        return {std::nullopt, std::move(answer).error()};
    }
    if (classify_status(answer->status) != AnswerKind::good) {
        return {answer->status, unwelcome_answer(edge, path, *answer)};
    }
    if (!is_right(*answer)) {
        return {std::nullopt, unwelcome_answer(edge, path, *answer)};
    }
    return {answer->status, std::nullopt};
}

bool has_no_content(const HttpAnswer& answer) {
    return answer.status == k_no_content;
}

} // namespace

CallOutcome announce(AnnounceCall call, const AnnounceOptions& options, const BoxInputs& inputs) {
    const auto& id = options.appliance_id->text();
    if (call == AnnounceCall::heartbeat) {
        return post(
            inputs.edge, "/heartbeat",
            render_heartbeat_call({id, inputs.token.reveal(), inputs.idle, update_of(inputs.pass)}),
            inputs.token, has_no_content);
    }
    return post(inputs.edge, "/register",
                render_register_call(
                    {id, inputs.token.reveal(), options.hostname->text(), update_of(inputs.pass)}),
                inputs.token, [](const HttpAnswer& answer) {
                    return answer.status == k_ok && parse_register_answer(answer.body).has_value();
                });
}

CallOutcome deregister(const HttpUrl& edge, const AnnounceOptions& options, const Token& token) {
    return post(edge, "/deregister",
                render_deregister_call({options.appliance_id->text(), token.reveal()}), token,
                has_no_content);
}

} // namespace losos
