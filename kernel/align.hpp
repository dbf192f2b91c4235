// Alignment of two sequences: whole-number costs in, steps out.
//
// Of all cheapest alignments one is defined (docs/design/0009-alignment.md): one with the most
// matches and, among those, the one that, traced from the end, takes a diagonal step before a
// deletion and a deletion before an insertion. Every way of computing here gives exactly that one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
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

// A cell holds cost · scale - matches, so that the least cell is the cheapest with the most matches.
// ``greatest`` is the highest cost of a step.
inline std::int64_t scale_of(std::size_t rows, std::size_t columns, std::int64_t greatest) {
    const auto scale = static_cast<std::int64_t>(std::min(rows, columns)) + 1;
    const auto steps = static_cast<std::int64_t>(rows + columns + 1);
    if (greatest > std::numeric_limits<std::int64_t>::max() / steps / scale) throw std::overflow_error("a pair is too long to be aligned");
    return scale;
}

// One pair under MarkedCosts. An insertion costs by the mark of the reference word before it.
class MarkedPair {
public:
    MarkedPair(const Ids &ref, const Ids &hyp, const std::uint8_t *marks, const MarkedCosts &costs) : ref_(ref), hyp_(hyp), marks_(marks) {
        std::int64_t greatest = 0;
        for (const auto &set : costs.sets) greatest = std::max({greatest, set.copy, set.substitution, set.deletion, set.insertion});
        const auto scale = scale_of(ref.size(), hyp.size(), greatest);
        for (std::size_t i = 0; i < 2; ++i) {
            const auto &set = costs.sets[i];
            costs_.sets[i] = {set.copy * scale - 1, set.substitution * scale, set.deletion * scale, set.insertion * scale};
        }
    }

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
    MarkedCosts costs_;
};

// One pair under sclite's costs, with sclite's ties: a diagonal step first, then an insertion. Only for
// tests that NIST defines on sclite's alignments.
class NistPair {
public:
    NistPair(const Ids &ref, const Ids &hyp) : ref_(ref), hyp_(hyp) {}

    std::size_t rows() const { return ref_.size(); }
    std::size_t columns() const { return hyp_.size(); }

    void first_row(std::int64_t *row) const {
        for (std::size_t j = 0; j <= columns(); ++j) row[j] = static_cast<std::int64_t>(3 * j);
    }

    void next_row(std::size_t i, const std::int64_t *above, std::int64_t *row) const {
        auto left = row[0] = above[0] + 3;
        for (std::size_t j = 0; j < columns(); ++j) {
            const auto diagonal = above[j] + (ref_[i] == hyp_[j] ? 0 : 4);
            row[j + 1] = left = std::min({diagonal, above[j + 1] + 3, left + 3});
        }
    }

    Step step(std::size_t i, std::size_t j, const std::int64_t *above, const std::int64_t *row) const {
        const bool same = ref_[i] == hyp_[j];
        if (row[j + 1] == above[j] + (same ? 0 : 4)) return same ? match : substitution;
        return row[j + 1] == row[j] + 3 ? insertion : deletion;
    }

private:
    const Ids &ref_, &hyp_;
};

// One pair of numbered symbols under a table of costs.
class TablePair {
public:
    struct Table {
        const std::int64_t *substitution, *alone;  // symbols by symbols; symbols
        std::size_t symbols;
        std::int64_t greatest;                     // cost of a step
    };

    TablePair(const Ids &ref, const Ids &hyp, const Table &table)
        : ref_(ref), hyp_(hyp), table_(table), scale_(scale_of(ref.size(), hyp.size(), table.greatest)) {}

    std::size_t rows() const { return ref_.size(); }
    std::size_t columns() const { return hyp_.size(); }

    void first_row(std::int64_t *row) const {
        row[0] = 0;
        for (std::size_t j = 0; j < columns(); ++j) row[j + 1] = row[j] + scale_ * table_.alone[hyp_[j]];
    }

    void next_row(std::size_t i, const std::int64_t *above, std::int64_t *row) const {
        const auto deletion = scale_ * table_.alone[ref_[i]];
        auto left = row[0] = above[0] + deletion;
        for (std::size_t j = 0; j < columns(); ++j) {
            const auto best = std::min(above[j] + diagonal(i, j), above[j + 1] + deletion);
            row[j + 1] = left = std::min(best, left + scale_ * table_.alone[hyp_[j]]);
        }
    }

    Step step(std::size_t i, std::size_t j, const std::int64_t *above, const std::int64_t *row) const {
        if (row[j + 1] == above[j] + diagonal(i, j)) return ref_[i] == hyp_[j] ? match : substitution;
        return row[j + 1] == above[j + 1] + scale_ * table_.alone[ref_[i]] ? deletion : insertion;
    }

private:
    std::int64_t diagonal(std::size_t i, std::size_t j) const {
        return scale_ * table_.substitution[ref_[i] * table_.symbols + hyp_[j]] - (ref_[i] == hyp_[j]);
    }

