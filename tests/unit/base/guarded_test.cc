#include "base/guarded.h"

#include "support/catch.h"

#include <thread>
#include <vector>

using namespace losos;

TEST_CASE("base/guarded: changes from several threads are all kept") {
    Guarded<int> count;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&count] {
            for (int k = 0; k < 1000; ++k) {
                count.with([](int& value) { ++value; });
            }
        });
    }
    for (auto& thread : threads) {
        thread.join();
    }
    CHECK(count.copy() == 4000);
}

TEST_CASE("base/guarded: with returns what its function returns") {
    Guarded<int> value(20);
    CHECK(value.with([](int& inside) { return inside + 1; }) == 21);
}
