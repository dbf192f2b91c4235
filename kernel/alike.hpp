// The entries of a lexicon of symbol sequences nearest to a sequence under a table of costs, exactly.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "trie.hpp"

namespace mondegreen {

class Alike {
public:
    using Hit = std::pair<std::int64_t, std::uint32_t>;  // cost, entry

    Alike(const std::vector<Ids> &entries, std::vector<std::int64_t> substitution, std::vector<std::int64_t> alone)
        : trie_(entries), substitution_(std::move(substitution)), alone_(std::move(alone)) {
        check_table(substitution_, alone_);
        for (const auto &entry : entries) check_symbols(entry, alone_.size());
    }

    // The n cheapest, the earlier one of equals. The trie is walked with a bound on the cost, which
    // grows until there are enough; what is found within a bound is all there is.
    std::vector<Hit> find(const Ids &query, std::size_t n) const {
        check_symbols(query, alone_.size());
        std::vector<Hit> best;
        const auto wanted = std::min(n, trie_.entries.size());
        const auto step = std::max<std::int64_t>(1, alone_.empty() ? 0 : *std::max_element(alone_.begin(), alone_.end()) / 4);
        for (auto bound = step; best.size() < wanted; bound += std::max(step, bound / 4)) {
            best.clear();
            Search search{*this, query, n, bound, best, {}};
            search.run();
        }
        std::sort(best.begin(), best.end());
        return best;
    }

private:
    struct Search {
        const Alike &lexicon;
        const Ids &query;
        std::size_t n;
        std::int64_t bound;
        std::vector<Hit> &best;  // a heap, the worst on top
        std::vector<std::vector<std::int64_t>> rows;

        void run() {
            rows.assign(lexicon.trie_.deepest + 1, std::vector<std::int64_t>(query.size() + 1));
            for (std::size_t j = 0; j < query.size(); ++j) rows[0][j + 1] = rows[0][j] + lexicon.alone_[query[j]];
            const auto &nodes = lexicon.trie_.nodes;
            take(nodes[0], rows[0].back());
            for (std::size_t at = 1; at < nodes.size();) {
                const auto least = fill(nodes[at]);
                if (least <= bound) take(nodes[at], rows[nodes[at].depth].back());
                at = least <= bound ? at + 1 : nodes[at].skip;
            }
        }

        // The costs of the node's symbols against each beginning of the query; the least of them.
        std::int64_t fill(const Trie::Node &node) {
            const auto &above = rows[node.depth - 1];
            auto &row = rows[node.depth];
            const auto lone = lexicon.alone_[node.symbol];
            const auto *costs = lexicon.substitution_.data() + node.symbol * lexicon.alone_.size();
            auto left = row[0] = above[0] + lone, least = left;
            for (std::size_t j = 0; j < query.size(); ++j) {
                const auto here = std::min(above[j] + costs[query[j]], above[j + 1] + lone);
                row[j + 1] = left = std::min(here, left + lexicon.alone_[query[j]]);
                least = std::min(least, left);
            }
            return least;
        }

        void take(const Trie::Node &node, std::int64_t cost) {
            if (cost > bound) return;
            for (auto at = node.first; at < node.last; ++at) {
                best.emplace_back(cost, lexicon.trie_.entries[at]);
                std::push_heap(best.begin(), best.end());
                if (best.size() > n) {
                    std::pop_heap(best.begin(), best.end());
                    best.pop_back();
                }
                if (best.size() == n) bound = best.front().first;
            }
        }
    };

    Trie trie_;
    std::vector<std::int64_t> substitution_, alone_;
};

}  // namespace mondegreen
