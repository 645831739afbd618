// What `losos-edge doctor` says: one check with its verdict, and a whole examination for people and
// as a JSON document. The rules themselves are in check_files.h and its sisters.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos {

/// What a machine is to the federation.
enum class Machine { hub, gateway, box };

std::string_view name_of(Machine machine);

/// `not_checked` is no success: the sentence says why nothing can be said.
enum class Verdict { ok, failed, not_checked };

struct Check {
    /// What was looked at.
    std::string what;
    Verdict verdict = Verdict::not_checked;
    /// What was found; for a failure also what to do.
    std::string says;
    friend bool operator==(const Check&, const Check&) = default;
};

Check check_ok(std::string what, std::string says);
Check check_failed(std::string what, std::string says);
Check check_not_made(std::string what, std::string why);

struct Examination {
    std::vector<Machine> machines;
    std::vector<Check> checks;

    std::size_t count(Verdict verdict) const;
    friend bool operator==(const Examination&, const Examination&) = default;
};

/// A line a check, and one that counts them.
std::string render_examination(const Examination& examination);
/// One JSON document.
std::string render_examination_json(const Examination& examination);

/// By what it can be told which machine this is.
struct MachineSigns {
    /// The targets that are active or enabled.
    bool hub_target = false;
    bool gateway_target = false;
    bool box_target = false;
    /// What programs of an edge, of a gateway and of a box leave behind.
    bool registrar_files = false;
    bool gateway_files = false;
    bool box_files = false;
};

/// The targets decide; where none does, the files. Nothing when neither says anything.
std::vector<Machine> tell_machines(const MachineSigns& signs);

} // namespace losos
