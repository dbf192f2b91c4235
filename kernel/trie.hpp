// Symbol sequences as a trie, laid out in the order of a walk: what is below a node comes right after it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "align.hpp"

namespace mondegreen {

// A table of costs is square, has a row per symbol that can stand alone, and no cost below 0 or too high to be added.
template <typename Cost>
void check_table(const std::vector<Cost> &substitution, const std::vector<Cost> &alone) {
    constexpr auto most = static_cast<Cost>(std::min<std::int64_t>(std::int64_t{1} << 40, std::numeric_limits<Cost>::max() >> 12));
    if (substitution.size() != alone.size() * alone.size()) throw std::invalid_argument("a table of costs must be square, with a cost per symbol");
    for (const auto *costs : {&substitution, &alone}) {
        for (const auto cost : *costs) {
            if (cost < 0 || cost > most) throw std::invalid_argument("a cost is out of range");
        }
    }
}

inline void check_symbols(const Ids &sequence, std::size_t symbols) {
    for (const auto symbol : sequence) {
        if (symbol >= symbols) throw std::invalid_argument("a symbol is not in the table of costs");
    }
}

struct Trie {
    struct Node {
        std::uint32_t symbol, depth;
        std::uint32_t skip;         // the next node that is not below this one
        std::uint32_t first, last;  // those of `entries` that end here
    };

    explicit Trie(const std::vector<Ids> &sequences) : nodes{{0, 0, 0, 0, 0}}, entries(sequences.size()) {
        std::iota(entries.begin(), entries.end(), 0u);
        std::stable_sort(entries.begin(), entries.end(), [&](auto a, auto b) { return sequences[a] < sequences[b]; });
        std::vector<std::uint32_t> open{0};
        const auto close = [&](std::size_t depth) {
            for (; open.size() > depth + 1; open.pop_back()) nodes[open.back()].skip = static_cast<std::uint32_t>(nodes.size());
        };
        const Ids none, *above = &none;
        for (std::uint32_t at = 0; at < entries.size(); ++at) {
            const auto &sequence = sequences[entries[at]];
            const auto shared = std::mismatch(sequence.begin(), sequence.end(), above->begin(), above->end()).first - sequence.begin();
            close(static_cast<std::size_t>(shared));
            for (auto depth = static_cast<std::size_t>(shared); depth < sequence.size(); ++depth) {
                open.push_back(static_cast<std::uint32_t>(nodes.size()));
                nodes.push_back({sequence[depth], static_cast<std::uint32_t>(depth + 1), 0, at, at});
            }
            nodes[open.back()].last = at + 1;
            above = &sequence;
        }
        close(0);
        nodes[0].skip = static_cast<std::uint32_t>(nodes.size());
        for (const auto &node : nodes) deepest = std::max<std::size_t>(deepest, node.depth);
    }

    std::vector<Node> nodes;
    std::vector<std::uint32_t> entries;
    std::size_t deepest = 0;
};

}  // namespace mondegreen
