// What an edge answers to /register.
#include "check.h"
#include "target.h"

#include "core/register_api.h"

namespace losos::fuzz {
namespace {

void run(std::string_view input) {
    (void)check_codec(input, parse_register_answer, render_register_answer);
}

const Known k_known({"register-answer", "answers to /register", k_line, "register/answer.json",
                     run});

} // namespace
} // namespace losos::fuzz
