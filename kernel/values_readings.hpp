// Readings: the lattice of all that a text may say, and the comparison of two texts.
#pragma once

#include "values_heard.hpp"
#include "values_spelling.hpp"

namespace mondegreen::values {

struct Readings {
    Text text;
    NumberReader numbers;
    Lattice lattice;
    bool has_spelling = false;
    std::vector<bool> ends;
};

struct Meeting {
    bool same = false;
    std::uint32_t left = 0, right = 0;
};

class Engine {
public:
    Engine(Tables tables, Chars chars, Ask ask) : reader_(std::move(tables), std::move(chars), std::move(ask)), writing_(reader_), heard_(reader_, writing_), speller_(reader_) {}

    Reader &reader() { return reader_; }

    // Whether two texts share a reading.
    bool same(std::u32string_view ref, std::u32string_view hyp) {
        reader_.forget();
        if (alike(ref, hyp)) return true;
        refuse_endless(ref);
        refuse_endless(hyp);
        if (plain(ref) && plain(hyp)) return false;
        compare(ref, hyp);
        bool met = false;
        walk_.from(left_.lattice, right_.lattice, 0, 0, [&](std::uint32_t a, std::uint32_t b) {
            return met = a == left_.lattice.size() && b == right_.lattice.size();
        });
        return met;
    }

    // Whether two texts share a reading, and how far they agree if not.
    Meeting meet(std::u32string_view ref, std::u32string_view hyp) {
        reader_.forget();
        if (alike(ref, hyp)) return {true, 0, 0};
        refuse_endless(ref);
        refuse_endless(hyp);
        compare(ref, hyp);
        Meeting found;
        walk_.from(left_.lattice, right_.lattice, 0, 0, [&](std::uint32_t a, std::uint32_t b) {
            if (a == left_.lattice.size() && b == right_.lattice.size()) return found.same = true;
            const bool further = a + b > found.left + found.right || (a + b == found.left + found.right && a > found.left);
            if (further && stops(left_, a) && stops(right_, b)) found.left = a, found.right = b;
            return false;
        });
        return found;
    }

    // Fills both sides, each with its words letter by letter if the other is spelled.
    void compare(std::u32string_view ref, std::u32string_view hyp) {
        fill(ref, left_);
        fill(hyp, right_);
        if (right_.has_spelling) speller_.spell_words(left_.text, left_.lattice);
        if (left_.has_spelling) speller_.spell_words(right_.text, right_.lattice);
    }

    // Stretches of words that say the same: where they start and end in both texts.
    using Stretches = std::vector<std::array<std::size_t, 4>>;

    Stretches stretches(const std::vector<std::u32string> &ref, const std::vector<std::u32string> &hyp) {
        reader_.forget();
        for (const auto *words : {&ref, &hyp}) {
            for (const auto &word : *words) refuse_endless(word);
        }
        const auto starts = join(ref, one_), beside = join(hyp, other_);
        compare(one_, other_);
        const Side left(left_, starts, ref.size()), right(right_, beside, hyp.size());
        for (const auto &[side, words, keys] : {std::tuple{&left, &ref, &left_keys_}, std::tuple{&right, &hyp, &right_keys_}}) {
            keys->clear();
            for (const auto word : side->words) keys->push_back(word < words->size() ? key((*words)[word]) : std::u32string{});
        }
        return best(left, right);
    }

    const Readings &left() const { return left_; }
    const Readings &right() const { return right_; }
    Walk &walk() { return walk_; }

private:
    // Leaves to Python a word that is longer than any value: the time to read it grows with its square.
    void refuse_endless(std::u32string_view text) {
        if (text.size() <= LONGEST_WORD) return;
        std::size_t run = 0;
        for (const auto c : text) {
            const bool inside = !(c >= 0x2e80 && c <= 0xd7ff) && !reader_.chars().has(c, SPACE);
            run = inside ? run + 1 : 0;
            if (run > LONGEST_WORD) throw TooHard();
        }
    }

    static constexpr std::size_t LONGEST_WORD = 1000;

    // The nodes of a text where words begin, and the word of each; the last is the end.
    struct Side {
        std::vector<std::uint32_t> nodes;
        std::vector<std::size_t> words;
        std::vector<std::int32_t> rows;  // by node

        Side(const Readings &readings, const std::vector<std::size_t> &starts, std::size_t n) : rows(readings.lattice.nodes(), -1) {
            auto last = ~std::size_t{0};
            const auto &tokens = readings.text.tokens;
            for (std::uint32_t node = 0; node < tokens.size(); ++node) {
                const auto after = std::upper_bound(starts.begin(), starts.end(), static_cast<std::size_t>(tokens[node].start));
                const auto word = static_cast<std::size_t>(after - starts.begin()) - 1;
                if (word != last) add(node, last = word);
            }
            add(static_cast<std::uint32_t>(tokens.size()), n);
        }

