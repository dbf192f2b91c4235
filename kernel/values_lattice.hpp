// All readings of a text in one graph, and whether two texts share a reading.
#pragma once

#include <unordered_set>

#include "values_number.hpp"
#include "values_tables.hpp"

namespace mondegreen::values {

// How an edge may be weak: what may only be meant so, and what stands for any form of a word.
inline constexpr std::uint8_t GUESS = 1, FORM = 2;

// A graph of labels. Nodes up to the size stand between tokens, later ones inside readings.
class Lattice {
public:
    struct Edge {
        Label label;
        std::uint32_t target;
        std::int32_t next;
        std::uint8_t weak;
    };

    void start(std::size_t size) {
        size_ = static_cast<std::uint32_t>(size);
        heads_.assign(size + 1, -1);
        edges_.clear();
    }

    // Adds a reading of the tokens between two nodes.
    void add(std::size_t start, std::size_t end, const Label *labels, std::size_t n, std::uint8_t weak = 0) {
        auto from = static_cast<std::uint32_t>(start);
        for (std::size_t i = 0; i < n; ++i) {
            const bool last = i + 1 == n;
            if (!last) heads_.push_back(-1);
            const auto to = last ? static_cast<std::uint32_t>(end) : static_cast<std::uint32_t>(heads_.size() - 1);
            edges_.push_back({labels[i], to, heads_[from], weak});
            heads_[from] = static_cast<std::int32_t>(edges_.size() - 1);
            from = to;
        }
    }
    void add(std::size_t start, std::size_t end, const Labels &labels, std::uint8_t weak = 0) { add(start, end, labels.data(), labels.size(), weak); }
    void add(std::size_t start, std::size_t end, Label label, std::uint8_t weak = 0) { add(start, end, &label, 1, weak); }

    std::uint32_t size() const { return size_; }
    std::size_t nodes() const { return heads_.size(); }
    std::int32_t head(std::uint32_t node) const { return heads_[node]; }
    const Edge &edge(std::int32_t at) const { return edges_[static_cast<std::size_t>(at)]; }

private:
    std::uint32_t size_ = 0;
    std::vector<std::int32_t> heads_;
    std::vector<Edge> edges_;
};

// Walks through two lattices at once.
class Walk {
public:
    // Calls `reached` with every pair of nodes that a shared reading leads to from a start; it says whether to stop.
    template <typename F>
    void from(const Lattice &left, const Lattice &right, std::uint32_t at, std::uint32_t beside, F &&reached) {
        columns_ = right.nodes();
        const auto all = left.nodes() * columns_;
        dense_ = all <= MOST;
        if (dense_) {
            if (seen_.size() < all) seen_.resize(all, 0);
            if (++turn_ == 0) {
                std::fill(seen_.begin(), seen_.end(), 0);
                turn_ = 1;
            }
        } else {
            sparse_.clear();
        }
        waiting_.clear();
        visit(at, beside);
        while (!waiting_.empty()) {
            const auto [a, b] = waiting_.back();
            waiting_.pop_back();
            if (reached(a, b)) return;
            for (auto i = left.head(a); i >= 0;) {
                const auto &one = left.edge(i);
                for (auto j = right.head(b); j >= 0;) {
                    const auto &other = right.edge(j);
                    if (one.label == other.label && !(one.weak & other.weak)) visit(one.target, other.target);
                    j = other.next;
                }
                i = one.next;
            }
        }
    }

private:
    static constexpr std::size_t MOST = 1 << 22;

    void visit(std::uint32_t a, std::uint32_t b) {
        const auto key = a * columns_ + b;
        if (dense_) {
            if (seen_[key] == turn_) return;
            seen_[key] = turn_;
        } else if (!sparse_.insert(key).second) {
            return;
        }
        waiting_.emplace_back(a, b);
    }

    std::size_t columns_ = 0;
    bool dense_ = true;
    std::uint16_t turn_ = 0;
    std::vector<std::uint16_t> seen_;
    std::unordered_set<std::size_t> sparse_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> waiting_;
};

}  // namespace mondegreen::values
