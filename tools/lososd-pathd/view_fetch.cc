#include "view_fetch.h"

#include "edge_client.h"
#include "official.h"

#include "base/format.h"
#include "core/domains_api.h"
#include "files/public_names_file.h"
#include "files/relay_pass_file.h"
#include "io/clock.h"

#include <algorithm>
#include <utility>

namespace losos {

namespace {

constexpr Duration k_patience{5000};

std::string_view advise_on_view(ViewReply reply) {
    return reply == ViewReply::refused
               ? "; ask whoever runs the hub to list this box with its token"
               : "";
}

Result<HttpAnswer> ask_view(const ViewOrder& order, Duration left,
                            const std::atomic<bool>& abandoned) {
    const auto body = render_domains_call(
        {DomainsAction::list, order.box.text(), order.token.reveal(), std::string()});
    return tell_edge(order.hub, std::string(path_of(DomainsAction::list)), body, order.token,
                     std::max(left, Duration(1)), &abandoned);
}

/// The names outlive a power cut and the pass does not need to, so the pass is not kept waiting.
Result<Change> write_view(const ViewOrder& order, const BoxView& view) {
    TRY(view.pass ? relay_pass_file::store(order.pass_file, *view.pass)
                  : relay_pass_file::remove(order.pass_file));
    return public_names_file::store(order.public_names_file, view.live);
}

ViewOutcome take_answer(const ViewOrder& order, const HttpAnswer& answer) {
    const auto view = parse_box_view(answer.body);
    ViewOutcome outcome;
    outcome.reply = classify_view(answer.status, view);
    if (outcome.reply != ViewReply::shown) {
        const auto error =
            unwelcome_answer(order.hub, std::string(path_of(DomainsAction::list)), answer,
                             view ? "an edge says 200 there" : view.error().what);
        outcome.fault = error.what + std::string(advise_on_view(outcome.reply));
        return outcome;
    }
    outcome.fate = fate_of_pass(outcome.reply, view->pass);
    const auto written = write_view(order, *view);
    if (!written) {
        outcome.fault = written.error().what;
    } else if (*written == Change::changed) {
        outcome.news = view->live;
    }
    return outcome;
}

} // namespace

ViewOutcome fetch_view(const ViewOrder& order, const std::atomic<bool>& abandoned) {
    const auto deadline = monotonic_now() + k_patience;
    const auto finding = ask_identity(order.root, order.hub, k_patience, abandoned);
    if (finding.verdict != IdentityVerdict::official) {
        const auto reply =
            finding.verdict == IdentityVerdict::no_answer ? ViewReply::silent : ViewReply::unproven;
        return {reply, PassFate::kept,
                format("{} {}; it is not asked for the domains of this box", order.hub.text(),
                       explain(finding.verdict)),
                std::nullopt};
    }
    const auto answer = ask_view(order, deadline - monotonic_now(), abandoned);
    if (!answer) {
        return {ViewReply::silent, PassFate::kept, answer.error().what, std::nullopt};
    }
    return take_answer(order, *answer);
}

} // namespace losos
