// Work shared out between threads.
#pragma once

#include <cstddef>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace mondegreen {

constexpr std::size_t MOST_THREADS = 256;

// Calls ``work(index, start, end)`` for each thread's share of n items; this thread does the first, and
// those for which the system starts no thread.
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
    others.reserve(threads);
    auto started = std::size_t{1};
    try {
        for (; started < threads; ++started) others.emplace_back(share, started);
    } catch (const std::system_error &) {
        // the rest is done below
    }
    share(0);
    for (auto index = started; index < threads; ++index) share(index);
    for (auto &thread : others) thread.join();
    for (const auto &fault : faults) {
        if (fault) std::rethrow_exception(fault);
    }
}

}  // namespace mondegreen
