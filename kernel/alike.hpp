// The entries of a lexicon of symbol sequences nearest to a sequence under a table of costs, exactly.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "align.hpp"

namespace mondegreen {

class Alike {
public:
    using Hit = std::pair<std::int64_t, std::uint32_t>;  // cost, entry

    Alike(const std::vector<Ids> &entries, std::vector<std::int64_t> substitution, std::vector<std::int64_t> alone)
        : substitution_(std::move(substitution)), alone_(std::move(alone)), nodes_(1) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> edges;
        for (std::uint32_t entry = 0; entry < entries.size(); ++entry) {
            std::uint32_t at = 0;
            for (const auto symbol : entries[entry]) {
                auto [edge, fresh] = edges.try_emplace({at, symbol}, static_cast<std::uint32_t>(nodes_.size()));
                if (fresh) {
                    nodes_.push_back({symbol, {}, {}});
                    nodes_[at].children.push_back(edge->second);
                }
                at = edge->second;
            }
            nodes_[at].entries.push_back(entry);
        }
    }

    // The n cheapest, the earlier one of equals. The trie is walked with a bound on the cost, which
    // is doubled until there are enough; what is found within a bound is all there is.
    std::vector<Hit> find(const Ids &query, std::size_t n) const {
        std::vector<Hit> best;
        const auto wanted = std::min(n, count());
        auto bound = std::max<std::int64_t>(1, *std::max_element(alone_.begin(), alone_.end()) / 4);
        for (; best.size() < wanted; bound *= 2) {
            best.clear();
            Search search{*this, query, n, bound, best, {}};
            search.run();
        }
        std::sort(best.begin(), best.end());
        return best;
    }

private:
    struct Node {
        std::uint32_t symbol = 0;
        std::vector<std::uint32_t> children, entries;
    };

    struct Search {
        const Alike &lexicon;
        const Ids &query;
        std::size_t n;
        std::int64_t bound;
        std::vector<Hit> &best;  // a heap, the worst on top
        std::vector<std::vector<std::int64_t>> rows;

        void run() {
            rows.emplace_back(1, 0);
            for (const auto symbol : query) rows[0].push_back(rows[0].back() + lexicon.alone_[symbol]);
            take(lexicon.nodes_[0], rows[0].back());
            for (const auto child : lexicon.nodes_[0].children) visit(child, 1);
        }

        void visit(std::uint32_t index, std::size_t depth) {
            const auto &node = lexicon.nodes_[index];
            if (rows.size() <= depth) rows.emplace_back(query.size() + 1);
            const auto &above = rows[depth - 1];
            auto &row = rows[depth];
            const auto lone = lexicon.alone_[node.symbol];
            const auto *costs = lexicon.substitution_.data() + node.symbol * lexicon.alone_.size();
            auto left = row[0] = above[0] + lone, least = left;
            for (std::size_t j = 0; j < query.size(); ++j) {
                const auto here = std::min(above[j] + costs[query[j]], above[j + 1] + lone);
                row[j + 1] = left = std::min(here, left + lexicon.alone_[query[j]]);
                least = std::min(least, left);
            }
            if (least > bound) return;
            take(node, row.back());
            for (const auto child : node.children) visit(child, depth + 1);
        }

        void take(const Node &node, std::int64_t cost) {
            if (cost > bound) return;
            for (const auto entry : node.entries) {
                best.emplace_back(cost, entry);
                std::push_heap(best.begin(), best.end());
                if (best.size() > n) {
                    std::pop_heap(best.begin(), best.end());
                    best.pop_back();
                }
                if (best.size() == n) bound = best.front().first;
            }
        }
    };

    std::size_t count() const {
        std::size_t sum = 0;
        for (const auto &node : nodes_) sum += node.entries.size();
        return sum;
    }

    std::vector<std::int64_t> substitution_, alone_;
    std::vector<Node> nodes_;
};

}  // namespace mondegreen
