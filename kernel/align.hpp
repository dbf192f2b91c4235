// Alignment of two sequences: whole-number costs in, steps out.
//
// Of all cheapest alignments one is defined (docs/design/0009-alignment.md): traced from the end, a
// diagonal step is taken before a deletion, a deletion before an insertion. Every way of computing
// here gives exactly that one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mondegreen {

enum Step : std::uint8_t { match, substitution, deletion, insertion };

using Ids = std::vector<std::uint32_t>;
using Steps = std::vector<std::uint8_t>;

// How many bytes of cells are kept at once. Longer pairs are traced in parts: rows are kept at the
// parts' edges, and the cells of a part are worked out again when the trace comes to it.
constexpr std::size_t KEPT = std::size_t{64} << 20;

// Costs of a reference word's steps: two sets, for words without and with a mark.
struct MarkedCosts {
    struct Set {
        std::int64_t copy, substitution, deletion, insertion;
    };
    Set sets[2];
};

// One pair under MarkedCosts. An insertion costs by the mark of the reference word before it.
class MarkedPair {
public:
    MarkedPair(const Ids &ref, const Ids &hyp, const std::uint8_t *marks, const MarkedCosts &costs)
        : ref_(ref), hyp_(hyp), marks_(marks), costs_(costs) {}

    std::size_t rows() const { return ref_.size(); }
    std::size_t columns() const { return hyp_.size(); }

    void first_row(std::int64_t *row) const {
        const auto cost = costs_.sets[0].insertion;
        for (std::size_t j = 0; j <= columns(); ++j) row[j] = static_cast<std::int64_t>(j) * cost;
    }

    // The row below ``above`` for reference word i.
    void next_row(std::size_t i, const std::int64_t *above, std::int64_t *row) const {
        const auto &set = set_of(i);
        const auto copy = set.copy, substitution = set.substitution, deletion = set.deletion, insertion = set.insertion;
        const auto word = ref_[i];
        const auto *hyp = hyp_.data();
        const auto m = columns();
        auto left = row[0] = above[0] + deletion;
        for (std::size_t j = 0; j < m; ++j) {
            const auto diagonal = above[j] + (word == hyp[j] ? copy : substitution);
            const auto best = std::min(diagonal, above[j + 1] + deletion);
            row[j + 1] = left = std::min(best, left + insertion);
        }
    }

    // The step that leads to cell (i + 1, j + 1), from the two rows around it.
    Step step(std::size_t i, std::size_t j, const std::int64_t *above, const std::int64_t *row) const {
        const auto &set = set_of(i);
        const bool same = ref_[i] == hyp_[j];
        if (row[j + 1] == above[j] + (same ? set.copy : set.substitution)) return same ? match : substitution;
        return row[j + 1] == above[j + 1] + set.deletion ? deletion : insertion;
    }

private:
    const MarkedCosts::Set &set_of(std::size_t i) const { return costs_.sets[marks_ == nullptr ? 0 : marks_[i]]; }

    const Ids &ref_, &hyp_;
    const std::uint8_t *marks_;
    const MarkedCosts &costs_;
};

// One pair of numbered symbols under a table of costs.
class TablePair {
public:
    struct Table {
        const std::int64_t *substitution, *alone;  // symbols by symbols; symbols
        std::size_t symbols;
    };

    TablePair(const Ids &ref, const Ids &hyp, const Table &table) : ref_(ref), hyp_(hyp), table_(table) {}

    std::size_t rows() const { return ref_.size(); }
    std::size_t columns() const { return hyp_.size(); }

    void first_row(std::int64_t *row) const {
        row[0] = 0;
        for (std::size_t j = 0; j < columns(); ++j) row[j + 1] = row[j] + table_.alone[hyp_[j]];
    }

    void next_row(std::size_t i, const std::int64_t *above, std::int64_t *row) const {
        const auto *costs = table_.substitution + ref_[i] * table_.symbols;
        const auto deletion = table_.alone[ref_[i]];
        auto left = row[0] = above[0] + deletion;
        for (std::size_t j = 0; j < columns(); ++j) {
            const auto best = std::min(above[j] + costs[hyp_[j]], above[j + 1] + deletion);
            row[j + 1] = left = std::min(best, left + table_.alone[hyp_[j]]);
        }
    }

    Step step(std::size_t i, std::size_t j, const std::int64_t *above, const std::int64_t *row) const {
        if (row[j + 1] == above[j] + table_.substitution[ref_[i] * table_.symbols + hyp_[j]]) {
            return ref_[i] == hyp_[j] ? match : substitution;
        }
        return row[j + 1] == above[j + 1] + table_.alone[ref_[i]] ? deletion : insertion;
    }

private:
    const Ids &ref_, &hyp_;
    const Table &table_;
};

