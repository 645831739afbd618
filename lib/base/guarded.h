// A value that can only be touched under its own lock.
#pragma once

#include <mutex>
#include <utility>

namespace losos {

/// Owns a T and the mutex that guards it.
template <class T>
class Guarded {
public:
    Guarded() = default;
    explicit Guarded(T value) : m_value(std::move(value)) {}

    /// Runs `use` on the value under the lock and returns what it returns.
    template <class Use>
    auto with(Use&& use) {
        const std::lock_guard lock(m_mutex);
        return std::forward<Use>(use)(m_value);
    }

    /// A copy, taken under the lock.
    T copy() const {
        const std::lock_guard lock(m_mutex);
        return m_value;
    }

private:
    mutable std::mutex m_mutex;
    T m_value{};
};

} // namespace losos