        void add(std::uint32_t node, std::size_t word) {
            rows[node] = static_cast<std::int32_t>(nodes.size());
            nodes.push_back(node);
            words.push_back(word);
        }
    };

    std::vector<std::size_t> join(const std::vector<std::u32string> &words, std::u32string &out) {
        std::vector<std::size_t> starts{0};
        out.clear();
        for (std::size_t i = 0; i < words.size(); ++i) {
            reader_.plain(words[i], form_);
            if (i > 0) out += U' ';
            out += form_;
            starts.push_back(starts.back() + form_.size() + 1);
        }
        return starts;
    }

    // A word without case and marks around it.
    std::u32string key(std::u32string_view word) {
        static constexpr std::u32string_view EDGES = U"\"'\u201c\u201d\u2018\u2019\u00ab\u00bb\u201e()[]<>.,;:!?\u2026";
        std::u32string found;
        for (const auto c : word) found += reader_.chars().at(c).folded;
        const auto first = found.find_first_not_of(EDGES);
        if (first == std::u32string::npos) return {};
        return found.substr(first, found.find_last_not_of(EDGES) + 1 - first);
    }

    // The jumps of the alignment with the fewest errors; an error costs more than any stretch.
    Stretches best(const Side &left, const Side &right) {
        constexpr std::int64_t ERROR = 1 << 20, WORST = static_cast<std::int64_t>(1) << 60;
        const auto rows = left.nodes.size(), columns = right.nodes.size();
        struct Cell {
            std::int64_t cost = WORST;
            std::size_t from = ~std::size_t{0};
            bool jump = false;
        };
        std::vector<Cell> cells(rows * columns);
        cells[0].cost = 0;
        for (std::size_t at = 0; at < cells.size(); ++at) {
            const auto i = at / columns, j = at % columns;
            const auto cost = cells[at].cost;
            const auto offer = [&](std::size_t to, std::int64_t more, bool jump) {
                if (cost + more < cells[to].cost) cells[to] = {cost + more, at, jump};
            };
            const auto a = left.nodes[i], b = right.nodes[j];
            walk_.from(left_.lattice, right_.lattice, a, b, [&](std::uint32_t c, std::uint32_t d) {
                const auto row = left.rows[c], column = right.rows[d];
                if (row < 0 || column < 0 || (c == a && d == b)) return false;
                const auto moved = static_cast<std::int64_t>(c) - a + static_cast<std::int64_t>(d) - b;
                offer(static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(column), 1 + moved, true);
                return false;
            });
            if (i + 1 < rows) offer(at + columns, ERROR, false);
            if (j + 1 < columns) offer(at + 1, ERROR, false);
            if (i + 1 < rows && j + 1 < columns) offer(at + columns + 1, left_keys_[i] == right_keys_[j] ? 0 : ERROR, false);
        }
        Stretches found;
        for (auto at = cells.size() - 1; cells[at].from != ~std::size_t{0}; at = cells[at].from) {
            const auto from = cells[at].from;
            if (!cells[at].jump) continue;
            found.push_back({left.words[from / columns], left.words[at / columns], right.words[from % columns], right.words[at % columns]});
        }
        std::reverse(found.begin(), found.end());
        return found;
    }

    // Whether a node stands between words, at the start or at the end.
    static bool stops(const Readings &side, std::uint32_t node) {
        const auto n = side.text.tokens.size();
        return node == 0 || node == n || (node < n && side.text.gaps[node].find(U' ') != std::u32string_view::npos);
    }

    // Whether the words of a text say nothing but themselves.
    bool plain(std::u32string_view text) {
        for (std::size_t at = 0; at < text.size();) {
            const auto start = at;
            while (at < text.size() && (static_cast<char32_t>(text[at] | 0x20) - U'a') < 26u) ++at;
            if (at > start && !reader_.is_plain(text.substr(start, at - start))) return false;
            if (at == text.size()) break;
            if (text[at] != U' ') return false;
            ++at;
        }
        return true;
    }

    // Whether two texts are the same but for case and spaces.
    bool alike(std::u32string_view ref, std::u32string_view hyp) {
        words_of(ref, one_);
        words_of(hyp, other_);
        return one_ == other_;
    }

    void words_of(std::u32string_view text, std::u32string &out) {
        out.clear();
        bool space = false;
        for (const auto c : text) {
            const auto &known = reader_.chars().at(c);
            if (known.flags & SPACE) {
                space = !out.empty();
                continue;
            }
            if (space) out += U' ';
            space = false;
            out += known.folded;
        }
    }

