// Alignment of two word networks: of all readings of both sides, the pair that is cheapest, then the
// one with the most matches.
//
// A network has nodes 0 to n, in order: every arc leads from a lower node to a higher one. An arc
// carries a word, or none. Rows of the dynamic programme are nodes of the reference, columns nodes
// of the hypothesis.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <unordered_set>
#include <utility>
#include <vector>

#include "timed.hpp"

namespace mondegreen {

struct Network {
    static constexpr std::uint32_t NONE = ~std::uint32_t{0};

    struct Arc {
        std::uint32_t from, to, word;  // NONE: no word
        bool optional;                 // may be left out at a lower cost
        Span span{};                   // when the word is said, where words have times
    };

    std::vector<Arc> arcs;             // in the order of their ends
    std::vector<std::size_t> into;     // the first arc into each node, and the end
    std::uint32_t span = 1;            // how far an arc reaches at most

    Network(std::vector<Arc> given, std::uint32_t nodes) : arcs(std::move(given)), into(nodes + 1) {
        std::uint32_t last = 0;
        for (const auto &arc : arcs) {
            if (arc.from >= arc.to || arc.to >= nodes || arc.to < last) throw std::invalid_argument("the arcs of a network are not in order");
            last = arc.to;
            span = std::max(span, arc.to - arc.from);
            ++into[arc.to + 1];
        }
        for (std::size_t node = 1; node < into.size(); ++node) {
            if (node > 1 && into[node] == 0) throw std::invalid_argument("no arc leads to a node of a network");
            if (node > 1 && into[node] > 0xfe) throw std::invalid_argument("too many arcs lead to one node of a network");
            into[node] += into[node - 1];
        }
    }

    std::size_t nodes() const { return into.size() - 1; }
};

struct NetworkCosts {
    std::int64_t substitution, deletion, insertion, optional;
};

// Pairs of reference arc and hypothesis arc, NONE where there is none, in order.
using NetworkSteps = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// With ``Timed``, the distance of two words in time and the length of a word add to the costs.
template <bool Timed>
class NetworkAligner {
public:
    NetworkAligner(const Network &ref, const Network &hyp, const NetworkCosts &costs, const std::vector<std::pair<std::uint32_t, std::uint32_t>> &alike)
        : ref_(ref), hyp_(hyp), width_(hyp.nodes()) {
        scale_ = scale(costs);
        costs_ = {costs.substitution * scale_, costs.deletion * scale_, costs.insertion * scale_, costs.optional * scale_};
        plain_hyp_.assign(width_, Network::NONE);
        if constexpr (Timed) plain_spans_.resize(width_);
        for (std::size_t j = 1; j < width_; ++j) {
            if (!plain(hyp, j)) continue;
            plain_hyp_[j] = hyp.arcs[hyp.into[j]].word;
            if constexpr (Timed) plain_spans_[j] = hyp.arcs[hyp.into[j]].span;
        }
        for (const auto &[a, b] : alike) alike_.insert(std::uint64_t{a} << 32 | b);
    }

    NetworkSteps align() {
        const auto n = ref_.nodes(), ring = std::size_t{ref_.span} + 1;
        const auto part = std::max<std::size_t>(1, std::min(n, KEPT / (width_ * sizeof(Back))));
        const auto parts = (n + part - 1) / part;
        if (ring > MOST / width_ || parts > MOST / (ring * width_)) throw std::invalid_argument("the networks are too large to be aligned");
        std::vector<std::int64_t> rows(ring * width_), edges(parts * ring * width_);
        backs_.resize(part * width_);
        for (std::size_t index = 0; index < parts; ++index) {
            std::copy(rows.begin(), rows.end(), edges.begin() + static_cast<std::ptrdiff_t>(index * ring * width_));
            if (index + 1 < parts) sweep(index * part, (index + 1) * part, rows, false);
        }
        NetworkSteps steps;
        auto i = static_cast<std::uint32_t>(n - 1), j = static_cast<std::uint32_t>(width_ - 1);
        for (auto index = parts; index-- > 0;) {
            const auto start = index * part;
            const auto edge = edges.begin() + static_cast<std::ptrdiff_t>(index * ring * width_);
            std::copy(edge, edge + static_cast<std::ptrdiff_t>(rows.size()), rows.begin());
            sweep(start, std::min(n, start + part), rows, true);
            while (i >= start && (i > 0 || j > 0)) {
                const auto &back = backs_[(i - start) * width_ + j];
                const auto a = back.ref == 0xff ? Network::NONE : static_cast<std::uint32_t>(ref_.into[i] + back.ref);
                const auto b = back.hyp == 0xff ? Network::NONE : static_cast<std::uint32_t>(hyp_.into[j] + back.hyp);
                steps.emplace_back(a, b);
                if (a != Network::NONE) i = ref_.arcs[a].from;
                if (b != Network::NONE) j = hyp_.arcs[b].from;
            }
        }
        std::reverse(steps.begin(), steps.end());
        return steps;
    }

private:
    struct Back {
        std::uint8_t ref = 0xff, hyp = 0xff;  // which of the arcs into the node
    };

    static constexpr std::size_t MOST = std::size_t{1} << 30;  // cells
    static constexpr std::int64_t FAR = std::numeric_limits<std::int64_t>::max() / 4;

