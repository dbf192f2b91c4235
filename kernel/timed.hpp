// Alignment by times: how far two words are apart in time adds to the cost of pairing them, and the length
// of a word to the cost of leaving it alone, as in NIST's time-mediated alignment.
#pragma once

#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "align.hpp"

namespace mondegreen {

// When a word begins and ends, in the unit of costs.
struct Span {
    std::int64_t start = 0, end = 0;

    std::int64_t length() const { return end - start; }
    std::int64_t from(const Span &other) const { return std::abs(start - other.start) + std::abs(end - other.end); }
};

// The times of all words of one side of a batch, one item after the other.
struct Times {
    static constexpr std::int64_t LATEST = std::int64_t{1} << 48;

    std::vector<Span> spans;
    std::vector<std::size_t> offsets;  // of the spans of each item

    void check() const {
        for (const auto &span : spans) {
            if (span.start < -LATEST || span.end > LATEST || span.end < span.start) throw std::invalid_argument("a word has times that are out of range");
        }
    }

    // The times of an item that has n words.
    const Span *of(std::size_t item, std::size_t n) const {
        if (offsets[item + 1] - offsets[item] != n) throw std::invalid_argument("an item needs as many times as words");
        return spans.data() + offsets[item];
    }
};

using TimedSides = std::pair<Times, Times>;  // of references and hypotheses

// What cells are scaled by (see scale_of), where the costs of all words alone add up to ``total``, and no
// pair costs more than ``greatest``.
inline std::int64_t timed_scale_of(std::size_t rows, std::size_t columns, std::int64_t total, std::int64_t greatest) {
    const auto scale = static_cast<std::int64_t>(std::min(rows, columns)) + 1;
    if (total > (std::numeric_limits<std::int64_t>::max() / 4 - greatest) / scale - greatest) throw std::overflow_error("a pair is too long to be aligned");
    return scale;
}

// The highest cost of a pair of words: the first and last times are as far apart as can be.
inline std::int64_t farthest(const Span *ref, std::size_t n, const Span *hyp, std::size_t m) {
    std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = std::numeric_limits<std::int64_t>::min();
    const auto look = [&](const Span &span) { first = std::min(first, span.start), last = std::max(last, span.end); };
    std::for_each(ref, ref + n, look);
    std::for_each(hyp, hyp + m, look);
    return n + m == 0 ? 0 : 2 * (last - first);
}

class TimedPair {
public:
    TimedPair(const Ids &ref, const Ids &hyp, const Span *ref_spans, const Span *hyp_spans, const MarkedCosts::Set &costs)
        : ref_(ref), hyp_(hyp), ref_spans_(ref_spans), hyp_spans_(hyp_spans), costs_(costs), alone_(hyp.size()) {
        std::int64_t total = 0;
        for (std::size_t i = 0; i < ref.size(); ++i) total += costs.deletion + ref_spans[i].length();
        for (std::size_t j = 0; j < hyp.size(); ++j) total += alone_[j] = costs.insertion + hyp_spans[j].length();
        const auto greatest = std::max(costs.copy, costs.substitution) + farthest(ref_spans, ref.size(), hyp_spans, hyp.size());
        scale_ = timed_scale_of(ref.size(), hyp.size(), total, greatest);
        for (auto &cost : alone_) cost *= scale_;
    }

    std::size_t rows() const { return ref_.size(); }
    std::size_t columns() const { return hyp_.size(); }

    void first_row(std::int64_t *row) const {
        row[0] = 0;
        for (std::size_t j = 0; j < columns(); ++j) row[j + 1] = row[j] + alone_[j];
    }

    void next_row(std::size_t i, const std::int64_t *above, std::int64_t *row) const {
        const auto deleted = deletion_of(i);
        auto left = row[0] = above[0] + deleted;
        for (std::size_t j = 0; j < columns(); ++j) {
            const auto best = std::min(above[j] + diagonal(i, j), above[j + 1] + deleted);
            row[j + 1] = left = std::min(best, left + alone_[j]);
        }
    }

    Step step(std::size_t i, std::size_t j, const std::int64_t *above, const std::int64_t *row) const {
        if (row[j + 1] == above[j] + diagonal(i, j)) return ref_[i] == hyp_[j] ? match : substitution;
        return row[j + 1] == above[j + 1] + deletion_of(i) ? deletion : insertion;
    }

private:
    std::int64_t deletion_of(std::size_t i) const { return scale_ * (costs_.deletion + ref_spans_[i].length()); }

    std::int64_t diagonal(std::size_t i, std::size_t j) const {
        const bool same = ref_[i] == hyp_[j];
        return scale_ * ((same ? costs_.copy : costs_.substitution) + ref_spans_[i].from(hyp_spans_[j])) - same;
    }

    const Ids &ref_, &hyp_;
    const Span *ref_spans_, *hyp_spans_;
    MarkedCosts::Set costs_;
    std::vector<std::int64_t> alone_;  // scaled costs of insertions
    std::int64_t scale_ = 1;
};

}  // namespace mondegreen
