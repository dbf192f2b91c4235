// From texts to numbered words, a pair at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace mondegreen {

// How many bytes after a text can be read where it is said to be padded.
constexpr std::size_t PADDING = 8;

// Eight bytes as a number, the first of them the lowest.
inline std::uint64_t load8(const char *p) {
    std::uint64_t x;
    std::memcpy(&x, p, sizeof x);
    if constexpr (std::endian::native == std::endian::big) x = __builtin_bswap64(x);
    return x;
}

// The first bytes of padded text of which there are fewer than eight, as load8 has them.
inline std::uint64_t load_padded(const char *p, std::size_t n) { return load8(p) & ((std::uint64_t{1} << 8 * n) - 1); }

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
    static constexpr auto NONE = ~std::uint32_t{0};

    struct Word {
        std::string_view text;
        std::uint64_t print;
    };

    void clear() {
        if (++round_ == 0) table_.assign(table_.size(), Entry{}), round_ = 1;
        words_.clear();
    }

    std::uint32_t add(std::string_view word) { return add(word, fingerprint(word)); }

    std::uint32_t add_padded(std::string_view word) {
        if (word.size() >= 8) return add(word);
        return add(word, mix(SEED ^ word.size(), load_padded(word.data(), word.size())));
    }

    // With the word's fingerprint.
    std::uint32_t add(std::string_view word, std::uint64_t print) {
        if (2 * (words_.size() + 1) > table_.size()) grow();
        auto at = print & (table_.size() - 1);
        for (; table_[at].round == round_; at = (at + 1) & (table_.size() - 1)) {
            if (table_[at].print == print && is_word(table_[at].id, word)) return table_[at].id;
        }
        const auto id = static_cast<std::uint32_t>(words_.size());
        table_[at] = {print, round_, id};
        words_.push_back({word, print});
        return id;
    }

    // The number of a word that was added, or NONE.
    std::uint32_t find(std::string_view word, std::uint64_t print) const {
        if (table_.empty()) return NONE;
        for (auto at = print & (table_.size() - 1); table_[at].round == round_; at = (at + 1) & (table_.size() - 1)) {
            if (table_[at].print == print && is_word(table_[at].id, word)) return table_[at].id;
        }
        return NONE;
    }

    // Has a word refer to a copy of its text.
    void keep(std::uint32_t id, std::string_view text) { words_[id].text = text; }

    std::size_t size() const { return words_.size(); }
    const Word &operator[](std::size_t id) const { return words_[id]; }

    // Tells words of up to eight bytes and of one length apart without fail, and others nearly always.
    static std::uint64_t fingerprint(std::string_view word) {
        const char *p = word.data();
        const auto n = word.size();
        auto h = SEED ^ n;
        if (n >= 8) {
            for (std::size_t at = 0; at + 8 < n; at += 8) h = mix(h, load8(p + at));
            return mix(h, load8(p + n - 8));
        }
        std::uint64_t x = 0;
        for (auto at = n; at-- > 0;) x = x << 8 | static_cast<unsigned char>(p[at]);
        return mix(h, x);
    }

private:
    static constexpr std::uint64_t SEED = 0x9E3779B97F4A7C15;

    struct Entry {
        std::uint64_t print = 0;
        std::uint32_t round = 0;
        std::uint32_t id = 0;
    };

    // Whether a word with the same fingerprint is the same.
    bool is_word(std::uint32_t id, std::string_view word) const {
        const auto known = words_[id].text;
        return known.size() == word.size() && (word.size() <= 8 || known == word);
    }

    static std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
        h = (h ^ x) * 0xBF58476D1CE4E5B9;
        return h ^ h >> 32;
    }

    void grow() {
        table_.assign(table_.empty() ? 256 : 2 * table_.size(), Entry{});
        for (std::uint32_t id = 0; id < words_.size(); ++id) {
            auto at = words_[id].print & (table_.size() - 1);
            while (table_[at].round == round_) at = (at + 1) & (table_.size() - 1);
            table_[at] = {words_[id].print, round_, id};
        }
    }

    std::vector<Entry> table_;
    std::vector<Word> words_;
    std::uint32_t round_ = 1;
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

