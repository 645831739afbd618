#include "core/doctor.h"

#include "base/format.h"
#include "base/json_writer.h"

#include <algorithm>
#include <utility>

namespace losos {

namespace {

// As wide as the longest of them, so that the lines stand in a column.
std::string_view mark_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::ok:
        return "ok         ";
    case Verdict::failed:
        return "failed     ";
    case Verdict::not_checked:
        break;
    }
    return "not checked";
}

std::string_view word_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::ok:
        return "ok";
    case Verdict::failed:
        return "failed";
    case Verdict::not_checked:
        break;
    }
    return "not_checked";
}

} // namespace

std::string_view name_of(Machine machine) {
    switch (machine) {
    case Machine::hub:
        return "hub";
    case Machine::gateway:
        return "gateway";
    case Machine::box:
        break;
    }
    return "box";
}

Check check_ok(std::string what, std::string says) {
    return {std::move(what), Verdict::ok, std::move(says)};
}

Check check_failed(std::string what, std::string says) {
    return {std::move(what), Verdict::failed, std::move(says)};
}

Check check_not_made(std::string what, std::string why) {
    return {std::move(what), Verdict::not_checked, std::move(why)};
}

std::size_t Examination::count(Verdict verdict) const {
    return static_cast<std::size_t>(
        std::count_if(checks.begin(), checks.end(),
                      [verdict](const Check& check) { return check.verdict == verdict; }));
}

std::string render_examination(const Examination& examination) {
    std::string text;
    for (const Check& check : examination.checks) {
        text += format("{}  {}: {}\n", mark_of(check.verdict), check.what, check.says);
    }
    text += format("{} checks: {} ok, {} failed, {} not checked\n", examination.checks.size(),
                   examination.count(Verdict::ok), examination.count(Verdict::failed),
                   examination.count(Verdict::not_checked));
    return text;
}

std::string render_examination_json(const Examination& examination) {
    JsonWriter json(JsonWriter::Style::indented);
    json.begin_object().key("machines").begin_array();
    for (const Machine machine : examination.machines) {
        json.text(name_of(machine));
    }
    json.end_array().key("checks").begin_array();
    for (const Check& check : examination.checks) {
        json.begin_object().text("what", check.what).text("verdict", word_of(check.verdict));
        json.text("says", check.says).end_object();
    }
    json.end_array();
    for (const Verdict verdict : {Verdict::ok, Verdict::failed, Verdict::not_checked}) {
        json.whole(word_of(verdict), static_cast<std::int64_t>(examination.count(verdict)));
    }
    json.end_object();
    return std::move(json).finish();
}

std::vector<Machine> tell_machines(const MachineSigns& signs) {
    std::vector<Machine> machines;
    const bool is_told = signs.hub_target || signs.gateway_target || signs.box_target;
    const bool gateway = is_told ? signs.gateway_target : signs.gateway_files;
    const bool hub = is_told ? signs.hub_target : signs.registrar_files && !signs.gateway_files;
    if (hub) {
        machines.push_back(Machine::hub);
    }
    if (gateway) {
        machines.push_back(Machine::gateway);
    }
    if (is_told ? signs.box_target : signs.box_files) {
        machines.push_back(Machine::box);
    }
    return machines;
}

} // namespace losos