// Appends the steps of a pair to ``out`` by the plain dynamic programme.
template <typename Pair>
void align_by_rows(const Pair &pair, Steps &out) {
    static thread_local std::vector<std::int64_t> edges, kept;
    const auto n = pair.rows(), width = pair.columns() + 1;
    const auto part = std::max<std::size_t>(1, std::min(n, KEPT / (width * sizeof(std::int64_t))));
    const auto parts = n == 0 ? 1 : (n + part - 1) / part;
    edges.resize(parts * width);
    kept.resize((part + 1) * width);
    pair.first_row(edges.data());
    const auto sweep = [&](std::size_t index) {  // fills the rows of a part, below its edge
        const auto start = index * part, end = std::min(n, start + part);
        std::copy_n(edges.data() + index * width, width, kept.data());
        for (auto i = start; i < end; ++i) {
            auto *above = kept.data() + (i - start) * width;
            pair.next_row(i, above, above + width);
        }
    };
    for (std::size_t index = 0; index + 1 < parts; ++index) {
        sweep(index);
        std::copy_n(kept.data() + part * width, width, edges.data() + (index + 1) * width);
    }
    const auto from = out.size();
    auto i = n, j = pair.columns();
    for (auto index = parts; index-- > 0;) {
        sweep(index);
        while (i > index * part) {
            const auto *above = kept.data() + (i - 1 - index * part) * width;
            const auto step = j == 0 ? deletion : pair.step(i - 1, j - 1, above, above + width);
            out.push_back(step);
            i -= step != insertion;
            j -= step != deletion;
        }
    }
    out.insert(out.end(), j, insertion);
    std::reverse(out.begin() + static_cast<std::ptrdiff_t>(from), out.end());
}

// Appends the steps of a pair under unit costs, 64 cells at a time (Myers 1999, Hyyrö 2003). The
// reference runs down the bits; of every column the vectors D0 (no cost on the diagonal) and VP (a
// cost downwards) are kept, which are all that the trace needs.
class UnitAligner {
public:
    void align(const Ids &ref, const Ids &hyp, std::size_t types, Steps &out) {
        const auto from = out.size();
        auto n = ref.size(), m = hyp.size(), tail = std::size_t{0};
        while (n > 0 && m > 0 && ref[n - 1] == hyp[m - 1]) --n, --m, ++tail;
        out.insert(out.end(), tail, match);
        if (n > 0 && m > 0) {
            n <= 64 ? narrow(ref, hyp, types, n, m, out) : wide(ref, hyp, types, n, m, out);
        } else {
            out.insert(out.end(), n, deletion);
            out.insert(out.end(), m, insertion);
        }
        std::reverse(out.begin() + static_cast<std::ptrdiff_t>(from), out.end());
    }

    // The distance alone.
    std::size_t distance(const Ids &ref, const Ids &hyp, std::size_t types) {
        const auto n = ref.size();
        if (n == 0) return hyp.size();
        const auto words = (n + 63) / 64;
        blocks_.assign(words, Block{});
        auto score = n;
        const auto bottom = (n - 1) % 64;
        Column column;
        const auto sweep = [&](const auto &mask) {
            int edge = 1;
            for (std::size_t w = 0; w + 1 < words; ++w) edge = blocks_[w].step(mask(w), edge, column);
            auto &last = blocks_[words - 1];
            score = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(score) + last.step_at(mask(words - 1), edge, bottom));
        };
        if (types * words <= 1 << 16) {
            masks_.assign(types * words, 0);
            for (std::size_t i = 0; i < n; ++i) masks_[ref[i] * words + i / 64] |= 1ull << (i % 64);
            for (const auto c : hyp) sweep([&, row = masks_.data() + c * words](std::size_t w) { return row[w]; });
            return score;
        }
        find_places(ref, types, n);
        masks_.assign(words, 0);
        for (const auto c : hyp) {
            for (auto p = starts_[c]; p < starts_[c + 1]; ++p) masks_[places_[p] / 64] |= 1ull << (places_[p] % 64);
            sweep([&](std::size_t w) { return masks_[w]; });
            for (auto p = starts_[c]; p < starts_[c + 1]; ++p) masks_[places_[p] / 64] = 0;
        }
        return score;
    }

