// Codes, addresses and phone numbers, letter by letter and digit by digit.
#pragma once

#include "values_lattice.hpp"
#include "values_numbers.hpp"

namespace mondegreen::values {

// Adds what is spelled to the lattice of a text.
class Speller {
public:
    Speller(Reader &reader) : reader_(reader) {}

    // What is spelled for certain; whether there are letters among it.
    bool spell(const Text &text, NumberReader &numbers, Lattice &lattice) {
        text_ = &text;
        numbers_ = &numbers;
        lattice_ = &lattice;
        letters_ = false;
        find_chunks();
        starts_.assign(text.tokens.size() + 1, false);
        for (const auto at : numbers.starts()) starts_[at] = true;
        const bool has_digits = std::any_of(text.tokens.begin(), text.tokens.end(), [](const Token &token) { return token.decimal; });
        for (std::size_t at = 0; at < text.tokens.size(); ++at) {
            const auto &token = text.tokens[at];
            if (token.decimal || !token.alnum || is_spelled(at, has_digits)) joined(at, false);
            if (!numbers.m.at(at).empty()) said(at);
            if (numbers.m.has_as_in) as_in(at, at, 1);
        }
        return letters_;
    }

    // Words letter by letter: they agree with what is spelled, not with other words.
    void spell_words(const Text &text, Lattice &lattice) {
        text_ = &text;
        lattice_ = &lattice;
        find_chunks();
        for (std::size_t at = 0; at < text.tokens.size(); ++at) {
            if (text.tokens[at].text.size() > 1 && text.tokens[at].alpha) joined(at, true);
        }
    }

private:
    struct Chunk {
        bool address = false, code = false, loose = true;
    };

    // A letter or digit that is said: its label, its characters if it has a name, and where it ends.
    struct Letter {
        Label label;
        const Labels *chars;
        std::size_t end;
    };

    static Letter single(char32_t c, std::size_t end) { return {of_char(c), nullptr, end}; }

    void find_chunks() {
        chunks_.clear();
        const std::u32string_view source = text_->text;
        std::size_t start = 0, end = 0;
        Chunk chunk;
        for (const auto &token : text_->tokens) {
            while (end <= static_cast<std::size_t>(token.start) && end < source.size()) {
                auto first = end;
                while (first < source.size() && reader_.chars().has(source[first], SPACE)) ++first;
                if (first == source.size()) break;
                start = end = first;
                while (end < source.size() && !reader_.chars().has(source[end], SPACE)) ++end;
                chunk = chunk_of(source.substr(start, end - start));
            }
            chunks_.push_back(chunk);
        }
    }

    Chunk chunk_of(std::u32string_view source) {
        auto &chars = reader_.chars();
        std::size_t digits = 0, letters = 0;
        bool alpha = true;
        for (const auto c : source) alpha = alpha && chars.has(c, ALPHA);
        if (alpha) return {};
        while (!source.empty() && std::u32string_view(U".,;:!?\"')").find(source.back()) != std::u32string_view::npos) source.remove_suffix(1);
        std::size_t parting = 0;
        for (const auto c : source) {
            digits += chars.has(c, DECIMAL);
            letters += chars.has(c, ALPHA);
            parting += c == U'-' || c == U'.';
        }
        const bool address = source.find_first_of(U"@/\\.") != std::u32string_view::npos &&
                             reader_.tables().chunk_address.regex.fullmatch(source) && source.find(U"...") == std::u32string_view::npos;
        const bool loose = !address && (letters > 0 || digits >= 7 || parting > 1);
        return {address, digits > 0 && letters > 0, loose || (digits >= 7 && letters == 0)};
    }

    bool is_spelled(std::size_t at, bool has_digits) {
        const auto &token = text_->tokens[at];
        if (token.text.size() == 1 || chunks_[at].address || chunks_[at].code) return true;
        if (!has_digits) return false;
        bool upper = false;
        for (auto i = token.start; i < token.end; ++i) {
            const auto flags = reader_.chars().at(text_->text[static_cast<std::size_t>(i)]).flags;
            if (flags & CASED) return false;
            upper = upper || (flags & UPPER);
        }
        return upper;
    }

    void add(std::size_t start, std::size_t end, bool guess) {
        lattice_->add(start, end, chars_, guess);
        for (const auto label : chars_) letters_ = letters_ || (label >> TAG_SHIFT == CHARACTER && reader_.chars().has(static_cast<char32_t>(label & 0x1fffff), ALPHA));
    }

    void put(std::u32string_view text) {
        for (const auto c : text) chars_.push_back(of_char(c));
    }

