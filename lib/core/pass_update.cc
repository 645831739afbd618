#include "core/pass_update.h"

#include <utility>

namespace losos {

PassUpdate read_pass_update(const Json& body) {
    const auto* field = body.find("relay_pass");
    if (field == nullptr) {
        return body.has("relay_pass") ? PassUpdate{PassUpdate::What::clear, std::nullopt}
                                      : PassUpdate{};
    }
    if (const auto text = field->text("relay_pass")) {
        if (auto pass = RelayPass::parse(*text)) {
            return {PassUpdate::What::set, *std::move(pass)};
        }
    }
    return {PassUpdate::What::clear, std::nullopt};
}

void write_pass_update(JsonWriter& json, const PassUpdate& update) {
    switch (update.what) {
    case PassUpdate::What::leave:
        return;
    // What has another shape clears, and this is the shortest of that kind.
    case PassUpdate::What::clear:
        json.text("relay_pass", "");
        return;
    case PassUpdate::What::set:
        json.text("relay_pass", update.pass->text());
        return;
    }
}

} // namespace losos
