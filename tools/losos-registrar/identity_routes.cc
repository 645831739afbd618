#include "identity_routes.h"

#include "core/identity_api.h"

#include <utility>

namespace losos {

namespace {

HttpReply no_identity() {
    return text_reply(404, "this edge has no identity");
}

HttpReply answer_identity(const Published& published, const HttpRequest& request) {
    const auto identity = published.identity.copy();
    if (!identity || !identity->certificate) {
        return no_identity();
    }
    const auto nonce = IdentityNonce::parse(request.query("nonce"));
    if (!nonce) {
        return text_reply(400, "query parameter \"nonce\": " + nonce.error().what);
    }
    auto signature = identity->key.sign(nonce_text(*nonce));
    if (!signature) {
        return text_reply(500, "internal fault");
    }
    return json_reply(200, render_identity_answer({*identity->certificate, *std::move(signature)}));
}

} // namespace

void add_identity_routes(HttpServer& server, const Published& published) {
    server.route("GET", "/identity", [&published](const HttpRequest& request) {
        return answer_identity(published, request);
    });
    server.route("GET", "/identity/public-key", [&published](const HttpRequest&) {
        const auto identity = published.identity.copy();
        return identity ? HttpReply{200, identity->key.public_key().text(), "text/plain"}
                        : no_identity();
    });
}

} // namespace losos
