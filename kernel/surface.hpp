// Punctuation and case of an aligned pair: errors in the marks around words, and in the case of words.
//
// The readable twin is in mondegreen.kernel.counting.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "align.hpp"
#include "phrases.hpp"
#include "words.hpp"

namespace mondegreen {

// A token without its punctuation: in lower case, as it is compared; with its case; and the marks.
struct Surface {
    std::string_view key, word;
    std::u32string_view marks;
};

// The same with its own text.
struct OwnSurface {
    std::string key, word;
    std::u32string marks;
};

// Takes apart tokens with characters beyond ASCII.
using TakeApart = std::function<OwnSurface(std::string_view)>;

// What a byte of a token is.
enum class Kind : std::uint8_t { plain, capital, mark, mark_at_edge, beyond_ascii };

constexpr auto KINDS = [] {
    std::array<Kind, 256> kinds{};
    for (std::size_t c = 'A'; c <= 'Z'; ++c) kinds[c] = Kind::capital;
    for (const unsigned char c : std::string_view("!\"#%&()*,./:;?@[\\]_{}")) kinds[c] = Kind::mark;  // Unicode's punctuation
    for (const unsigned char c : std::string_view("'-")) kinds[c] = Kind::mark_at_edge;
    for (std::size_t c = 0x80; c < 0x100; ++c) kinds[c] = Kind::beyond_ascii;
    return kinds;
}();

// Takes apart the tokens of a pair at a time.
class Surfaces {
public:
    explicit Surfaces(const TakeApart &beyond_ascii) : beyond_ascii_(beyond_ascii) {}

    // Makes room for the tokens of a pair that have so many bytes.
    void begin(std::size_t bytes) {
        if (text_.size() < 2 * bytes + PADDING) text_.resize(4 * bytes + PADDING), marks_.resize(2 * bytes);
        written_ = marked_ = 0;
    }

    // A token in padded text that lives as long as this; the key is padded, too.
    Surface take_apart(const Interner::Word &token) {
        const auto text = token.text;
        if (is_plain(text)) return {text, text, {}};
        auto *key = text_.data() + written_, *word = key + text.size();
        auto *marks = marks_.data() + marked_;
        std::size_t size = 0, count = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto c = text[i];
            const auto kind = KINDS[static_cast<unsigned char>(c)];
            if (kind == Kind::beyond_ascii) return known_of(token);
            if (kind == Kind::mark || (kind == Kind::mark_at_edge && (i == 0 || i + 1 == text.size()))) {
                marks[count++] = static_cast<char32_t>(c);
            } else {
                word[size] = c;
                key[size++] = static_cast<char>(c | (kind == Kind::capital) << 5);
            }
        }
        written_ += 2 * text.size();
        marked_ += count;
        return {{key, size}, {word, size}, {marks, count}};
    }

private:
    // Whether a padded token is of small letters and digits of ASCII only.
    static bool is_plain(std::string_view token) {
        constexpr std::uint64_t ONES = 0x0101010101010101, HIGH = 0x80 * ONES;
        for (std::size_t at = 0; at < token.size(); at += 8) {
            const auto left = token.size() - at;
            auto x = load8(token.data() + at);
            if (left < 8) {  // "a" behind its end
                const auto behind = ~std::uint64_t{0} << 8 * left;
                x = (x & ~behind) | ('a' * ONES & behind);
            }
            const auto from = [&](std::uint64_t c) { return x + (0x80 - c) * ONES; };  // the high bit: at least c
            const auto letters = from('a') & ~from('z' + 1), digits = from('0') & ~from('9' + 1);
            if ((x & HIGH) != 0 || ((letters | digits) & HIGH) != HIGH) return false;
        }
        return true;
    }

    Surface known_of(const Interner::Word &token) {
        const auto number = tokens_.add(token.text, token.print);
        if (number == known_.size()) {
            known_.push_back(beyond_ascii_(token.text));
            known_.back().key.append(PADDING, '\0');
        }
        const auto &known = known_[number];
        return {std::string_view(known.key).substr(0, known.key.size() - PADDING), known.word, known.marks};
    }

    const TakeApart &beyond_ascii_;
    std::string text_;
    std::u32string marks_;
    std::size_t written_ = 0, marked_ = 0;
    Interner tokens_;              // all tokens with characters beyond ASCII
    std::deque<OwnSurface> known_;  // what they are, by number
};

// Counts marks, errors in them, words that match, and those of them with another case.
class SurfaceCounter {
public:
    static constexpr std::size_t WIDTH = 4;

    explicit SurfaceCounter(const TakeApart &beyond_ascii) : taken_(beyond_ascii) {}

