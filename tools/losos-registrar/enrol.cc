#include "enrol.h"

#include "base/file_facts.h"
#include "base/log.h"
#include "files/enrolled_dir.h"

#include <iostream>

namespace losos {

namespace {

constexpr std::string_view k_whose = "--dir is the --enrol-dir of the registrar";

} // namespace

Result<void> enrol_list(const std::string& directory) {
    TRY(check_directory(directory, k_whose));
    TRY_ASSIGN(const auto loaded, enrolled_dir::load(directory));
    for (const auto& enrolled : loaded.tenants) {
        std::cout << enrolled.tenant.id.text() << ' ' << enrolled.tenant.hostname.text() << '\n';
    }
    for (const auto& fault : loaded.faults) {
        log(LogLevel::warning, "{}", fault);
    }
    return {};
}

Result<void> enrol_forget(const std::string& directory, const DnsLabel& id) {
    TRY(check_directory(directory, k_whose));
    TRY_ASSIGN(const auto outcome, enrolled_dir::forget(directory, id));
    switch (outcome) {
    case enrolled_dir::Forgotten::forgotten:
        return {};
    case enrolled_dir::Forgotten::unknown:
        return fail(Errc::failed,
                    "no box {} is enrolled in {}; losos-registrar enrol list shows "
                    "those that are",
                    id.text(), directory);
    }
    return {};
}

} // namespace losos
