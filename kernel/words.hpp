// From texts to numbered words, a pair at a time.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace mondegreen {

// Whether a token is a punctuation mark, before which nothing is inserted; is_mark of text/words.py is its twin.
inline bool is_mark(std::string_view token) {
    if (token.empty()) return false;
    for (std::size_t i = 0; i < token.size(); ++i) {
        if (token.substr(i, 3) == "\xe2\x80\xa6") {  // an ellipsis
            i += 2;
        } else if (std::string_view(".,!?;:").find(token[i]) == std::string_view::npos) {
            return false;
        }
    }
    return true;
}

// Numbers words so that equal ones get equal numbers; emptied for each pair at no cost.
class Interner {
public:
    void clear() {
        ++round_;
        count_ = 0;
    }

    std::uint32_t add(std::string_view word) {
        if (2 * (count_ + 1) > table_.size()) grow();
        const auto print = fingerprint(word);
        auto at = print & (table_.size() - 1);
        for (; table_[at].round == round_; at = (at + 1) & (table_.size() - 1)) {
            if (table_[at].print == print && table_[at].word == word) return table_[at].id;
        }
        table_[at] = {print, word, round_, static_cast<std::uint32_t>(count_)};
        return static_cast<std::uint32_t>(count_++);
    }

    std::size_t size() const { return count_; }

private:
    struct Entry {
        std::uint64_t print = 0;
        std::string_view word;
        std::uint64_t round = 0;
        std::uint32_t id = 0;
    };

    static std::uint64_t fingerprint(std::string_view word) {
        const char *p = word.data();
        const auto n = word.size();
        std::uint64_t h = 0x9E3779B97F4A7C15 ^ n;
        if (n >= 8) {
            for (std::size_t at = 0; at + 8 < n; at += 8) h = mix(h, load<std::uint64_t>(p + at));
            return mix(h, load<std::uint64_t>(p + n - 8));
        }
        if (n >= 4) return mix(h, load<std::uint32_t>(p) | std::uint64_t{load<std::uint32_t>(p + n - 4)} << 32);
        if (n == 0) return h;
        const auto byte = [&](std::size_t at) { return std::uint64_t{static_cast<unsigned char>(p[at])}; };
        return mix(h, byte(0) | byte(n / 2) << 8 | byte(n - 1) << 16);
    }

    template <typename T>
    static T load(const char *p) {
        T x;
        std::memcpy(&x, p, sizeof x);
        return x;
    }

    static std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
        h = (h ^ x) * 0xBF58476D1CE4E5B9;
        return h ^ h >> 32;
    }

    void grow() {
        std::vector<Entry> old(table_.empty() ? 256 : 2 * table_.size());
        old.swap(table_);
        for (const auto &entry : old) {
            if (entry.round != round_) continue;
            auto at = entry.print & (table_.size() - 1);
            while (table_[at].round == round_) at = (at + 1) & (table_.size() - 1);
            table_[at] = entry;
        }
    }

    std::vector<Entry> table_;
    std::uint64_t round_ = 1;
    std::size_t count_ = 0;
};

// The length of the white space at the start of UTF-8 text, by Python's idea of white space.
inline std::size_t space_at(std::string_view text) {
    const auto c = static_cast<unsigned char>(text[0]);
    if (c <= 0x20) return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) ? 1 : 0;
    if (c < 0xc2 || c > 0xe3) return 0;
    const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
    if (c == 0xc2) return at(1) == 0x85 || at(1) == 0xa0 ? 2 : 0;
    if (c == 0xe1) return at(1) == 0x9a && at(2) == 0x80 ? 3 : 0;
    if (c == 0xe2 && at(1) == 0x80) return (at(2) >= 0x80 && at(2) <= 0x8a) || at(2) == 0xa8 || at(2) == 0xa9 || at(2) == 0xaf ? 3 : 0;
    if (c == 0xe2 && at(1) == 0x81) return at(2) == 0x9f ? 3 : 0;
    if (c == 0xe3) return at(1) == 0x80 && at(2) == 0x80 ? 3 : 0;
    return 0;
}

// Calls ``take`` with each word of a text.
template <typename Take>
void split_words(std::string_view text, Take &&take) {
    const auto ends = [&](std::size_t at) -> std::size_t {  // most bytes cannot begin white space
        const auto c = static_cast<unsigned char>(text[at]);
        return (c > 0x20 && c < 0xc2) || c > 0xe3 ? 0 : space_at(text.substr(at));
    };
    const auto size = text.size();
    for (std::size_t at = 0; at < size;) {
        if (const auto space = ends(at)) {
            at += space;
            continue;
        }
        const auto start = at;
        do ++at;
        while (at < size && ends(at) == 0);
        take(text.substr(start, at - start));
    }
}

// Calls ``take`` with each character of UTF-8 text.
template <typename Take>
void split_characters(std::string_view text, Take &&take) {
    for (std::size_t at = 0; at < text.size();) {
        auto end = at + 1;
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
        take(text.substr(at, end - at));
        at = end;
    }
}

}  // namespace mondegreen
