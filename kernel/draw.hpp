// Keyed randomness: values of (key, site, lane), and the order in which sites are taken.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace mondegreen {

constexpr std::uint64_t LANES = 256;

inline std::uint64_t value(std::uint64_t key, std::uint64_t site, std::uint64_t lane) {
    std::uint64_t z = key + (site * LANES + lane + 1) * 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

inline std::uint64_t scale(std::uint64_t bits, std::uint64_t n) {
    __extension__ using wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<wide>(bits) * n >> 64);
}

struct Walk {
    std::size_t below;                // how many sites are below the threshold
    std::vector<std::int64_t> sites;  // those, and further ones in order up to the least number
};

inline Walk walk(std::uint64_t key, std::int64_t start, std::int64_t stop, std::uint64_t threshold,
                 std::size_t least) {
    static thread_local std::vector<std::pair<std::uint64_t, std::int64_t>> order;
    order.clear();
    std::size_t below = 0;
    for (auto site = start; site < stop; ++site) {
        const auto drawn = value(key, static_cast<std::uint64_t>(site), 0) >> 11;
        below += drawn < threshold;
        order.emplace_back(drawn, site);
    }
    const auto taken = std::min(std::max(below, least), order.size());
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(taken);
    if (taken < order.size()) std::nth_element(order.begin(), end, order.end());
    std::sort(order.begin(), end);
    Walk result{below, {}};
    result.sites.reserve(taken);
    for (auto it = order.begin(); it != end; ++it) result.sites.push_back(it->second);
    return result;
}

}  // namespace mondegreen
