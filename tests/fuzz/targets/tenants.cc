// The operator's tenants.json. Nothing of ours renders it, so it is written here.
#include "check.h"
#include "target.h"

#include "base/json_writer.h"
#include "files/tenants_file.h"

#include <set>

namespace losos::fuzz {
namespace {

std::string render(const TenantList& list) {
    JsonWriter json(JsonWriter::Style::compact);
    json.begin_object();
    for (const ListedTenant& tenant : list.tenants) {
        json.key(tenant.id.text()).begin_object();
        json.text("hostname", tenant.hostname.text());
        json.text("token_file", tenant.token_file);
        json.boolean("cluster", tenant.cluster);
        json.boolean("market", tenant.market);
        json.text("relay_zone", tenant.relay_zone ? tenant.relay_zone->text() : "");
        json.end_object();
    }
    json.end_object();
    return std::move(json).finish();
}

void run(std::string_view input) {
    const auto list = check_codec(input, tenants_file::parse, render);
    if (!list) {
        return;
    }
    FUZZ_CHECK(tenants_file::parse(render(*list))->faulty.empty());
    std::set<DnsLabel> ids;
    for (const ListedTenant& tenant : list->tenants) {
        FUZZ_CHECK(ids.insert(tenant.id).second && !tenant.token_file.empty());
    }
    for (const FaultyTenant& tenant : list->faulty) {
        check_sentence(tenant.fault);
    }
}

const Known k_known({"tenants", "tenants.json", k_file, "tenants/*.json", run});

} // namespace
} // namespace losos::fuzz
