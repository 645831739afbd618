// The asking side of an edge's HTTP API, as far as several tools share it.
#pragma once

#include "core/network.h"
#include "core/noise_pin.h"
#include "io/http_client.h"

#include <atomic>
#include <optional>
#include <string>
#include <string_view>

namespace losos {

/// GET of a path of the edge's API. Fails with Errc::no_answer, soon where `abandoned` turns true.
Result<HttpAnswer> ask_edge(const HttpUrl& edge, const std::string& path, Duration timeout,
                            const std::atomic<bool>* abandoned = nullptr);

/// POST of a JSON body that holds `token`. Fails like ask_edge. A refusal that sends the token back
/// comes without it, for what an edge says ends up in messages.
Result<HttpAnswer> tell_edge(const HttpUrl& edge, const std::string& path, const std::string& body,
                             const Token& token, Duration timeout,
                             const std::atomic<bool>* abandoned = nullptr);

/// The error of an answer that was not the one hoped for: its exit code, and a sentence with what
/// the edge said. `fault` says what is wrong with a 2xx.
Error unwelcome_answer(const HttpUrl& edge, const std::string& path, const HttpAnswer& answer,
                       std::string_view fault = "");

/// What asking for an edge's Noise key came to.
struct NoiseFinding {
    NoiseJudgement judgement;
    /// Why nothing can be said; empty unless the verdict is no_answer.
    std::string cause;
};

/// Asks for the key and, where the rule needs it, for the edge's health.
NoiseFinding ask_noise_key(const HttpUrl& edge, const std::optional<NoiseKey>& pin,
                           Duration timeout);

/// A duration flag's value; fails beyond ten minutes: nobody waits longer for an answer.
Result<Duration> parse_timeout(std::string_view text);

} // namespace losos