    // A token with the sign before it, and without it where the sign says nothing.
    void joined(std::size_t at, bool guess) {
        const auto gap = text_->gaps[at];
        const auto chars = text_->tokens[at].text;
        chars_.clear();
        if (at > 0 && gap.size() == 1 && std::u32string_view(U"-.:_,/").find(gap[0]) != std::u32string_view::npos) {
            chars_.push_back(of_char(gap[0]));
            put(chars);
            add(at, at + 1, guess);
            if (!chunks_[at].loose) return;
            chars_.clear();
            put(chars);
            return add(at, at + 1, guess);
        }
        put(chars);
        add(at, at + 1, guess);
        if (chars == U"." && chunks_[at].loose && at + 1 < text_->tokens.size()) {
            chars_.clear();
            put(text_->tokens[at + 1].text);
            add(at, at + 2, guess);
        }
    }

    void said(std::size_t at) {
        const bool number = starts_[at] && !text_->tokens[at].decimal && !scales(at);
        const auto *whole = number ? numbers_->whole(at) : nullptr;
        if (whole != nullptr && whole->value.whole) {
            chars_.clear();
            for (auto left = whole->value.top; left > 0 || chars_.empty(); left /= 10) {
                chars_.insert(chars_.begin(), of_char(U'0' + static_cast<char32_t>(left % 10)));
            }
            add(at, whole->end, false);
            if (numbers_->rounds(at, whole->end)) {
                chars_ = {of_char(U'0' + static_cast<char32_t>(numbers_->digit(at))), of_char(U'0'), of_char(U'0')};
                add(at, at + 2, false);
            }
        }
        for (const auto &one : numbers_->m.at(at)) {
            chars_.clear();
            switch (one.meaning->kind) {
                case CHAR_NAME:
                case SIGN_NAME:
                    chars_ = one.meaning->labels;
                    add(at, one.end, false);
                    break;
                case ZERO:
                    chars_.push_back(of_char(U'0'));
                    add(at, one.end, false);
                    break;
                case SPELLING:
                    if (!is_beside_letters(at, one.end)) break;
                    chars_.assign(1, one.meaning->name);
                    add(at, one.end, false);
                    break;
                case TIMES: {
                    const auto found = letter(one.end);
                    if (!found) break;
                    const auto times = static_cast<std::size_t>(one.meaning->value.top);
                    chars_.assign(times, found->label);
                    add(at, found->end, false);
                    as_in(at, one.end, times);
                    break;
                }
                default: break;
            }
        }
    }

    // Whether a token multiplies the number before it, as "hundred" in "two hundred".
    bool scales(std::size_t at) const {
        if (at == 0 || !numbers_->m.is_multiplier(at)) return false;
        return numbers_->m.first(at - 1, ADD) != nullptr || numbers_->m.is_multiplier(at - 1) || text_->tokens[at - 1].decimal;
    }

    // The letter or digit that is said at a position, and where it ends.
    std::optional<Letter> letter(std::size_t at) const {
        if (at >= text_->tokens.size()) return std::nullopt;
        const auto &token = text_->tokens[at];
        if (token.text.size() == 1 && token.alnum) return single(token.text[0], at + 1);
        for (const auto &one : numbers_->m.at(at)) {
            if (one.meaning->kind == CHAR_NAME || one.meaning->kind == SPELLING) return Letter{one.meaning->name, &one.meaning->labels, one.end};
        }
        const auto digit = numbers_->digit(at);
        if (digit < 0) return std::nullopt;
        return single(U'0' + static_cast<char32_t>(digit), at + 1);
    }

    // Whether a word of the spelling alphabet stands among letters or digits.
    bool is_beside_letters(std::size_t at, std::size_t end) const {
        if (letter(end).has_value()) return true;
        if (at == 0) return false;
        const auto &before = text_->tokens[at - 1];
        return (before.text.size() == 1 && before.alnum) || before.decimal || letter(at - 1).has_value();
    }

    // "b as in bravo" is one letter, after "double" two; what is said begins at `start`.
    void as_in(std::size_t start, std::size_t at, std::size_t times) {
        const auto found = letter(at);
        if (!found) return;
        for (const auto &one : numbers_->m.at(found->end)) {
            if (one.meaning->kind != AS_IN || one.end >= text_->tokens.size()) continue;
            const auto word = text_->tokens[one.end].text;
            bool alike = found->chars == nullptr ? !word.empty() && of_char(word[0]) == found->label : word.size() >= found->chars->size();
            for (std::size_t i = 0; alike && found->chars != nullptr && i < found->chars->size(); ++i) alike = (*found->chars)[i] == of_char(word[i]);
            if (!alike) continue;
            chars_.assign(times, found->label);
            add(start, one.end + 1, false);
        }
    }

    Reader &reader_;
    const Text *text_ = nullptr;
    NumberReader *numbers_ = nullptr;
    Lattice *lattice_ = nullptr;
    bool letters_ = false;
    std::vector<Chunk> chunks_;
    std::vector<bool> starts_;
    Labels chars_;
};

}  // namespace mondegreen::values
