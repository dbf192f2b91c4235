// Texts as values are read in them: tokens that count, and what stands between them.
#pragma once

#include <algorithm>
#include <functional>

#include "values_tables.hpp"

namespace mondegreen::values {

struct Token {
    std::u32string_view text;      // without case
    std::u32string_view key_text;  // as in tables
    Label label = 0;
    std::uint32_t key = 0;  // 0: in no phrase
    std::int32_t start = 0, end = 0;
    const Phrases *phrases = nullptr;
    bool decimal = false, alnum = false, alpha = false;
};

struct SplitWord {
    std::size_t start, end;
    Label label;
};

struct Text {
    std::u32string text;
    std::vector<Token> tokens;
    std::vector<std::u32string_view> gaps;
    std::vector<SplitWord> words;
    std::vector<std::int32_t> starts, ends;  // tokens by the character where they start and end
};

// What Python is asked for: a text in one way of writing, the key of a word with marks.
struct Ask {
    std::function<std::u32string(const std::u32string &)> plain, key;
};

// Reads texts of one language; words are looked up once and kept.
class Reader {
public:
    Reader(Tables tables, Chars chars, Ask ask) : tables_(std::move(tables)), chars_(std::move(chars)), ask_(std::move(ask)) {
        for (auto &one : tables_.phrases) sort(one.second);
        for (auto *one : {&tables_.number, &tables_.fraction, &tables_.ordinal, &tables_.decade, &tables_.article, &tables_.roman,
                          &tables_.address, &tables_.chunk_address}) {
            prepare(*one);
        }
        for (auto *many : {&tables_.times, &tables_.dates, &tables_.money}) {
            for (auto &one : *many) prepare(one);
        }
    }

    Tables &tables() { return tables_; }
    Chars &chars() { return chars_; }

    // Words that were met may be forgotten here, not between the two texts of a pair.
    void forget() {
        if (words_.size() > MOST) {
            words_.clear();
            pieces_.clear();
            labels_.clear();
        }
        large_.clear();
    }

    // Whether a word of ASCII letters says nothing but itself.
    bool is_plain(std::u32string_view source) {
        auto &word = known(source);
        if (word.plain < 0) {
            bool value = word.phrases != nullptr || word.text.size() < 2 || !word.pieces.empty() || tables_.roman.regex.fullmatch(word.text);
            word.plain = value ? 0 : 1;
        }
        return word.plain == 1;
    }

    Label label(std::u32string_view word) {
        if (word.size() == 1) return of_char(word[0]);
        if (const auto found = tables_.words.find(word); found != tables_.words.end()) return tagged(TEXT, found->second);
        return tagged(TEXT, labels_.emplace(word, tables_.words.size() + labels_.size()).first->second);
    }

    // The label of an ordinal in one of the forms that a language writes.
    Label formed(Wide value, std::size_t form) { return label(FORMED, Value{value, static_cast<Wide>(form) + 1, true}); }

    Label label(Tag tag, const Value &value) {
        if (fits(value)) return packed(tag, value);
        for (std::size_t i = 0; i < large_.size(); ++i) {
            if (large_[i].first == tag && large_[i].second == value) return tagged(ODD, i + 1);
        }
        large_.emplace_back(tag, value);
        return tagged(ODD, large_.size());
    }

    void read(std::u32string_view source, Text &text) {
        plain(source, text.text);
        text.tokens.clear();
        text.gaps.clear();
        text.words.clear();
        tokenise(text.text);
        keep(text);
        text.starts.assign(text.text.size() + 1, -1);
        text.ends.assign(text.text.size() + 1, -1);
        for (std::size_t at = 0; at < text.tokens.size(); ++at) {
            const auto &token = text.tokens[at];
            auto &start = text.starts[static_cast<std::size_t>(token.start)];
            if (start < 0) start = static_cast<std::int32_t>(at);
            text.ends[static_cast<std::size_t>(token.end)] = static_cast<std::int32_t>(at) + 1;
        }
    }

