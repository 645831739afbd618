// Result<T>: a value or the one kind of error every layer returns. Names follow std::expected.
// Nothing here throws; an Error's code is the exit code it becomes when it reaches main.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace losos {

/// What kind of fault an Error is. The values are the exit codes of losos-federation(7).
enum class Errc {
    failed = 1,
    usage = 2,
    refused = 3,
    no_answer = 4,
    unusable = 6,
};

/// A fault on its way up: `what` is one plain sentence that names the object and the cause.
struct [[nodiscard]] Error {
    Errc code = Errc::failed;
    std::string what;

    friend bool operator==(const Error&, const Error&) = default;
};

/// Either a T or an Error.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    bool has_value() const { return m_state.index() == 0; }
    explicit operator bool() const { return has_value(); }

    T& value() & { return *std::get_if<0>(&m_state); }
    const T& value() const& { return *std::get_if<0>(&m_state); }
    T&& value() && { return std::move(*std::get_if<0>(&m_state)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    T value_or(T other) const& { return has_value() ? value() : std::move(other); }

    Error& error() & { return *std::get_if<1>(&m_state); }
    const Error& error() const& { return *std::get_if<1>(&m_state); }
    Error&& error() && { return std::move(*std::get_if<1>(&m_state)); }

private:
    std::variant<T, Error> m_state;
};

/// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)) {}

    bool has_value() const { return !m_error; }
    explicit operator bool() const { return has_value(); }

    Error& error() & { return *m_error; }
    const Error& error() const& { return *m_error; }
    Error&& error() && { return std::move(*m_error); }

private:
    std::optional<Error> m_error;
};

} // namespace losos

#define LOSOS_CONCAT_(a, b) a##b
#define LOSOS_CONCAT(a, b) LOSOS_CONCAT_(a, b)

/// Returns the error of `expression` (a Result<void>) from the enclosing function, if it has one.
#define TRY(expression)                                                                            \
    do {                                                                                           \
        if (auto try_result = (expression); !try_result) {                                         \
            return std::move(try_result).error();                                                  \
        }                                                                                          \
    } while (false)

#define TRY_ASSIGN_(name, declaration, expression)                                                 \
    auto name = (expression);                                                                      \
    if (!name) {                                                                                   \
        return std::move(name).error();                                                            \
    }                                                                                              \
    declaration = *std::move(name)

/// Declares or assigns the value of `expression` (a Result<T>), or returns its error.
#define TRY_ASSIGN(declaration, expression)                                                        \
    TRY_ASSIGN_(LOSOS_CONCAT(try_assign_, __LINE__), declaration, expression)