    void fill(std::u32string_view source, Readings &made) {
        auto &t = reader_.tables();
        auto &text = made.text;
        reader_.read(source, text);
        const auto n = text.tokens.size();
        made.lattice.start(n);
        made.ends.assign(n + 1, false);
        bool digits = false;
        for (std::size_t at = 0; at < n; ++at) {
            if (!text.tokens[at].decimal) made.lattice.add(at, at + 1, text.tokens[at].label);
            else digits = true;
            if (t.bare && text.tokens[at].key_text != text.tokens[at].text) made.lattice.add(at, at + 1, reader_.label(text.tokens[at].key_text));
        }
        for (const auto &word : text.words) made.lattice.add(word.start, word.end, word.label);
        joined(made);
        made.numbers.look(t, text);
        if (digits) written(made);
        for (const auto at : made.numbers.starts()) {
            if (made.numbers.scales(at)) continue;
            for (const auto &number : made.numbers.numbers(at)) {
                add_number(made, at, number);
                made.ends[number.end] = true;
            }
        }
        phrases(made);
        ranges(made);
        heard_.add(made.lattice);
        made.has_spelling = speller_.spell(text, made.numbers, made.lattice);
    }

    // Words with a hyphen or an apostrophe, which some write without.
    void joined(Readings &made) {
        const auto &tokens = made.text.tokens;
        for (std::size_t at = 1; at < tokens.size(); ++at) {
            const auto gap = made.text.gaps[at];
            if (gap != U"-" && gap != U"'") continue;
            form_.assign(tokens[at - 1].text).append(tokens[at].text);
            if (form_.size() < 4 || form_[0] >= U'\u2e80') continue;
            const auto is_letter = [&](char32_t c) { return reader_.chars().has(c, ALPHA); };
            if (std::all_of(form_.begin(), form_.end(), is_letter)) made.lattice.add(at - 1, at + 1, reader_.label(form_));
        }
    }

    // The tokens between two characters; signs at the end may have vanished.
    static bool span(const Text &text, std::int32_t start, std::int32_t end, std::size_t &first, std::size_t &last) {
        const auto from = text.starts[static_cast<std::size_t>(start)];
        while (end > start && text.ends[static_cast<std::size_t>(end)] < 0) --end;
        const auto to = text.ends[static_cast<std::size_t>(end)];
        if (from < 0 || to < 0 || to <= from) return false;
        first = static_cast<std::size_t>(from);
        last = static_cast<std::size_t>(to);
        return true;
    }

    void written(Readings &made) {
        const auto &text = made.text;
        std::size_t first = 0, last = 0;
        writing_.values(text.text, [&](std::int32_t start, std::int32_t end, const Labels &labels, std::uint8_t weak) {
            if (!span(text, start, end, first, last)) return;
            made.lattice.add(first, last, labels, weak);
            made.ends[last] = true;
        });
        inside_.assign(text.tokens.size() + 1, false);
        auto &found = made.numbers.m.written;
        writing_.numbers(text.text, [&](std::int32_t start, std::int32_t end, const Value &value) {
            if (!span(text, start, end, first, last)) return;
            for (auto at = first + 1; at < last; ++at) inside_[at] = true;
            if (!found[first]) found[first] = Number{value, ADD, last};
            made.lattice.add(first, last, reader_.label(NUMBER, value));
            negative(made, first, last, value);
            made.ends[last] = true;
        });
        for (std::size_t at = 0; at < text.tokens.size(); ++at) {
            const auto &token = text.tokens[at];
            if (!token.decimal || token.text.size() > 290 || found[at] || inside_[at]) continue;
            Wide value = 0;
            for (const auto c : token.text) value = plus(times(value, 10), c - U'0');
            found[at] = Number{Value::of(value), ADD, at + 1};
            made.lattice.add(at, at + 1, reader_.label(NUMBER, Value::of(value)));
            made.ends[at + 1] = true;
        }
    }

    void negative(Readings &made, std::size_t start, std::size_t end, const Value &value) {
        if (start == 0) return;
        const auto sign = made.text.tokens[start - 1].text;
        if (sign == U"+") made.lattice.add(start - 1, end, reader_.label(NUMBER, value));
        if (sign == U"-") made.lattice.add(start - 1, end, value.zero() ? MINUS_ZERO : reader_.label(NUMBER, -value));
    }

