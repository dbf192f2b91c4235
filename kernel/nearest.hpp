// The entries of a word list nearest to a word by Levenshtein distance, exactly.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace mondegreen {

struct Hit {
    std::uint32_t distance;
    std::uint32_t index;
    auto operator<=>(const Hit &) const = default;
};

// One word prepared for comparison with many: Hyyrö's bit-parallel distance, which holds the word
// in one machine word. Longer words take the plain dynamic programme.
class Pattern {
public:
    explicit Pattern(const std::u32string &word) : word_(word) {
        for (std::size_t i = 0; i < std::min<std::size_t>(word.size(), 64); ++i) {
            if (word[i] < 128) {
                ascii_[word[i]] |= 1ull << i;
            } else {
                others_[word[i]] |= 1ull << i;
            }
        }
    }

    std::uint32_t distance(const std::u32string &other) const {
        if (word_.empty()) return static_cast<std::uint32_t>(other.size());
        return word_.size() > 64 ? plain(other) : parallel(other);
    }

private:
    std::uint64_t mask(char32_t c) const {
        if (c < 128) return ascii_[c];
        const auto found = others_.find(c);
        return found == others_.end() ? 0 : found->second;
    }

    std::uint32_t parallel(const std::u32string &other) const {
        std::uint64_t up = ~0ull, down = 0;
        const auto last = 1ull << (word_.size() - 1);
        auto score = static_cast<std::uint32_t>(word_.size());
        for (const auto c : other) {
            const auto match = mask(c);
            const auto zero = (((match & up) + up) ^ up) | match | down;
            auto right_up = down | ~(zero | up);
            auto right_down = up & zero;
            score += (right_up & last) != 0;
            score -= (right_down & last) != 0;
            right_up = right_up << 1 | 1;
            right_down <<= 1;
            up = right_down | ~(zero | right_up);
            down = right_up & zero;
        }
        return score;
    }

    std::uint32_t plain(const std::u32string &other) const {
        std::vector<std::uint32_t> row(other.size() + 1);
        for (std::size_t j = 0; j <= other.size(); ++j) row[j] = static_cast<std::uint32_t>(j);
        for (std::size_t i = 0; i < word_.size(); ++i) {
            auto diagonal = row[0]++;
            for (std::size_t j = 0; j < other.size(); ++j) {
                const auto replaced = diagonal + (word_[i] != other[j]);
                diagonal = row[j + 1];
                row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
            }
        }
        return row.back();
    }

    const std::u32string &word_;
    std::uint64_t ascii_[128] = {};
    std::unordered_map<char32_t, std::uint64_t> others_;
};

class Nearest {
public:
    explicit Nearest(std::vector<std::u32string> words) : words_(std::move(words)) {
        for (std::uint32_t i = 0; i < words_.size(); ++i) {
            by_length_[words_[i].size()].push_back({letters(words_[i]), i});
        }
    }

    // The lengths are visited from the word's own outwards. What a difference in length, or the
    // letters that only one of two words has, already costs more than the worst of n hits is
    // passed over.
    std::vector<Hit> find(const std::u32string &word, std::size_t n) const {
        std::vector<Hit> best;
        if (n == 0) return best;
        const Pattern pattern(word);
        const auto bag = letters(word);
        const auto longest = by_length_.empty() ? 0 : by_length_.rbegin()->first;
        const auto reach = std::max(longest, word.size());
        for (std::size_t gap = 0; gap <= reach; ++gap) {
            if (best.size() == n && gap > best.back().distance) break;
            if (gap <= word.size()) visit(word.size() - gap, pattern, bag, n, best);
            if (gap > 0) visit(word.size() + gap, pattern, bag, n, best);
        }
        return best;
    }

private:
    struct Entry {
        std::uint64_t bag;
        std::uint32_t index;
    };

    static std::uint64_t letters(const std::u32string &word) {
        std::uint64_t bag = 0;
        for (const auto c : word) bag |= 1ull << (c & 63);
        return bag;
    }

    void visit(std::size_t length, const Pattern &pattern, std::uint64_t bag, std::size_t n,
               std::vector<Hit> &best) const {
        const auto bucket = by_length_.find(length);
        if (bucket == by_length_.end()) return;
        for (const auto &entry : bucket->second) {
            if (best.size() == n) {
                const auto here = std::popcount(bag & ~entry.bag);
                const auto there = std::popcount(entry.bag & ~bag);
                if (static_cast<std::uint32_t>(std::max(here, there)) > best.back().distance) continue;
            }
            const Hit hit{pattern.distance(words_[entry.index]), entry.index};
            if (best.size() == n && hit > best.back()) continue;
            best.insert(std::upper_bound(best.begin(), best.end(), hit), hit);
            if (best.size() > n) best.pop_back();
        }
    }

    std::vector<std::u32string> words_;
    std::map<std::size_t, std::vector<Entry>> by_length_;
};

}  // namespace mondegreen