    const Ids &ref_, &hyp_;
    const Table &table_;
    std::int64_t scale_;
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

// The cells of a pair that lie on some cheapest alignment under unit costs, found backwards column by
// column, and the one way through them with the most matches. Where two words are equal, their match
// is always on such a way, so that no other step is looked at there.
class Ways {
public:
    static constexpr std::size_t MOST = std::size_t{1} << 22;  // cells; a pair with more is aligned by rows

    enum : std::uint8_t { diagonal = 1, down = 2, right = 4, equal = 8 };

    void begin(std::size_t row, std::size_t column) {
        nodes_.clear();
        starts_.clear();
        rows_.assign(1, static_cast<std::uint32_t>(row));
        column_ = column;
    }

    std::size_t column() const { return column_; }
    bool done() const { return column_ == 0 || rows_.empty(); }

    // Takes over the cells of the current column, given the steps that lead to a cell from its row;
    // false where there are too many cells.
    template <typename StepsTo>
    bool take_column(StepsTo &&steps_to) {
        starts_.push_back(nodes_.size());
        next_.clear();
        const auto push = [&](std::uint32_t row) {
            if (next_.empty() || next_.back() != row) next_.push_back(row);
        };
        std::uint32_t below = NOTHING;  // a row that a deletion leads to
        for (std::size_t at = 0; at < rows_.size() || below != NOTHING;) {
            std::uint32_t row;
            if (below != NOTHING && (at == rows_.size() || below >= rows_[at])) {
                row = below;
                at += at < rows_.size() && rows_[at] == row;
            } else {
                row = rows_[at++];
            }
            below = NOTHING;
            const auto steps = row == 0 ? std::uint8_t{0} : steps_to(row);
            nodes_.push_back({row, 0, steps});
            if (steps & right) push(row);
            if (steps & diagonal) push(row - 1);
            if (steps & down) below = row - 1;
        }
        rows_.swap(next_);
        --column_;
        return nodes_.size() <= MOST;
    }

    // Appends the steps of the best way from the end; ``row`` and ``column`` are where it meets an edge.
    void trace(Steps &out, std::size_t &row, std::size_t &column) {
        for (auto at = nodes_.size(), range = starts_.size(); at-- > 0;) {
            while (range > 0 && starts_[range - 1] > at) --range;
            auto &node = nodes_[at];
            if (node.steps == 0) continue;
            node.matches = -1;
            const auto consider = [&](std::uint8_t step, std::int32_t matches) {
                if ((node.steps & step) && matches > node.matches) node.matches = matches, node.best = step;
            };
            const bool hit = node.steps & equal;
            if (node.steps & diagonal) consider(diagonal, matches_of(range, node.row - 1) + hit);
            if (node.steps & down) consider(down, nodes_[at + 1].matches);
            if (node.steps & right) consider(right, matches_of(range, node.row));
        }
        std::size_t range = 0, at = 0;
        row = nodes_[0].row;
        for (; range < starts_.size();) {
            const auto &node = nodes_[at];
            if (node.steps == 0) break;
            if (node.best == down) {
                out.push_back(deletion);
                ++at, --row;
                continue;
            }
            out.push_back(node.best == right ? insertion : node.steps & equal ? match : substitution);
            row -= node.best == diagonal;
            ++range;
            if (range == starts_.size()) break;
            at = place(range, static_cast<std::uint32_t>(row));
        }
        column = column_ + starts_.size() - range;
    }

private:
    static constexpr auto NOTHING = ~std::uint32_t{0};

    struct Cell {
        std::uint32_t row;
        std::int32_t matches;
        std::uint8_t steps, best = 0;
    };

    // Cells of a column are in order, the highest row first.
    std::size_t place(std::size_t range, std::uint32_t row) const {
        auto low = starts_[range], high = range + 1 < starts_.size() ? starts_[range + 1] : nodes_.size();
        while (high - low > 1) {
            const auto middle = (low + high) / 2;
            (nodes_[middle].row > row ? low : high) = middle;
            if (nodes_[middle].row == row) return middle;
        }
        return nodes_[low].row == row ? low : high;
    }

    // The most matches on a way to a cell of the column before a range; none before the first column.
    std::int32_t matches_of(std::size_t range, std::uint32_t row) const {
        return row == 0 || range == starts_.size() ? 0 : nodes_[place(range, row)].matches;
    }

