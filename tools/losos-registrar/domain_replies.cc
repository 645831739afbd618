#include "domain_replies.h"

namespace losos {

HttpReply reply_to_refused_addition(const AdditionOutcome& outcome) {
    switch (outcome.what) {
    case DomainAddition::not_a_domain:
        return text_reply(400, "field \"domain\": " + outcome.fault);
    case DomainAddition::own_name:
        return text_reply(400, "field \"domain\": the name is this edge's own");
    case DomainAddition::not_vouched:
        return text_reply(409, "nobody vouches for this box, so it may have no domain");
    case DomainAddition::hostname_held:
        return text_reply(409, "a box here has that name as its hostname");
    case DomainAddition::taken:
        return text_reply(409, "another box serves that domain; remove it there, or take its TXT "
                               "record away and wait until it lapses");
    case DomainAddition::box_full:
        return text_reply(409, "this box has five domains; remove one first");
    case DomainAddition::edge_full:
        return text_reply(503, "this edge has room for no further domain");
    case DomainAddition::added:
    case DomainAddition::already_own:
        break;
    }
    return text_reply(500, "internal fault");
}

HttpReply reply_no_such_domain() {
    return text_reply(404, "this box has no such domain");
}

HttpReply reply_domains_not_offered() {
    return text_reply(503, "this edge does not offer custom domains");
}

} // namespace losos
