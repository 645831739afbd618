#include "edge_calls.h"

#include "edge_client.h"

#include "core/heartbeat_api.h"
#include "core/register_api.h"

#include <utility>

namespace losos {

namespace {

constexpr Duration k_patience{5000};
/// For a question that may stay unanswered.
constexpr Duration k_little_patience{2000};
constexpr int k_ok = 200;
constexpr int k_no_content = 204;

PassUpdate update_of(const std::optional<RelayPass>& pass) {
    return {pass ? PassUpdate::What::set : PassUpdate::What::leave, pass};
}

/// What to do about a refusal, to follow the edge's own words.
std::string_view advice_for(int status) {
    switch (status) {
    case 401:
        return "; ask whoever runs the edge to list this box with its token, or, where boxes "
               "enrol, to forget it (losos-edge forget) so that it enrols anew";
    case 403:
        return "; give --hostname as the edge lists it for this box, or ask whoever runs the edge "
               "to change it there";
    case 409:
        return "; choose another --hostname, or ask whoever runs the edge which box holds this one";
    default:
        return "";
    }
}

/// `fault_of` says what makes a 2xx none of an edge's, and nothing else: anything on the way may
/// answer 200.
template <class FaultOf>
CallOutcome post(const HttpUrl& edge, const std::string& path, const std::string& body,
                 const Token& token, FaultOf fault_of) {
    auto answer = tell_edge(edge, path, body, token, k_patience);
    if (!answer) {
        return {std::nullopt, std::move(answer).error()};
    }
    if (classify_status(answer->status) != AnswerKind::good) {
        auto error = unwelcome_answer(edge, path, *answer);
        error.what += advice_for(answer->status);
        return {answer->status, std::move(error)};
    }
    if (const std::string fault = fault_of(*answer); !fault.empty()) {
        return {std::nullopt, unwelcome_answer(edge, path, *answer, fault)};
    }
    return {answer->status, std::nullopt};
}

std::string fault_of_done(const HttpAnswer& answer) {
    return answer.status == k_no_content ? "" : "an edge says 204 there";
}

std::string fault_of_registered(const HttpAnswer& answer) {
    if (answer.status != k_ok) {
        return "an edge says 200 there";
    }
    const auto registered = parse_register_answer(answer.body);
    return registered ? "" : registered.error().what;
}

} // namespace

CallOutcome announce(AnnounceCall call, const AnnounceOptions& options, const BoxInputs& inputs) {
    const auto& id = options.appliance_id->text();
    if (call == AnnounceCall::heartbeat) {
        return post(
            inputs.edge, "/heartbeat",
            render_heartbeat_call({id, inputs.token.reveal(), inputs.idle, update_of(inputs.pass)}),
            inputs.token, fault_of_done);
    }
    return post(inputs.edge, "/register",
                render_register_call(
                    {id, inputs.token.reveal(), options.hostname->text(), update_of(inputs.pass)}),
                inputs.token, fault_of_registered);
}

CallOutcome deregister(const HttpUrl& edge, const AnnounceOptions& options, const Token& token) {
    return post(edge, "/deregister",
                render_deregister_call({options.appliance_id->text(), token.reveal()}), token,
                fault_of_done);
}

Result<std::optional<NoiseKey>> ask_who_it_is(const HttpUrl& edge) {
    TRY_ASSIGN(const auto answer, ask_edge(edge, "/noise-public-key", k_little_patience));
    const auto key = NoiseKey::parse(answer.status == k_ok ? answer.body : "");
    return key ? std::optional(*key) : std::nullopt;
}

} // namespace losos