    bool same(std::uint32_t a, std::uint32_t b) const {
        return a == b || (!alike_.empty() && alike_.count(std::uint64_t{a} << 32 | b) > 0);
    }

    std::int64_t scale(const NetworkCosts &costs) const {
        const auto greatest = std::max({costs.substitution, costs.deletion, costs.insertion, costs.optional}) + 1;
        if constexpr (!Timed) return scale_of(ref_.nodes(), hyp_.nodes(), greatest);
        std::vector<Span> spans;
        std::int64_t total = 0;
        for (const auto *side : {&ref_, &hyp_}) {
            for (const auto &arc : side->arcs) {
                if (arc.word == Network::NONE) continue;
                spans.push_back(arc.span);
                total += greatest + arc.span.length();
            }
        }
        return timed_scale_of(ref_.nodes(), hyp_.nodes(), total, greatest + farthest(spans.data(), spans.size(), nullptr, 0));
    }

    std::int64_t alone(const Network::Arc &arc, std::int64_t cost) const {
        if (arc.word == Network::NONE) return 0;
        const auto own = arc.optional ? costs_.optional : cost;
        if constexpr (Timed) return own + scale_ * arc.span.length();
        return own;
    }

    std::int64_t pair(const Network::Arc &left, const Network::Arc &right) const {
        const auto cost = same(left.word, right.word) ? -1 : costs_.substitution;
        if constexpr (Timed) return cost + scale_ * left.span.from(right.span);
        return cost;
    }

    // Whether the only way into a node is one word, which is not optional, from the node before it.
    static bool plain(const Network &network, std::size_t node) {
        if (network.into[node + 1] - network.into[node] != 1) return false;
        const auto &arc = network.arcs[network.into[node]];
        return arc.from + 1 == node && arc.word != Network::NONE && !arc.optional;
    }

    // A cell between plain nodes, which most cells are: the same ways in the same order.
    std::int64_t plain_cell(const std::int64_t *above, const std::int64_t *row, std::size_t j, const Network::Arc &left, Back &back) const {
        auto best = above[j - 1] + (same(left.word, plain_hyp_[j]) ? -1 : costs_.substitution);
        auto deletion = above[j] + costs_.deletion, insertion = row[j - 1] + costs_.insertion;
        if constexpr (Timed) {
            best += scale_ * left.span.from(plain_spans_[j]);
            deletion += scale_ * left.span.length();
            insertion += scale_ * plain_spans_[j].length();
        }
        back = {0, 0};
        if (deletion < best) best = deletion, back = {0, 0xff};
        if (insertion < best) best = insertion, back = {0xff, 0};
        return best;
    }

    // Fills the rows from ``start`` on, in a ring; with ``keep``, also how each cell was reached.
    void sweep(std::size_t start, std::size_t end, std::vector<std::int64_t> &rows, bool keep) {
        const auto ring = rows.size() / width_;
        for (auto i = start; i < end; ++i) {
            auto *row = rows.data() + i % ring * width_;
            const auto is_plain = i > 0 && plain(ref_, i);
            const auto left = is_plain ? ref_.arcs[ref_.into[i]] : Network::Arc{};
            const auto *above_row = i > 0 ? rows.data() + (i - 1) % ring * width_ : row;
            for (std::size_t j = 0; j < width_; ++j) {
                if (is_plain && plain_hyp_[j] != Network::NONE) {
                    Back way;
                    row[j] = plain_cell(above_row, row, j, left, way);
                    if (keep) backs_[(i - start) * width_ + j] = way;
                    continue;
                }
                auto best = i == 0 && j == 0 ? 0 : FAR;
                Back back;
                const auto consider = [&](std::int64_t cost, std::size_t a, std::size_t b) {
                    if (cost < best) best = cost, back = {static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)};
                };
                for (auto a = ref_.into[i]; a < ref_.into[i + 1]; ++a) {
                    const auto &left = ref_.arcs[a];
                    if (left.word == Network::NONE) continue;
                    const auto *above = rows.data() + left.from % ring * width_;
                    for (auto b = hyp_.into[j]; b < hyp_.into[j + 1]; ++b) {
                        const auto &right = hyp_.arcs[b];
                        if (right.word == Network::NONE) continue;
                        consider(above[right.from] + pair(left, right), a - ref_.into[i], b - hyp_.into[j]);
                    }
                }
                for (auto a = ref_.into[i]; a < ref_.into[i + 1]; ++a) {
                    const auto &left = ref_.arcs[a];
                    const auto cost = rows[left.from % ring * width_ + j] + alone(left, costs_.deletion);
                    consider(cost, a - ref_.into[i], 0xff);
                }
                for (auto b = hyp_.into[j]; b < hyp_.into[j + 1]; ++b) {
                    const auto &right = hyp_.arcs[b];
                    consider(row[right.from] + alone(right, costs_.insertion), 0xff, b - hyp_.into[j]);
                }
                row[j] = best;
                if (keep) backs_[(i - start) * width_ + j] = back;
            }
        }
    }

    const Network &ref_, &hyp_;
    std::size_t width_;
    NetworkCosts costs_{};
    std::unordered_set<std::uint64_t> alike_;
    std::int64_t scale_ = 1;
    std::vector<std::uint32_t> plain_hyp_;  // the word into each plain node of the hypothesis
    std::vector<Span> plain_spans_;         // and its times
    std::vector<Back> backs_;
};

}  // namespace mondegreen
