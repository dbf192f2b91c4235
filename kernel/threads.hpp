// Work shared out between threads.
#pragma once

#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace mondegreen {

// Calls ``work(index, start, end)`` for each thread's share of n items; this thread does the first.
template <typename Work>
void in_threads(std::size_t threads, std::size_t n, Work &&work) {
    std::vector<std::exception_ptr> faults(threads);
    const auto share = [&](std::size_t index) {
        try {
            work(index, n * index / threads, n * (index + 1) / threads);
        } catch (...) {
            faults[index] = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    for (std::size_t index = 1; index < threads; ++index) others.emplace_back(share, index);
    share(0);
    for (auto &thread : others) thread.join();
    for (const auto &fault : faults) {
        if (fault) std::rethrow_exception(fault);
    }
}

}  // namespace mondegreen
