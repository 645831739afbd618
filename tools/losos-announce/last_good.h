// A value that is read again and again: while it cannot be read, the last good one stays in force.
#pragma once

#include "base/log.h"
#include "base/result.h"

#include <optional>
#include <string>
#include <utility>

namespace losos {

template <class T>
class LastGood {
public:
    /// The fresh value, or the last good one with one warning for each new fault; fails when there
    /// was none yet.
    Result<T> take(Result<T> fresh) {
        if (fresh) {
            m_value = *fresh;
            m_fault.clear();
            return fresh;
        }
        if (!m_value) {
            return fresh;
        }
        if (m_fault != fresh.error().what) {
            m_fault = fresh.error().what;
            log(LogLevel::warning, "{}; what was read before stays in force", m_fault);
        }
        return *m_value;
    }

private:
    std::optional<T> m_value;
    std::string m_fault;
};

} // namespace losos