    // The text in one way of writing its signs, digits and widths, without spaces around it.
    void plain(std::u32string_view source, std::u32string &out) {
        out.clear();
        bool ascii = true, unsure = false, marked = false;
        for (const auto c : source) ascii = ascii && c < 128;
        for (const auto c : source) {
            const auto &known = chars_.at(c);
            const bool mark = (known.flags & MARK) != 0;
            if ((known.flags & UNSURE) || (mark && (marked || out.empty() || joins(out.back(), c)))) unsure = true;
            marked = mark;
            if (known.flags & REPLACED && !(ascii && c != U'`')) out += known.plain;
            else out += c;
        }
        if (unsure) out = ask_.plain(std::u32string(source));
        std::size_t first = 0, last = out.size();
        while (first < last && chars_.has(out[first], SPACE)) ++first;
        while (last > first && chars_.has(out[last - 1], SPACE)) --last;
        if (last < out.size()) out.erase(last);
        if (first > 0) out.erase(0, first);
    }

private:
    static constexpr std::size_t MOST = 1 << 18;

    struct Known {
        std::u32string text;
        std::u32string key_text;
        Label label = 0;
        std::uint32_t key = 0;
        Phrases merged;
        const Phrases *phrases = nullptr;
        std::vector<Known *> pieces{};
        int plain = -1;  // whether it says nothing but itself, if that is known
    };

    void prepare(Pattern &pattern) {
        if (pattern.regex) pattern.regex.prepare(chars_);
    }

    // Whether a mark becomes one character with the one before it: three letters and the nukta.
    static bool joins(char32_t before, char32_t mark) {
        return mark == 0x93c && (before == 0x928 || before == 0x930 || before == 0x933);
    }

    static bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

    void tokenise(std::u32string_view text) {
        found_.clear();
        for (std::size_t at = 0; at < text.size();) {
            const auto start = at;
            if (is_digit(text[at])) {
                while (at < text.size() && is_digit(text[at])) ++at;
            } else if (chars_.has(text[at], LETTER)) {
                while (at < text.size() && chars_.has(text[at], LETTER)) ++at;
            } else if (chars_.has(text[at], SPACE)) {
                ++at;
                continue;
            } else {
                ++at;
            }
            found_.push_back(token(text.substr(start, at - start), start));
        }
    }

    Token token(std::u32string_view source, std::size_t start) {
        Token made;
        made.start = static_cast<std::int32_t>(start);
        made.end = static_cast<std::int32_t>(start + source.size());
        if (is_digit(source[0])) {
            made.text = made.key_text = source;
            made.decimal = made.alnum = true;
            if (const auto found = tables_.keys.find(source); found != tables_.keys.end()) made.key = found->second;
            if (const auto found = tables_.phrases.find(source); found != tables_.phrases.end()) made.phrases = &found->second;
            return made;
        }
        fill(made, known(source));
        return made;
    }

    void fill(Token &made, Known &known) {
        made.text = known.text;
        made.key_text = known.key_text;
        made.key = known.key;
        made.phrases = known.phrases;
        made.label = known.label;
        const auto &first = chars_.at(known.text[0]);
        made.decimal = std::all_of(known.text.begin(), known.text.end(), [&](char32_t c) { return chars_.has(c, DECIMAL); });
        made.alnum = (first.flags & ALNUM) != 0;
        made.alpha = (first.flags & ALPHA) != 0;
    }

    Known &known(std::u32string_view source) {
        if (const auto found = words_.find(source); found != words_.end()) return *found->second;
        auto made = std::make_unique<Known>();
        bool marked = false;
        for (const auto c : source) {
            const auto &one = chars_.at(c);
            made->text += one.folded;
            made->key_text += one.key;
            marked = marked || (one.flags & (MARK | UNSURE));
        }
        if (marked && !tables_.accents) made->key_text = ask_.key(std::u32string(source));
        look(*made);
        auto &kept = *words_.emplace(source, std::move(made)).first->second;
        split(kept);
        return kept;
    }

