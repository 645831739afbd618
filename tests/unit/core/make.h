// Short ways to write the core's values down in a test. Each fails the test on a text that is none.
#pragma once

#include "core/names.h"
#include "core/port.h"
#include "core/relay_pass.h"
#include "core/token.h"

#include "support/catch.h"

#include <string>
#include <string_view>

namespace losos::make {

/// The value of a result that must be there.
template <class T>
T sound(Result<T> result) {
    if (!result) {
        FAIL(result.error().what);
    }
    return *std::move(result);
}

inline DnsLabel label(std::string_view text) {
    return sound(DnsLabel::parse(text));
}

inline DnsName name(std::string_view text) {
    return sound(DnsName::parse(text));
}

inline RowId row_id(std::string_view text) {
    return sound(RowId::parse(text));
}

inline Port port(long long number) {
    return sound(Port::from_number(number));
}

inline PortRange port_range(std::string_view text) {
    return sound(PortRange::parse(text));
}

/// A token of 40 equal characters.
inline Token token(char c) {
    return sound(Token::parse(std::string(40, c)));
}

/// A pass of that hour whose digits are all `digit`.
inline RelayPass pass(std::string_view hour, char digit = 'a') {
    return sound(RelayPass::parse("v1." + std::string(hour) + "." + std::string(64, digit)));
}

} // namespace losos::make
