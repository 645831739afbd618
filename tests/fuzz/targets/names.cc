// DNS labels, DNS names and row ids.
#include "check.h"
#include "target.h"

#include "core/ascii.h"
#include "core/names.h"

namespace losos::fuzz {
namespace {

constexpr std::string_view k_label_characters = "abcdefghijklmnopqrstuvwxyz0123456789-";

bool is_label(std::string_view text) {
    return !text.empty() && text.size() <= 63 && text.front() != '-' && text.back() != '-' &&
           text.find_first_not_of(k_label_characters) == std::string_view::npos;
}

void check_name(std::string_view input) {
    const auto name = check_text<DnsName>(input);
    if (!name) {
        return;
    }
    FUZZ_CHECK(name->text() == fold_ascii_case(input) && name->text().size() <= 253);
    std::string_view rest = name->text();
    for (auto dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
        FUZZ_CHECK(is_label(rest.substr(0, dot)));
        rest.remove_prefix(dot + 1);
        FUZZ_CHECK(name->is_one_label_under(*DnsName::parse(rest)) ==
                   (rest.size() + dot + 1 == name->text().size()));
    }
    FUZZ_CHECK(is_label(rest));
}

void run(std::string_view input) {
    check_name(input);
    const auto label = check_text<DnsLabel>(input);
    FUZZ_CHECK(label.has_value() == is_label(input));
    if (const auto row = check_text<RowId>(input)) {
        const auto spoke = row->spoke();
        FUZZ_CHECK(spoke.has_value() == row->is_relayed());
        FUZZ_CHECK((spoke ? RowId::relayed(*spoke, row->box()) : RowId::direct(row->box())) ==
                   *row);
    }
}

const Known k_known({"names", "names", 512, "", run});

} // namespace
} // namespace losos::fuzz
