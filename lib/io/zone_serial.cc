#include "io/zone_serial.h"

#include "base/format.h"

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netinet/in.h>
#include <resolv.h>

#include <algorithm>
#include <array>
#include <memory>

namespace losos {

namespace {

constexpr std::uint16_t k_dns_port = 53;
// A SOA's data ends with five numbers, the serial first.
constexpr std::size_t k_numbers = std::size_t{5} * NS_INT32SZ;

using Answer = std::array<unsigned char, NS_MAXMSG>;

struct CloseResolver {
    void operator()(res_state resolver) const { res_nclose(resolver); }
};

Error no_answer(const std::string& server, const std::string& zone) {
    return Error{Errc::no_answer, format("{} does not answer for {}", server, zone)};
}

/// Fails with `otherwise` where there is none, or where it is somebody else's word.
Result<std::uint32_t> read_serial(const Answer& answer, int length, const Error& otherwise) {
    ns_msg message;
    if (ns_initparse(answer.data(), length, &message) != 0 ||
        ns_msg_getflag(message, ns_f_aa) == 0) {
        return otherwise;
    }
    for (int i = 0; i < ns_msg_count(message, ns_s_an); ++i) {
        ns_rr record;
        if (ns_parserr(&message, ns_s_an, i, &record) != 0) {
            return otherwise;
        }
        if (ns_rr_type(record) == ns_t_soa && ns_rr_rdlen(record) > k_numbers) {
            return static_cast<std::uint32_t>(
                ns_get32(ns_rr_rdata(record) + ns_rr_rdlen(record) - k_numbers));
        }
    }
    return otherwise;
}

} // namespace

Result<std::uint32_t> ask_zone_serial(const std::string& server, const std::string& zone,
                                      Duration timeout) {
    struct __res_state resolver {};
    if (res_ninit(&resolver) != 0) {
        return fail(Errc::failed, "the resolver cannot be set up");
    }
    const std::unique_ptr<struct __res_state, CloseResolver> closed_at_the_end(&resolver);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(k_dns_port);
    if (inet_pton(AF_INET, server.c_str(), &address.sin_addr) != 1) {
        return fail(Errc::failed, "{} is no IPv4 address", server);
    }
    resolver.nsaddr_list[0] = address;
    resolver.nscount = 1;
    resolver.retry = 1;
    resolver.retrans = static_cast<int>(
        std::max<long long>(1, std::chrono::ceil<std::chrono::seconds>(timeout).count()));
    resolver.options &= ~static_cast<unsigned long>(RES_RECURSE);
    const auto answer = std::make_unique<Answer>();
    const int length = res_nquery(&resolver, zone.c_str(), ns_c_in, ns_t_soa, answer->data(),
                                  static_cast<int>(answer->size()));
    const auto silence = no_answer(server, zone);
    return length > 0 ? read_serial(*answer, length, silence) : silence;
}

} // namespace losos
