// Bootstrap: sums of rows drawn with replacement, many times.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "draw.hpp"
#include "threads.hpp"

namespace mondegreen {

// Four counts side by side, added in one step.
using Quad = std::int32_t __attribute__((vector_size(16)));

// ``rows`` is n by width; the result is replicates by width. Row k of replicate r is drawn by
// value(key, r · n + k, 0), so that the same key draws the same rows whatever the table holds.
class Resampler {
public:
    Resampler(const std::int64_t *rows, std::size_t n, std::size_t width) : n_(n), width_(width), quads_((width + 3) / 4) {
        constexpr auto most = std::numeric_limits<std::int64_t>::max();
        std::int64_t greatest = 0;
        for (std::size_t i = 0; i < n * width; ++i) greatest = std::max(greatest, rows[i] < 0 ? -std::max(rows[i], -most) : rows[i]);
        if (n > 0 && greatest > most / static_cast<std::int64_t>(n)) throw std::overflow_error("counts are too large to be added");
        if (greatest > 0x7fffffff) {
            wide_.assign(rows, rows + n * width);
            return;
        }
        flush_ = greatest == 0 ? n : std::max<std::size_t>(1, 0x7fffffff / static_cast<std::size_t>(greatest));
        packed_.resize(n * quads_);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t c = 0; c < width; ++c) packed_[i * quads_ + c / 4][c % 4] = static_cast<std::int32_t>(rows[i * width + c]);
        }
    }

    std::vector<std::int64_t> sums(std::uint64_t key, std::size_t replicates, std::size_t threads) const {
        if (width_ > 0 && replicates > MOST / width_) throw std::invalid_argument("too many replicates");
        std::vector<std::int64_t> sums(replicates * width_);
        in_threads(std::max<std::size_t>(1, std::min({threads, replicates, MOST_THREADS})), replicates, [&](std::size_t, std::size_t start, std::size_t end) {
            for (auto r = start; r < end; ++r) one(key, r, sums.data() + r * width_);
        });
        return sums;
    }

private:
    static constexpr std::size_t MOST = std::size_t{1} << 32;  // sums

    std::size_t drawn(std::uint64_t key, std::size_t r, std::size_t k) const {
        return (value(key, r * n_ + k, 0) >> 32) * n_ >> 32;
    }

    void one(std::uint64_t key, std::size_t r, std::int64_t *sum) const {
        if (!wide_.empty()) wide(key, r, sum);
        else if (quads_ == 1) packed<1>(key, r, sum);
        else if (quads_ == 2) packed<2>(key, r, sum);
        else if (quads_ == 3) packed<3>(key, r, sum);
        else packed<0>(key, r, sum);
    }

    void wide(std::uint64_t key, std::size_t r, std::int64_t *sum) const {
        for (std::size_t k = 0; k < n_; ++k) {
            const auto *row = wide_.data() + drawn(key, r, k) * width_;
            for (std::size_t c = 0; c < width_; ++c) sum[c] += row[c];
        }
    }

    // ``fixed`` is the number of quads, known to the compiler; 0 for any number.
    template <std::size_t fixed>
    void packed(std::uint64_t key, std::size_t r, std::int64_t *sum) const {
        const auto quads = fixed == 0 ? quads_ : fixed;
        std::vector<Quad> part(quads);
        for (std::size_t k = 0; k < n_;) {
            const auto stop = std::min(n_, k + flush_);
            std::fill(part.begin(), part.end(), Quad{});
            for (; k < stop; ++k) {
                const auto *row = packed_.data() + drawn(key, r, k) * quads;
                for (std::size_t q = 0; q < quads; ++q) part[q] += row[q];
            }
            for (std::size_t c = 0; c < width_; ++c) sum[c] += part[c / 4][c % 4];
        }
    }

    std::size_t n_, width_, quads_, flush_ = 0;
    std::vector<Quad> packed_;
    std::vector<std::int64_t> wide_;
};

}  // namespace mondegreen
