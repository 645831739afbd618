// Noise keys: what an edge answers for one, and what a pin file holds.
#include "check.h"
#include "target.h"

#include "base/crypto.h"
#include "core/noise_pin.h"

namespace losos::fuzz {
namespace {

constexpr std::size_t k_key_bytes = 32;

void run(std::string_view input) {
    const auto key = check_text<NoiseKey>(input);
    const std::optional<EdgeAnswer> answer = EdgeAnswer{200, std::string(input)};
    const auto first = judge_noise_key(std::nullopt, answer, std::nullopt);
    FUZZ_CHECK((first.verdict == NoiseVerdict::pin_now) == key.has_value());
    if (key) {
        const auto bytes = base64_decode(key->text());
        FUZZ_CHECK(bytes && bytes->size() == k_key_bytes);
        FUZZ_CHECK(base64_encode(*bytes) == key->text());
        FUZZ_CHECK(judge_noise_key(*key, answer, std::nullopt).verdict == NoiseVerdict::same);
    }
}

const Known k_known({"noise-key", "Noise keys", k_line, "", run});

} // namespace
} // namespace losos::fuzz
