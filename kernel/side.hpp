// One side of a batch, and its words as numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "align.hpp"
#include "words.hpp"

namespace mondegreen {

// One side of a batch: texts to be split, or tokens. It has a copy of them, so that it needs nothing
// of Python's.
struct Side {
    std::string bytes;                                // of all texts or tokens, one after the other; padded
    std::vector<std::size_t> ends{0};                 // of them; the first is where they begin
    std::optional<std::vector<std::size_t>> offsets;  // of the tokens of each item; none for texts
    bool characters = false;                          // compare characters, words set apart by one space

    std::size_t size() const { return (offsets ? offsets->size() : ends.size()) - 1; }

    void add(std::string_view piece) {
        bytes += piece;
        ends.push_back(bytes.size());
    }

    std::string_view piece(std::size_t at) const { return {bytes.data() + ends[at], ends[at + 1] - ends[at]}; }

    template <typename Take>
    void units(std::size_t item, Take &&take) const {
        if (!characters) return words(item, take);
        bool first = true;
        words(item, [&](std::string_view word) {
            if (!first) take(std::string_view(" "));
            first = false;
            split_characters(word, take);
        });
    }

    template <typename Take>
    void words(std::size_t item, Take &&take) const {
        if (!offsets) return split_words(piece(item), take, PADDING);
        for (auto at = (*offsets)[item]; at < (*offsets)[item + 1]; ++at) take(piece(at));
    }

    // Puts the first words of an item, at most n, into ``out``.
    void first_words(std::size_t item, std::size_t n, std::vector<std::string_view> &out) const {
        out.clear();
        if (offsets) {
            for (auto at = (*offsets)[item]; at < (*offsets)[item + 1] && out.size() < n; ++at) out.push_back(piece(at));
            return;
        }
        for (std::size_t at = 0; out.size() < n;) {
            const auto word = next_word(piece(item), at, PADDING);
            if (word.empty()) return;
            out.push_back(word);
        }
    }
};

// Numbers the words of an item, or its characters.
inline void number_units(const Side &side, std::size_t item, Interner &interner, Ids &out) {
    if (side.characters) return side.units(item, [&](std::string_view unit) { out.push_back(interner.add(unit)); });
    side.words(item, [&](std::string_view word) { out.push_back(interner.add_padded(word)); });
}

}  // namespace mondegreen
