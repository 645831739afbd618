// Processor time of named stages, for the benchmarks' programs.
#pragma once

#include "base/format.h"

#include <ctime>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace losos {

/// What this thread has used of the processor so far.
inline std::chrono::nanoseconds processor_time() {
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

/// Times of named stages, a round each, in the order they first came.
class Stopwatch {
public:
    template <class Work>
    void time(const std::string& stage, Work work) {
        const auto begin = processor_time();
        work();
        const auto took = processor_time() - begin;
        auto known = std::find_if(m_stages.begin(), m_stages.end(),
                                  [&](const auto& entry) { return entry.first == stage; });
        if (known == m_stages.end()) {
            known = m_stages.insert(known, {stage, {}});
        }
        known->second.push_back(
            std::chrono::duration_cast<std::chrono::microseconds>(took).count());
    }

    void print() {
        for (auto& [stage, times] : m_stages) {
            const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
            std::nth_element(times.begin(), middle, times.end());
            std::fputs(format("{} {}\n", stage, *middle).c_str(), stdout);
        }
    }

private:
    std::vector<std::pair<std::string, std::vector<long long>>> m_stages;
};

} // namespace losos