    // Counts a pair whose words are as they were written, in padded text that lives as long as this. Its
    // steps serve again where it was aligned with unit costs and no two of its words have the same key.
    void count(Interner &words, const Ids &ref, const Ids &hyp, const std::uint8_t *steps, std::size_t n, std::int64_t *row) {
        look(words);
        const auto *left = &ref, *right = &hyp;
        if (alone_) {
            left = &with_marks(ref, ref_);
            right = &with_marks(hyp, hyp_);
        }
        if (steps == nullptr || merges_ || alone_) {
            own_.clear();
            aligner_.align(keys_of(*left, ref_keys_), keys_of(*right, hyp_keys_), words.size(), own_);
            steps = own_.data(), n = own_.size();
        }
        compare(*left, *right, steps, n, row);
    }

private:
    // Takes the words of a pair apart, and numbers their keys.
    void look(Interner &words) {
        merges_ = alone_ = false;
        const auto n = words.size();
        std::size_t bytes = 0;
        for (std::size_t id = 0; id < n; ++id) bytes += words[id].text.size();
        taken_.begin(bytes);
        surfaces_.clear();
        keys_.clear();
        marked_.clear();
        for (std::uint32_t id = 0; id < n; ++id) {
            const auto surface = taken_.take_apart(words[id]);
            const bool plain = surface.key.data() == words[id].text.data();
            const auto before = words.size();
            const auto key = plain ? id : words.add_padded(surface.key);
            surfaces_.push_back(surface);
            keys_.push_back(key);
            alone_ |= surface.key.empty();
            merges_ |= !plain && key < before && key != id;
        }
    }

    // The tokens of a side that have a key; a mark that stands alone belongs to the word before it.
    const Ids &with_marks(const Ids &tokens, Ids &out) {
        out.clear();
        for (const auto token : tokens) {
            if (!surfaces_[token].key.empty()) {
                out.push_back(token);
            } else if (!out.empty()) {
                auto word = surfaces_[out.back()];
                word.marks = marked_.emplace_back(std::u32string(word.marks).append(surfaces_[token].marks));
                keys_.push_back(keys_[out.back()]);
                out.back() = static_cast<std::uint32_t>(surfaces_.size());
                surfaces_.push_back(word);
            }
        }
        return out;
    }

    const Ids &keys_of(const Ids &tokens, Ids &out) const {
        out.clear();
        for (const auto token : tokens) out.push_back(keys_[token]);
        return out;
    }

    void compare(const Ids &ref, const Ids &hyp, const std::uint8_t *steps, std::size_t n, std::int64_t *row) {
        std::size_t marks = 0, same = 0;
        for (std::size_t at = 0, i = 0, j = 0; at < n; ++at) {
            const auto step = steps[at];
            if (step == deletion) {
                const auto size = surfaces_[ref[i++]].marks.size();
                marks += size, row[1] += static_cast<std::int64_t>(size);
            } else if (step == insertion) {
                row[1] += static_cast<std::int64_t>(surfaces_[hyp[j++]].marks.size());
            } else {
                const auto a = ref[i++], b = hyp[j++];
                const auto &left = surfaces_[a], &right = surfaces_[b];
                marks += left.marks.size();
                same += step == match;
                if (a == b) continue;
                row[1] += distance(left.marks, right.marks);
                row[3] += step == match && left.word != right.word;
            }
        }
        row[0] = static_cast<std::int64_t>(marks);
        row[2] = static_cast<std::int64_t>(same);
    }

    // The edit distance of the marks at one place, of which there are hardly ever two.
    std::int64_t distance(std::u32string_view ref, std::u32string_view hyp) {
        if (ref == hyp) return 0;
        const auto most = std::max(ref.size(), hyp.size());
        if (ref.empty() || hyp.empty()) return static_cast<std::int64_t>(most);
        left_ = ref, right_ = hyp;
        std::sort(left_.begin(), left_.end());
        std::sort(right_.begin(), right_.end());
        std::size_t common = 0;
        for (auto a = left_.begin(), b = right_.begin(); a != left_.end() && b != right_.end();) {
            common += *a == *b;
            const bool less = *a < *b, more = *b < *a;
            a += !more, b += !less;
        }
        return static_cast<std::int64_t>(most - common);
    }

    Surfaces taken_;
    std::vector<Surface> surfaces_;      // of each word of a pair
    Ids keys_;                           // the number of each word's key
    bool merges_ = false;                // two words have one key
    bool alone_ = false;                 // a mark stands alone
    std::deque<std::u32string> marked_;  // the marks of words with others that stood alone after them
    Ids ref_, hyp_, ref_keys_, hyp_keys_;
    Steps own_;
    UnitAligner aligner_;
    std::u32string left_, right_;
};

}  // namespace mondegreen
