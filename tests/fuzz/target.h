// A fuzz target: one parser of bytes from outside, and what must hold of whatever it makes of them.
// Each stands in a file of its own in targets/ and makes itself known there; tests/fuzz/run starts
// them.
#pragma once

#include <cstddef>
#include <string_view>

namespace losos::fuzz {

/// What the runner and the engine need to know of a target.
struct Target {
    /// As command line, seeds and corpus call it: lower case and hyphens.
    std::string_view name;
    /// As the report calls what it reads.
    std::string_view subject;
    /// No input is longer.
    std::size_t longest;
    /// Files below tests/golden to start from, as patterns parted by blanks.
    std::string_view golden;
    /// Returns when all is well, and ends the process otherwise.
    void (*run)(std::string_view input);
};

/// Makes a target known, from a variable at namespace scope.
class Known {
public:
    explicit Known(const Target& target);
};

/// One byte over the cap of the registrar's bodies.
inline constexpr std::size_t k_body = 64 * 1024 + 1;
/// Enough for a few entries of any file.
inline constexpr std::size_t k_file = 8 * 1024;
/// For what stands on one line.
inline constexpr std::size_t k_line = 2 * 1024;

} // namespace losos::fuzz
