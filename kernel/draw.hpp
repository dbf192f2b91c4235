// Keyed randomness: values of (key, site, lane), and the order in which sites are taken.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace mondegreen {

constexpr std::uint64_t LANES = 256;
constexpr std::int64_t MOST_SITES = std::int64_t{1} << 26;  // of one utterance

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

// The draws at one site, lane by lane.
class Lanes {
public:
    Lanes(std::uint64_t key, std::uint64_t site) : key_(key), site_(site) {}

    std::uint64_t key() const { return key_; }

    std::uint64_t below(std::uint64_t n) {
        if (++lane_ >= LANES) throw std::overflow_error("more than 255 draws at one site");
        return scale(value(key_, site_, lane_), n);
    }

    std::size_t weighted(const std::vector<std::uint64_t> &weights) {
        std::uint64_t sum = 0;
        for (const auto weight : weights) {
            if (weight > ~std::uint64_t{0} - sum) throw std::overflow_error("weights add up to more than 2 ** 64");
            sum += weight;
        }
        if (sum == 0) throw std::invalid_argument("there is nothing to draw from: no weight is above 0");
        auto left = below(sum);
        std::size_t at = 0;
        while (left >= weights[at]) left -= weights[at++];
        return at;
    }

private:
    std::uint64_t key_, site_, lane_ = 0;
};

struct Walk {
    std::size_t below = 0;            // how many sites are below the threshold
    std::vector<std::int64_t> sites;  // those, and further ones in order up to the least number
};

// Puts the sites of a walk into ``result``, whose memory is used again.
inline void walk(std::uint64_t key, std::int64_t start, std::int64_t stop, std::uint64_t threshold,
                 std::size_t least, Walk &result) {
    if (start < 0 || stop > MOST_SITES) throw std::invalid_argument("sites are out of range");
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
    result.below = below;
    result.sites.clear();
    for (auto it = order.begin(); it != end; ++it) result.sites.push_back(it->second);
}

inline Walk walk(std::uint64_t key, std::int64_t start, std::int64_t stop, std::uint64_t threshold,
                 std::size_t least) {
    Walk result;
    walk(key, start, stop, threshold, least, result);
    return result;
}

// All sites, those with a high weight early: a site of weight w is below a threshold p with the chance 1 - (1 - p)^w.
inline Walk weighted_walk(std::uint64_t key, std::int64_t start, const std::vector<double> &weights,
                          std::uint64_t threshold) {
    constexpr double UNIT = 9007199254740992.0;  // 2 ** 53
    constexpr double NEVER = std::numeric_limits<double>::infinity();
    if (start < 0 || static_cast<std::int64_t>(weights.size()) > MOST_SITES - start) {
        throw std::invalid_argument("sites are out of range");
    }
    const double limit = static_cast<double>(threshold) < UNIT ? -std::log1p(-static_cast<double>(threshold) / UNIT) : NEVER;
    std::vector<std::pair<double, std::int64_t>> order;
    order.reserve(weights.size());
    Walk result{0, {}};
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const auto site = start + static_cast<std::int64_t>(i);
        const auto drawn = static_cast<double>(value(key, static_cast<std::uint64_t>(site), 0) >> 11);
        const double time = weights[i] != 0 ? -std::log1p(-(drawn / UNIT)) / weights[i] : NEVER;
        result.below += time < limit;
        order.emplace_back(time, site);
    }
    std::sort(order.begin(), order.end());
    result.sites.reserve(order.size());
    for (const auto &[time, site] : order) result.sites.push_back(site);
    return result;
}

}  // namespace mondegreen