private:
    struct Column {
        std::uint64_t zero, up;  // D0 and VP
    };

    struct Block {
        std::uint64_t up = ~0ull, down = 0;

        // One column's step; ``in`` and the result are the change along the block's upper and lower edge.
        int step(std::uint64_t equal, int in, Column &column) { return step_at(equal, in, 63, column); }

        // The same, with the change along the row of a bit.
        int step_at(std::uint64_t equal, int in, std::size_t bit) {
            Column column;
            return step_at(equal, in, bit, column);
        }

        int step_at(std::uint64_t equal, int in, std::size_t bit, Column &column) {
            if (in < 0) equal |= 1;
            const auto zero = (((equal & up) + up) ^ up) | equal | down;
            auto right_up = down | ~(zero | up);
            auto right_down = up & zero;
            const int out = static_cast<int>(right_up >> bit & 1) - static_cast<int>(right_down >> bit & 1);
            right_up = right_up << 1 | (in > 0);
            right_down = right_down << 1 | (in < 0);
            up = right_down | ~(zero | right_up);
            down = right_up & zero;
            column = {zero, up};
            return out;
        }
    };

    void narrow(const Ids &ref, const Ids &hyp, std::size_t types, std::size_t n, std::size_t m, Steps &out) {
        masks_.assign(types, 0);
        for (std::size_t i = 0; i < n; ++i) masks_[ref[i]] |= 1ull << i;
        columns_.resize(m);
        Block block;
        for (std::size_t j = 0; j < m; ++j) block.step(masks_[hyp[j]], 1, columns_[j]);
        trace(ref, hyp, n, m, 0, 1, out);
        finish(n, m, out);
    }

    void wide(const Ids &ref, const Ids &hyp, std::size_t types, std::size_t n, std::size_t m, Steps &out) {
        const auto words = (n + 63) / 64;
        find_places(ref, types, n);
        const auto part = std::max<std::size_t>(1, std::min(m, KEPT / (words * sizeof(Column))));
        const auto parts = (m + part - 1) / part;
        std::vector<Block> edges(parts * words);
        blocks_.assign(words, Block{});
        columns_.resize(part * words);
        masks_.assign(words, 0);
        for (std::size_t index = 0; index < parts; ++index) {
            std::copy(blocks_.begin(), blocks_.end(), edges.begin() + static_cast<std::ptrdiff_t>(index * words));
            sweep(hyp, index * part, std::min(m, (index + 1) * part));
        }
        for (auto index = parts; index-- > 0 && n > 0 && m > 0;) {
            const auto start = index * part;
            if (m <= start) continue;
            if (index + 1 < parts) {
                const auto edge = edges.begin() + static_cast<std::ptrdiff_t>(index * words);
                std::copy(edge, edge + static_cast<std::ptrdiff_t>(words), blocks_.begin());
                sweep(hyp, start, std::min(hyp.size(), start + part));
            }
            trace(ref, hyp, n, m, start, words, out);
        }
        finish(n, m, out);
    }

    // Where each type of word stands in the reference, as one flat list.
    void find_places(const Ids &ref, std::size_t types, std::size_t n) {
        starts_.assign(types + 1, 0);
        for (std::size_t i = 0; i < n; ++i) ++starts_[ref[i] + 1];
        for (std::size_t t = 0; t < types; ++t) starts_[t + 1] += starts_[t];
        places_.resize(n);
        auto next = starts_;
        for (std::size_t i = 0; i < n; ++i) places_[next[ref[i]]++] = static_cast<std::uint32_t>(i);
    }

    void sweep(const Ids &hyp, std::size_t start, std::size_t end) {
        const auto words = blocks_.size();
        for (auto j = start; j < end; ++j) {
            const auto first = starts_[hyp[j]], last = starts_[hyp[j] + 1];
            for (auto p = first; p < last; ++p) masks_[places_[p] / 64] |= 1ull << (places_[p] % 64);
            auto *column = columns_.data() + (j - start) * words;
            int edge = 1;
            for (std::size_t w = 0; w < words; ++w) edge = blocks_[w].step(masks_[w], edge, column[w]);
            for (auto p = first; p < last; ++p) masks_[places_[p] / 64] = 0;
        }
    }

    // Traces back from (n, m) as far as the columns from ``start`` go.
    void trace(const Ids &ref, const Ids &hyp, std::size_t &n, std::size_t &m, std::size_t start, std::size_t words, Steps &out) const {
        while (n > 0 && m > start) {
            const auto &column = columns_[(m - 1 - start) * words + (n - 1) / 64];
            const auto bit = (n - 1) % 64;
            if (ref[n - 1] == hyp[m - 1]) {
                out.push_back(match), --n, --m;
            } else if (!(column.zero >> bit & 1)) {
                out.push_back(substitution), --n, --m;
            } else if (column.up >> bit & 1) {
                out.push_back(deletion), --n;
            } else {
                out.push_back(insertion), --m;
            }
        }
    }

    static void finish(std::size_t n, std::size_t m, Steps &out) {
        out.insert(out.end(), n, deletion);
        out.insert(out.end(), m, insertion);
    }

    std::vector<std::uint64_t> masks_;
    std::vector<Column> columns_;
    std::vector<Block> blocks_;
    std::vector<std::size_t> starts_;
    std::vector<std::uint32_t> places_;
};

}  // namespace mondegreen