    void add_number(Readings &made, std::size_t at, const Number &number) {
        const auto tag = number.kind == ORD ? ORDINAL : number.kind == DEN ? DENOMINATOR : NUMBER;
        const auto &forms = reader_.tables().ordinal_forms;
        const bool formed = number.kind == ORD && !forms.empty();
        made.lattice.add(at, number.end, reader_.label(tag, number.value), formed ? FORM : 0);
        for (std::size_t form = 0; formed && number.value.whole && form < forms.size(); ++form) {
            if (made.text.tokens[number.end - 1].key_text.ends_with(forms[form])) made.lattice.add(at, number.end, reader_.formed(number.value.top, form));
        }
        if (number.kind == ORD && reader_.tables().ordinals_too) made.lattice.add(at, number.end, reader_.label(NUMBER, number.value), true);
        if (at > 0 && made.text.tokens[at - 1].text == U"-" && !number.value.zero()) {
            const bool below = number.value.top < 0;
            made.lattice.add(at - 1, number.end, reader_.label(below ? TWICE_NEGATIVE : NUMBER, -number.value));
        }
    }

    void phrases(Readings &made) {
        const auto &t = reader_.tables();
        for (std::size_t at = 0; at < made.text.tokens.size(); ++at) {
            for (const auto &one : made.numbers.m.at(at)) {
                switch (one.meaning->kind) {
                    case LABEL: made.lattice.add(at, one.end, one.meaning->labels); break;
                    case DECADE_WORD: made.lattice.add(at, one.end, tagged(DECADE, static_cast<std::uint64_t>(one.meaning->value.top))); break;
                    case OF:
                        if (made.ends[at]) made.ends[one.end] = true;
                        break;
                    case TAIL:
                    case LOOSE:
                        if (!made.ends[at]) break;
                        made.lattice.add(at, one.end, one.meaning->labels, one.meaning->kind == LOOSE ? FORM : 0);
                        made.ends[one.end] = true;
                        break;
                    default: break;
                }
            }
            const auto &token = made.text.tokens[at];
            if (token.text == U"-") {
                for (const auto &words : t.minus) made.lattice.add(at, at + 1, words);
            }
            if (!token.text.empty() && std::u32string_view(U"mdclxvi").find(token.text[0]) != std::u32string_view::npos) roman(made, at);
        }
    }

    void roman(Readings &made, std::size_t at) {
        const auto &token = made.text.tokens[at];
        Regex::Groups groups;
        if (!reader_.tables().roman.regex.fullmatch(token.text, groups)) return;
        const auto numeral = token.text.substr(0, static_cast<std::size_t>(groups[3]));
        const auto &before = reader_.tables().before_roman;
        bool upper = false, mixed = false;
        for (std::size_t i = 0; i < numeral.size(); ++i) {
            const auto place = static_cast<std::size_t>(token.start) + i;
            if (place >= made.text.text.size()) break;
            const auto flags = reader_.chars().at(made.text.text[place]).flags;
            mixed = mixed || (flags & CASED);
            upper = upper || (flags & UPPER);
        }
        const bool named = at > 0 && before[made.text.tokens[at - 1].key];
        if (!named && !(upper && !mixed && numeral.size() > 1)) return;
        Wide value = 0, after = 0;
        for (auto i = numeral.size(); i-- > 0;) {
            const auto one = worth(numeral[i]);
            value += one < after ? -one : one;
            after = one;
        }
        made.lattice.add(at, at + 1, reader_.label(NUMBER, Value::of(value)), true);
        made.lattice.add(at, at + 1, reader_.label(ORDINAL, Value::of(value)), true);
    }

    static Wide worth(char32_t letter) {
        switch (letter) {
            case U'i': return 1;
            case U'v': return 5;
            case U'x': return 10;
            case U'l': return 50;
            case U'c': return 100;
            case U'd': return 500;
            default: return 1000;
        }
    }

    // A hyphen between values may be said: "to", or "minus".
    void ranges(Readings &made) {
        for (std::size_t at = 1; at < made.text.tokens.size(); ++at) {
            if (!made.ends[at] && !made.text.tokens[at].decimal) continue;
            auto gap = made.text.gaps[at];
            while (!gap.empty() && reader_.chars().has(gap.front(), SPACE)) gap.remove_prefix(1);
            while (!gap.empty() && reader_.chars().has(gap.back(), SPACE)) gap.remove_suffix(1);
            if (gap != U"-") continue;
            for (const auto &words : reader_.tables().joins) made.lattice.add(at, at, words);
        }
    }

    Reader reader_;
    Writing writing_;
    Heard heard_;
    Speller speller_;
    Readings left_, right_;
    Walk walk_;
    std::vector<bool> inside_;
    std::u32string one_, other_, form_;
    std::vector<std::u32string> left_keys_, right_keys_;
};

}  // namespace mondegreen::values
