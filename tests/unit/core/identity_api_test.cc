#include "core/identity_api.h"

#include "base/format.h"

#include "unit/core/make_identity.h"

#include <set>

using namespace losos;
using namespace losos::make;

namespace {

const UnixTime k_now{1'799'000'000};

HttpUrl dialled(std::string_view text = "https://edge.losos.example") {
    return sound(HttpUrl::parse(text));
}

IdentityVerdict judge(const IdentityAnswer& answer, UnixTime now = k_now) {
    return judge_identity(root_key().public_key(), answer, dialled(), nonce(), now);
}

IdentityFinding find(const std::optional<EdgeAnswer>& answer) {
    return find_identity(root_key().public_key(), answer, dialled(), nonce(), k_now);
}

} // namespace

TEST_CASE("core/identity_api: an edge is official when all four rules hold") {
    CHECK(judge(identity_answer()) == IdentityVerdict::official);
    const auto other_spelling = sound(HttpUrl::parse("https://EDGE.losos.example:443/"));
    CHECK(judge_identity(root_key().public_key(), identity_answer(), other_spelling, nonce(),
                         k_now) == IdentityVerdict::official);
}

TEST_CASE("core/identity_api: without a root key nothing is official") {
    CHECK(judge_identity(std::nullopt, identity_answer(), dialled(), nonce(), k_now) ==
          IdentityVerdict::no_root_key);
    CHECK(find_identity(std::nullopt, std::nullopt, dialled(), nonce(), k_now).verdict ==
          IdentityVerdict::no_root_key);
}

TEST_CASE("core/identity_api: another root's certificate is not official") {
    auto answer = identity_answer();
    answer.certificate = certificate(edge_key());
    CHECK(judge(answer) == IdentityVerdict::not_signed_by_root);
}

TEST_CASE("core/identity_api: a certificate for another URL is not official") {
    for (const auto* url : {"http://edge.losos.example", "https://edge.losos.example:8443",
                            "https://other.losos.example", "https://192.0.2.1"}) {
        CHECK(judge_identity(root_key().public_key(), identity_answer(), dialled(url), nonce(),
                             k_now) == IdentityVerdict::other_url);
    }
}

TEST_CASE("core/identity_api: an expired certificate is not official") {
    CHECK(judge(identity_answer(), UnixTime(1'800'000'000)) == IdentityVerdict::official);
    CHECK(judge(identity_answer(), UnixTime(1'800'000'001)) == IdentityVerdict::expired);
}

TEST_CASE("core/identity_api: an answer to another nonce, or by another key, is not official") {
    CHECK(judge(identity_answer(nonce(std::string(32, 'f')))) == IdentityVerdict::nonce_not_signed);
    auto answer = identity_answer();
    answer.nonce_signature = sound(root_key().sign(nonce_text(nonce())));
    CHECK(judge(answer) == IdentityVerdict::nonce_not_signed);
}

TEST_CASE("core/identity_api: whatever an edge answers has one verdict") {
    const auto body = render_identity_answer(identity_answer());
    const auto official = find(EdgeAnswer{200, body});
    CHECK(official.verdict == IdentityVerdict::official);
    CHECK(official.certificate == certificate());
    CHECK(find(std::nullopt).verdict == IdentityVerdict::no_answer);
    CHECK(find(EdgeAnswer{503, body}).verdict == IdentityVerdict::no_answer);
    CHECK(find(EdgeAnswer{429, body}).verdict == IdentityVerdict::no_answer);
    CHECK(find(EdgeAnswer{404, body}).verdict == IdentityVerdict::no_identity);
    for (const int status : {201, 204, 301, 400, 401, 403}) {
        CHECK(find(EdgeAnswer{status, body}).verdict == IdentityVerdict::malformed);
    }
    CHECK(find(EdgeAnswer{200, "ok"}).verdict == IdentityVerdict::malformed);
    const auto other = find_identity(root_key().public_key(), EdgeAnswer{200, body},
                                     dialled("https://other.losos.example"), nonce(), k_now);
    CHECK(other.verdict == IdentityVerdict::other_url);
    CHECK_FALSE(other.certificate);
}

TEST_CASE("core/identity_api: each verdict is explained in words of its own") {
    std::set<std::string_view> sentences;
    for (int verdict = 0; verdict <= static_cast<int>(IdentityVerdict::nonce_not_signed);
         ++verdict) {
        sentences.insert(explain(static_cast<IdentityVerdict>(verdict)));
    }
    CHECK(sentences.size() == 9);
    CHECK(sentences.count("is official") == 1);
}

TEST_CASE("core/identity_api: what is rendered is read back the same") {
    const auto made = certificate();
    CHECK(sound(parse_identity_certificate(render_identity_certificate(made))) == made);
    const auto answer = identity_answer();
    CHECK(sound(parse_identity_answer(render_identity_answer(answer))) == answer);
    CHECK(identity_path(nonce()) == "/identity?nonce=00112233445566778899aabbccddeeff");
}

TEST_CASE("core/identity_api: a field that is missing, of another type or odd is named") {
    const std::string name = R"("name": "edge")";
    const std::string url = R"("url": "https://edge.losos.example")";
    const std::string key = format(R"("public_key": "{}")", k_edge_public);
    const std::string until = R"("not_after": 1800000000)";
    const std::string signature = format(R"("signature": "{}")", std::string(128, 'a'));
    const auto object = [](const std::vector<std::string>& fields) {
        std::string text = "{";
        for (const auto& field : fields) {
            text += (text.size() == 1 ? "" : ", ") + field;
        }
        return text + "}";
    };
    CHECK(parse_identity_certificate(object({name, url, key, until, signature, R"("more": [1])"})));

    const struct {
        std::string text;
        const char* field;
    } cases[] = {
        {object({url, key, until, signature}), "name"},
        {object({name, key, until, signature}), "url"},
        {object({name, url, until, signature}), "public_key"},
        {object({name, url, key, signature}), "not_after"},
        {object({name, url, key, until}), "signature"},
        {object({R"("name": 7)", url, key, until, signature}), "name"},
        {object({R"("name": "a\nb")", url, key, until, signature}), "name"},
        {object({name, R"("url": "https://edge.losos.example\nx")", key, until, signature}), "url"},
        {object({name, url, R"("public_key": "abc")", until, signature}), "public_key"},
        {object({name, url, key, R"("not_after": "1800000000")", signature}), "not_after"},
        {object({name, url, key, R"("not_after": -1)", signature}), "not_after"},
        {object({name, url, key, R"("not_after": 1.5)", signature}), "not_after"},
        {object({name, url, key, R"("not_after": 9007199254740992)", signature}), "not_after"},
        {object({name, url, key, until, R"("signature": "a")"}), "signature"},
    };
    for (const auto& each : cases) {
        INFO(each.text);
        const auto parsed = parse_identity_certificate(each.text);
        REQUIRE_FALSE(parsed);
        CHECK(parsed.error().what.find(each.field) != std::string::npos);
        CHECK(parsed.error().what.find('\n') == std::string::npos);
    }
    const auto twice = object({name, url, key, until, signature, name});
    CHECK_FALSE(parse_identity_certificate(twice));
}

TEST_CASE("core/identity_api: an answer is a certificate and a signature") {
    const auto sound_text = render_identity_answer(identity_answer());
    for (const std::string& body :
         {std::string(), std::string("[]"), std::string("{}"), std::string(R"({"cert": null})"),
          std::string(R"({"cert": []})"), std::string(R"({"cert": {}, "nonce_signature": ""})"),
          render_identity_certificate(certificate()),
          sound_text.substr(0, sound_text.size() - 2)}) {
        INFO(body);
        CHECK_FALSE(parse_identity_answer(body));
    }
}