    std::vector<Cell> nodes_;
    std::vector<std::size_t> starts_;       // of each column's cells, the last column first
    std::vector<std::uint32_t> rows_, next_;
    std::size_t column_ = 0;
};

// Appends the steps of a pair under unit costs, 64 cells at a time (Myers 1999, Hyyrö 2003). The
// reference runs down the bits; of every column the vectors D0 (no cost on the diagonal), VP (a cost
// downwards) and HP (a cost to the right) are kept, which are all that the trace needs. Where only one
// step leads to a cell, as nearly always, it is taken at once; from the first tie on, see Ways.
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
        std::uint64_t zero, up, right;  // D0, VP and HP
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
            column.right = right_up;
            right_up = right_up << 1 | (in > 0);
            right_down = right_down << 1 | (in < 0);
            up = right_down | ~(zero | right_up);
            down = right_up & zero;
            column.zero = zero, column.up = up;
            return out;
        }
    };

    void narrow(const Ids &ref, const Ids &hyp, std::size_t types, std::size_t n, std::size_t m, Steps &out) {
        masks_.assign(types, 0);
        for (std::size_t i = 0; i < n; ++i) masks_[ref[i]] |= 1ull << i;
        columns_.resize(m);
        Block block;
        for (std::size_t j = 0; j < m; ++j) block.step(masks_[hyp[j]], 1, columns_[j]);
        if (trace(ref, hyp, n, m, 0, 1, out)) {
            ways_.begin(n, m);
            if (!follow(ref, hyp, 0, 1)) return by_rows(ref, hyp, n, m, out);
            ways_.trace(out, n, m);
        }
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
        bool tied = false;
        for (auto index = parts; index-- > 0 && n > 0 && m > 0;) {
            const auto start = index * part;
            if ((tied ? ways_.column() : m) <= start) continue;
            if (tied && ways_.done()) break;
            if (index + 1 < parts) {
                const auto edge = edges.begin() + static_cast<std::ptrdiff_t>(index * words);
                std::copy(edge, edge + static_cast<std::ptrdiff_t>(words), blocks_.begin());
                sweep(hyp, start, std::min(hyp.size(), start + part));
            }
            if (!tied && trace(ref, hyp, n, m, start, words, out)) {
                tied = true;
                ways_.begin(n, m);
            }
            if (tied && !follow(ref, hyp, start, words)) return by_rows(ref, hyp, n, m, out);
        }
        if (tied) ways_.trace(out, n, m);
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

    // The steps that lead to cell (n, m) on a cheapest alignment, as far as they matter.
    std::uint8_t steps_to(const Ids &ref, const Ids &hyp, std::size_t n, std::size_t m, std::size_t start, std::size_t words) const {
        if (ref[n - 1] == hyp[m - 1]) return Ways::diagonal | Ways::equal;
        const auto &column = columns_[(m - 1 - start) * words + (n - 1) / 64];
        const auto bit = (n - 1) % 64;
        return static_cast<std::uint8_t>((~column.zero >> bit & 1) * Ways::diagonal | (column.up >> bit & 1) * Ways::down |
                                         (column.right >> bit & 1) * Ways::right);
    }

    // Traces back from (n, m) as far as the columns from ``start`` go; true where it stops at a tie.
    bool trace(const Ids &ref, const Ids &hyp, std::size_t &n, std::size_t &m, std::size_t start, std::size_t words, Steps &out) const {
        while (n > 0 && m > start) {
            const auto steps = steps_to(ref, hyp, n, m, start, words);
            if (steps & Ways::equal) {
                out.push_back(match), --n, --m;
            } else if (steps == Ways::diagonal) {
                out.push_back(substitution), --n, --m;
            } else if (steps == Ways::down) {
                out.push_back(deletion), --n;
            } else if (steps == Ways::right) {
                out.push_back(insertion), --m;
            } else {
                return true;
            }
        }
        return false;
    }

    // Takes the columns from ``start`` on into the ways; false where they are too many.
    bool follow(const Ids &ref, const Ids &hyp, std::size_t start, std::size_t words) {
        while (!ways_.done() && ways_.column() > start) {
            const auto m = ways_.column();
            if (!ways_.take_column([&](std::size_t n) { return steps_to(ref, hyp, n, m, start, words); })) return false;
        }
        return true;
    }

    // The first n and m words by the plain dynamic programme; slower, and no more memory than it.
    static void by_rows(const Ids &ref, const Ids &hyp, std::size_t n, std::size_t m, Steps &out) {
        static constexpr MarkedCosts unit{{{0, 1, 1, 1}, {0, 1, 1, 1}}};
        const auto first = [](const Ids &side, std::size_t size) { return Ids(side.begin(), side.begin() + static_cast<std::ptrdiff_t>(size)); };
        const auto left = first(ref, n), right = first(hyp, m);
        Steps steps;
        align_by_rows(MarkedPair(left, right, nullptr, unit), steps);
        out.insert(out.end(), steps.rbegin(), steps.rend());
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
    Ways ways_;
};

}  // namespace mondegreen