    static void sort(Phrases &phrases) {
        std::stable_sort(phrases.longer.begin(), phrases.longer.end(), [](const Meaning &a, const Meaning &b) { return a.rest[0] < b.rest[0]; });
    }

    void look(Known &made) {
        const auto &key = made.key_text;
        made.label = label(made.text);
        if (const auto found = tables_.keys.find(key); found != tables_.keys.end()) made.key = found->second;
        const auto found = tables_.phrases.find(key);
        made.phrases = found == tables_.phrases.end() ? nullptr : &found->second;
        if (tables_.stems.empty()) return;
        if (made.phrases) made.merged = *made.phrases;
        const auto least = key.size() > 6 ? key.size() - 4 : 2;
        for (auto size = key.size(); size >= least && size > 0; --size) {
            const auto stem = tables_.stems.find(key.substr(0, size));
            if (stem == tables_.stems.end()) continue;
            made.merged.alone.insert(made.merged.alone.end(), stem->second.alone.begin(), stem->second.alone.end());
            made.merged.longer.insert(made.merged.longer.end(), stem->second.longer.begin(), stem->second.longer.end());
        }
        sort(made.merged);
        made.phrases = made.merged.alone.empty() && made.merged.longer.empty() ? nullptr : &made.merged;
    }

    // The parts of a number in one word, such as "vierundzwanzig".
    void split(Known &word) {
        const auto &key = word.key_text;
        if (tables_.morphemes.empty() || tables_.morphemes.count(key) || key.empty() || !chars_.has(key[0], ALPHA)) return;
        constexpr std::size_t longest = 20;
        struct Best {
            std::size_t count, start;
        };
        std::vector<Best> best(key.size() + 1, {~std::size_t{0}, 0});
        best[0] = {0, 0};
        for (std::size_t end = 1; end <= key.size(); ++end) {
            for (std::size_t start = end > longest ? end - longest : 0; start < end; ++start) {
                if (best[start].count == ~std::size_t{0} || !tables_.morphemes.count(key.substr(start, end - start))) continue;
                if (best[end].count == ~std::size_t{0} || best[start].count + 1 < best[end].count) best[end] = {best[start].count + 1, start};
            }
        }
        if (best[key.size()].count == ~std::size_t{0} || best[key.size()].count < 2) return;
        std::vector<std::u32string> pieces;
        for (auto end = key.size(); end > 0; end = best[end].start) pieces.insert(pieces.begin(), key.substr(best[end].start, end - best[end].start));
        for (const auto &piece : pieces) {
            auto &made = pieces_[piece];
            if (!made) {
                made = std::make_unique<Known>();
                made->text = made->key_text = piece;
                look(*made);
            }
            word.pieces.push_back(made.get());
        }
    }

    void keep(Text &text) {
        const std::u32string_view source = text.text;
        std::size_t end = 0;
        bool searched = false;
        for (std::size_t at = 0; at < found_.size(); ++at) {
            const auto &token = found_[at];
            if (!token.alnum && vanishes(at)) {
                const bool parting = token.text == U"." || token.text == U"-" || token.text == U"_" || token.text == U":";
                if (!parting) continue;
                if (!searched) find_addresses(source);
                searched = true;
                const bool inside = std::any_of(addresses_.begin(), addresses_.end(), [&](const auto &one) {
                    return one.first < token.start && token.end < one.second;
                });
                if (!inside || abbreviates(at)) continue;
            }
            text.gaps.push_back(source.substr(end, static_cast<std::size_t>(token.start) - end));
            end = static_cast<std::size_t>(token.end);
            const Known *word = token.decimal ? nullptr : pieces_of(source, token);
            if (word == nullptr) {
                text.tokens.push_back(token);
                continue;
            }
            text.words.push_back({text.tokens.size(), text.tokens.size() + word->pieces.size(), token.label});
            for (std::size_t i = 0; i < word->pieces.size(); ++i) {
                Token part;
                fill(part, *word->pieces[i]);
                part.start = token.start;
                part.end = i + 1 == word->pieces.size() ? token.end : token.start;
                text.tokens.push_back(part);
                if (i > 0) text.gaps.push_back({});
            }
        }
    }

