// Texts of known symbols (phonemes), aligned with unit costs and under a table of costs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "batch.hpp"

namespace mondegreen {

struct SymbolAlignment {
    Aligned plain;     // counts: match substitution deletion insertion
    Aligned weighted;  // counts: the cost of each pair
};

inline std::int64_t cost_of(const Ids &ref, const Ids &hyp, const std::uint8_t *step, const std::uint8_t *end,
                            const TablePair::Table &table) {
    std::int64_t cost = 0;
    for (std::size_t i = 0, j = 0; step != end; ++step) {
        if (*step == deletion) cost += table.alone[ref[i]];
        else if (*step == insertion) cost += table.alone[hyp[j]];
        else cost += table.substitution[ref[i] * table.symbols + hyp[j]];
        i += *step != insertion;
        j += *step != deletion;
    }
    return cost;
}

// Nothing where a symbol is neither known nor silent.
inline std::optional<SymbolAlignment> align_symbols(const Side &refs, const Side &hyps, const std::vector<std::string> &symbols,
                                                    const std::vector<std::string> &silent, const TablePair::Table &table) {
    constexpr auto SILENT = ~0u;
    std::unordered_map<std::string_view, std::uint32_t> numbers;
    for (const auto &symbol : silent) numbers[symbol] = SILENT;
    for (std::uint32_t i = 0; i < symbols.size(); ++i) numbers[symbols[i]] = i;
    const auto read = [&](const Side &side, std::size_t item, Ids &out) {
        bool known = true;
        out.clear();
        side.words(item, [&](std::string_view word) {
            const auto number = numbers.find(word);
            if (number == numbers.end()) known = false;
            else if (number->second != SILENT) out.push_back(number->second);
        });
        return known;
    };
    SymbolAlignment found;
    UnitAligner aligner;
    Ids ref, hyp;
    for (std::size_t item = 0; item < refs.size(); ++item) {
        if (!read(refs, item, ref) || !read(hyps, item, hyp)) return std::nullopt;
        auto &plain = found.plain, &weighted = found.weighted;
        auto from = plain.steps.size();
        aligner.align(ref, hyp, symbols.size(), plain.steps);
        plain.ends.push_back(static_cast<std::int64_t>(plain.steps.size()));
        plain.counts.resize(plain.counts.size() + 4);
        auto *counts = plain.counts.data() + plain.counts.size() - 4;
        for (; from < plain.steps.size(); ++from) ++counts[plain.steps[from]];
        from = weighted.steps.size();
        align_by_rows(TablePair(ref, hyp, table), weighted.steps);
        weighted.ends.push_back(static_cast<std::int64_t>(weighted.steps.size()));
        const auto *steps = weighted.steps.data();
        weighted.counts.push_back(cost_of(ref, hyp, steps + from, steps + weighted.steps.size(), table));
    }
    return found;
}

}  // namespace mondegreen
