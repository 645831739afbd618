#include "core/domain_proof.h"

#include "base/crypto.h"
#include "base/hex.h"

namespace losos {
namespace {

constexpr std::size_t k_label_bytes = 8;
constexpr std::size_t k_proof_bytes = 16;

std::string digest_start(const std::string& text, std::size_t bytes) {
    return hex_encode(std::string_view(sha256_of(text)).substr(0, bytes));
}

} // namespace

DnsLabel zone_label_of(const BoxUuid& uuid) {
    return DnsLabel::parse(digest_start("losos-box-dns-v1\n" + uuid.text() + "\n", k_label_bytes))
        .value();
}

Result<DnsName> zone_name_of(const BoxUuid& uuid, const DnsName& zone) {
    return DnsName::parse(zone_label_of(uuid).text() + "." + zone.text());
}

std::string proof_name_of(const CustomDomain& domain) {
    return std::string(k_challenge_prefix) + domain.text();
}

std::string proof_text_of(const CustomDomain& domain, const Voucher& voucher) {
    return "losos-domain-v1=" +
           digest_start("losos-domain-v1\n" + domain.text() + "\n" + voucher.box_uuid.text() +
                            "\n" + voucher.account_id.text() + "\n",
                        k_proof_bytes);
}

} // namespace losos