// The length of the character at a place of valid UTF-8 text; 0 where it is a control character, white space other than
// a space, or perhaps of a script without spaces between words (mondegreen.text.segment).
inline std::size_t ordinary_width(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0; };
    const auto c = byte(0), next = byte(1);
    if (c < 0x80) return c >= 0x20 ? 1 : 0;
    if (c < 0xe0) return c == 0xc2 && (next == 0x85 || next == 0xa0) ? 0 : 2;
    if (c == 0xe0) return next >= 0xa4 && next <= 0xb7 ? 3 : 0;  // scripts of India
    if (c == 0xe1) return next >= 0xb8 && next <= 0xbb ? 3 : 0;  // Latin letters of Vietnam
    if (c == 0xe2) return space_at(text.substr(at)) == 0 ? 3 : 0;  // punctuation and symbols
    if (c == 0xea) return next >= 0xb0 ? 3 : 0;
    if (c == 0xeb || c == 0xec) return 3;  // Hangul
    return c == 0xf0 && next == 0x9f ? 4 : 0;  // emoji
}

// Whether a word is not empty, and all of its characters are ordinary.
inline bool is_ordinary(std::string_view word) {
    for (std::size_t at = 0; at < word.size();) {
        const auto width = ordinary_width(word, at);
        if (width == 0) return false;
        at += width;
    }
    return !word.empty();
}

// The first place from ``at`` on with a byte that is a space or control character, or begins a
// character beyond ASCII; eight bytes are looked at a time. The first ``readable`` bytes may be read.
inline std::size_t plain_until(std::string_view text, std::size_t at, std::size_t readable) {
    constexpr std::uint64_t HIGH = 0x8080808080808080, SEVEN = ~HIGH, ABOVE_SPACE = 0x5f5f5f5f5f5f5f5f;
    for (; at + 8 <= readable && at < text.size(); at += 8) {
        const auto x = load8(text.data() + at);
        const auto found = (~(((x & SEVEN) + ABOVE_SPACE) | x) | (x & x << 1)) & HIGH;
        if (found != 0) return std::min(at + static_cast<std::size_t>(std::countr_zero(found)) / 8, text.size());
    }
    while (at < text.size() && static_cast<unsigned char>(text[at]) - 0x21u < 0xc0u - 0x21u) ++at;
    return std::min(at, text.size());
}

// The length of the white space at a place of a text.
inline std::size_t space_in(std::string_view text, std::size_t at) {
    const auto c = static_cast<unsigned char>(text[at]);
    return c == ' ' ? 1 : (c > 0x20 && c < 0xc2) || c > 0xe3 ? 0 : space_at(text.substr(at));
}

// The next word of a text from ``at`` on, which moves behind it; nothing at the end.
inline std::string_view next_word(std::string_view text, std::size_t &at, std::size_t padding) {
    const auto size = text.size();
    while (at < size) {
        const auto width = space_in(text, at);
        if (width == 0) break;
        at += width;
    }
    const auto start = at;
    at = plain_until(text, at, size + padding);
    while (at < size && space_in(text, at) == 0) ++at;  // most bytes cannot begin white space
    return text.substr(start, at - start);
}

// Calls ``take`` with each word of a text.
template <typename Take>
void split_words(std::string_view text, Take &&take, std::size_t padding = 0) {
    for (std::size_t at = 0;;) {
        const auto word = next_word(text, at, padding);
        if (word.empty()) return;
        take(word);
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

// Appends the characters of a word as numbers, after a space where it is not the first word. The
// characters of ASCII are their own numbers.
inline void number_letters(std::string_view word, Interner &interner, std::vector<std::uint32_t> &out) {
    if (!out.empty()) out.push_back(' ');
    split_characters(word, [&](std::string_view c) {
        out.push_back(c.size() == 1 ? static_cast<unsigned char>(c[0]) : 128 + interner.add(c));
    });
}

}  // namespace mondegreen
