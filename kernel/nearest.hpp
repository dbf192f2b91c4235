// The entries of a word list nearest to a word by Levenshtein distance, exactly.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__)
#define MONDEGREEN_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define MONDEGREEN_CLONES
#endif

namespace mondegreen {

struct Hit {
    std::uint32_t distance;
    std::uint32_t index;
    auto operator<=>(const Hit &) const = default;
};

class Nearest {
public:
    explicit Nearest(const std::vector<std::u32string> &words) {
        for (const auto &word : words) {
            entries_.push_back({letters(word), static_cast<std::uint32_t>(word.size()), text_.size()});
            for (const auto c : word) {
                text_.push_back(ids_.try_emplace(c, static_cast<std::uint32_t>(ids_.size() + 1)).first->second);
            }
        }
    }

    // What two words' lengths and letters say is a lower bound of their distance. The entries are
    // taken in the order of that bound, until it is above the worst of the n best.
    std::vector<Hit> find(const std::u32string &word, std::size_t n) const {
        std::vector<Hit> best;
        static thread_local std::vector<std::uint8_t> bounds;
        const auto highest = bound_all(word, bounds);
        const Pattern pattern(word, ids_);
        for (std::uint32_t bound = 0; n > 0 && bound <= highest; ++bound) {
            if (best.size() == n && bound > best.back().distance) break;
            const auto *at = bounds.data(), *const end = at + bounds.size();
            while ((at = std::find(at, end, static_cast<std::uint8_t>(bound))) != end) {
                const auto i = static_cast<std::uint32_t>(at++ - bounds.data());
                const auto &entry = entries_[i];
                const auto worst = best.size() == n ? best.back().distance : ~0u >> 1;
                const Hit hit{pattern.distance(text_.data() + entry.start, entry.size, worst), i};
                if (best.size() == n && hit > best.back()) continue;
                best.insert(std::upper_bound(best.begin(), best.end(), hit), hit);
                if (best.size() > n) best.pop_back();
            }
        }
        return best;
    }

private:
    using Ids = std::unordered_map<char32_t, std::uint32_t>;

    struct Entry {
        std::uint64_t bag;
        std::uint32_t size;
        std::size_t start;
    };

    // A lower bound of the distance to each entry (at most 255); returns the highest.
    MONDEGREEN_CLONES std::uint32_t bound_all(const std::u32string &word, std::vector<std::uint8_t> &bounds) const {
        const auto size = static_cast<std::uint32_t>(word.size());
        const auto bag = letters(word);
        std::uint32_t highest = 0;
        bounds.resize(entries_.size());
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            const auto &entry = entries_[i];
            const auto longer = std::max(entry.size, size) - std::min(entry.size, size);
            const auto here = static_cast<std::uint32_t>(std::popcount(bag & ~entry.bag));
            const auto there = static_cast<std::uint32_t>(std::popcount(entry.bag & ~bag));
            const auto bound = std::min(std::max({longer, here, there}), 255u);
            bounds[i] = static_cast<std::uint8_t>(bound);
            highest = std::max(highest, bound);
        }
        return highest;
    }

    // One bit for the first a, one for any further a, and so on; other letters share twelve bits.
    static std::uint64_t letters(const std::u32string &word) {
        std::uint64_t bag = 0;
        for (const auto c : word) {
            if (c >= U'a' && c <= U'z') {
                const auto first = 1ull << (c - U'a');
                bag |= bag & first ? first << 26 : first;
            } else {
                bag |= 1ull << (52 + c % 12);
            }
        }
        return bag;
    }

    // One word prepared for comparison with many: Hyyrö's bit-parallel distance, which holds the
    // word in one machine word. Longer words take the plain dynamic programme.
    class Pattern {
    public:
        Pattern(const std::u32string &word, const Ids &ids) : masks_(ids.size() + 1) {
            for (const auto c : word) {
                const auto known = ids.find(c);
                word_.push_back(known == ids.end() ? 0 : known->second);
                if (word_.back() != 0 && word_.size() <= 64) masks_[word_.back()] |= 1ull << (word_.size() - 1);
            }
        }

        // Exact up to ``worst``; anything above it where the distance is above it.
        std::uint32_t distance(const std::uint32_t *other, std::uint32_t size, std::uint32_t worst) const {
            if (word_.empty()) return size;
            return word_.size() > 64 ? plain(other, size) : parallel(other, size, worst);
        }

    private:
        std::uint32_t parallel(const std::uint32_t *other, std::uint32_t size, std::uint32_t worst) const {
            std::uint64_t up = ~0ull, down = 0;
            const auto last = word_.size() - 1;
            auto score = static_cast<std::uint32_t>(word_.size());
            for (std::uint32_t i = 0; i < size; ++i) {
                const auto match = masks_[other[i]];
                const auto zero = (((match & up) + up) ^ up) | match | down;
                auto right_up = down | ~(zero | up);
                auto right_down = up & zero;
                score += right_up >> last & 1;
                score -= right_down >> last & 1;
                if (score > worst + (size - i - 1)) return score;
                right_up = right_up << 1 | 1;
                right_down <<= 1;
                up = right_down | ~(zero | right_up);
                down = right_up & zero;
            }
            return score;
        }

        std::uint32_t plain(const std::uint32_t *other, std::uint32_t size) const {
            std::vector<std::uint32_t> row(size + 1);
            for (std::uint32_t j = 0; j <= size; ++j) row[j] = j;
            for (const auto c : word_) {
                auto diagonal = row[0]++;
                for (std::uint32_t j = 0; j < size; ++j) {
                    const auto replaced = diagonal + (c != other[j]);
                    diagonal = row[j + 1];
                    row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
                }
            }
            return row[size];
        }

        std::vector<std::uint32_t> word_;
        std::vector<std::uint64_t> masks_;
    };

    Ids ids_;
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> text_;
};

}  // namespace mondegreen