    const Known *pieces_of(std::u32string_view source, const Token &token) {
        if (tables_.morphemes.empty()) return nullptr;
        const auto &word = known(source.substr(static_cast<std::size_t>(token.start), static_cast<std::size_t>(token.end - token.start)));
        return word.pieces.empty() ? nullptr : &word;
    }

    void find_addresses(std::u32string_view source) {
        addresses_.clear();
        if (source.find_first_of(U"@/\\.") == std::u32string_view::npos) return;
        tables_.address.regex.each(source, [&](const Regex::Groups &groups) { addresses_.emplace_back(groups[0], groups[1]); });
    }

    bool tight(std::size_t at) const { return found_[at - 1].end == found_[at].start; }

    // Whether a sign says nothing: a full stop, a hyphen between words, a quote.
    bool vanishes(std::size_t at) {
        const auto sign = found_[at].text;
        const auto c = sign[0];
        const bool single = sign.size() == 1;
        const auto *before = at > 0 && tight(at) ? &found_[at - 1] : nullptr;
        const auto *after = at + 1 < found_.size() && tight(at + 1) ? &found_[at + 1] : nullptr;
        if (single && std::u32string_view(U"\"'()[]{}!?;\u2026\u00bf\u00a1|\u201c\u201d").find(c) != std::u32string_view::npos) {
            return !((c == U'"' || c == U'\'') && before != nullptr && before->decimal && is_unit(at, after));
        }
        const bool digits_after = after != nullptr && after->decimal;
        if (single && (c == U'.' || c == U',' || c == U':')) {
            if (c == U'.' && digits_after && (before == nullptr || !before->alnum)) return false;
            return !(before != nullptr && before->decimal && digits_after);
        }
        if (single && c == U'-') {
            const bool follows = before != nullptr && (is_word(*before) || before->text == U")");
            const bool money = after != nullptr && (after->text.empty() || std::u32string_view(U"$\u20ac\u00a3\u00a5").find(after->text) != std::u32string_view::npos || after->text == U".");
            return follows || !(digits_after || money || is_number(after));
        }
        return false;
    }

    // Whether what is around a full stop is an abbreviation of two words ("Sig.ra").
    bool abbreviates(std::size_t at) const {
        if (found_[at].text != U"." || at == 0 || at + 1 >= found_.size() || found_[at - 1].phrases == nullptr) return false;
        const auto &longer = found_[at - 1].phrases->longer;
        return std::any_of(longer.begin(), longer.end(), [&](const Meaning &one) { return one.kind == LABEL && one.rest.size() == 1 && one.rest[0] == found_[at + 1].key; });
    }

    // Whether a quote after a number is a sign of feet or inches: 5' 3", not '25' or 80's.
    bool is_unit(std::size_t at, const Token *after) const {
        const bool quoted = at > 1 && found_[at - 2].text == found_[at].text && tight(at - 1);
        return !quoted && (after == nullptr || !after->alpha);
    }

    // Whether a token is a number of a script without spaces.
    static bool is_number(const Token *token) {
        if (token == nullptr || token->text[0] < 0x2e80 || token->phrases == nullptr) return false;
        return std::any_of(token->phrases->alone.begin(), token->phrases->alone.end(), [](const Meaning &one) { return one.kind == ADD || one.kind == MUL; });
    }

    static bool is_word(const Token &token) {
        return token.alnum && (token.text.size() > 1 || token.text[0] < 0x2e80 || token.decimal);
    }

    Tables tables_;
    Chars chars_;
    Ask ask_;
    Map<std::unique_ptr<Known>> words_, pieces_;
    Map<std::uint64_t> labels_;
    std::vector<std::pair<Tag, Value>> large_;
    std::vector<Token> found_;
    std::vector<std::pair<std::int32_t, std::int32_t>> addresses_;
};

}  // namespace mondegreen::values
