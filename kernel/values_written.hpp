// Written values: times, dates, amounts, fractions, ordinals, and how they are said.
#pragma once

#include "values_lattice.hpp"
#include "values_text.hpp"

namespace mondegreen::values {

// The ways to say the parts of one value.
class Parts {
public:
    void clear() {
        for (auto &one : ways_) one.clear();
    }
    void add(Part part, std::initializer_list<Label> labels) { ways_[part].emplace_back(labels); }
    void add(Part part, Labels labels) { ways_[part].push_back(std::move(labels)); }
    const std::vector<Labels> &operator[](std::size_t part) const { return ways_[part]; }

private:
    std::array<std::vector<Labels>, PARTS> ways_;
};

// Says templates: calls `said` with each sequence of labels.
class Teller {
public:
    template <typename F>
    void say(const Template &one, const Parts &parts, F &&said) {
        for (const auto &variant : one.variants) {
            const bool stands = std::all_of(variant.unless.begin(), variant.unless.end(), [&](const auto &all) {
                return std::any_of(all.begin(), all.end(), [&](std::size_t part) { return parts[part].empty(); });
            });
            labels_.clear();
            if (stands) walk(variant.pieces, 0, parts, one.heard, said);
        }
    }

private:
    template <typename F>
    void walk(const std::vector<Piece> &pieces, std::size_t at, const Parts &parts, bool heard, F &said) {
        if (at == pieces.size()) return said(labels_, heard);
        const auto &piece = pieces[at];
        const auto kept = labels_.size();
        const auto with = [&](const Labels &labels) {
            labels_.insert(labels_.end(), labels.begin(), labels.end());
            walk(pieces, at + 1, parts, heard, said);
            labels_.resize(kept);
        };
        if (piece.part == P_NONE) return with(piece.labels);
        for (const auto &labels : parts[piece.part]) with(labels);
    }

    Labels labels_;
};

class Writing {
public:
    Writing(Reader &reader) : reader_(reader), t_(reader.tables()) {}

    // Calls `found` with start, end, labels and whether they are a guess.
    template <typename F>
    void values(std::u32string_view text, F &&found) {
        text_ = text;
        times_of(found);
        dates(found);
        amounts(found);
        fractions(found);
        ordinals(found);
        percents(found);
        weekdays(found);
        if (t_.decades) {
            t_.decade.regex.each(text_, [&](const Regex::Groups &g) {
                Labels labels;
                if (g[3] > g[2]) labels.push_back(number(integer(slice(g, 1))));
                labels.push_back(tagged(DECADE, static_cast<std::uint64_t>(integer(slice(g, 2)))));
                found(g[0], g[1], labels, false);
            });
        }
    }

    // Calls `found` with the numbers of a text, in each way that they may be meant.
    template <typename F>
    void numbers(std::u32string_view text, F &&found) {
        text_ = text;
        t_.number.regex.each(text, [&](const Regex::Groups &g) {
            meant(slice(g, 0), [&](const Value &value) { found(g[0], g[1], value); });
        });
    }

    // Whether a template for a case is for a time.
    static bool applies(const Tables &t, std::int64_t hour, std::int64_t minute, std::int64_t of) {
        const auto &cases = t.time_cases[static_cast<std::size_t>(hour * 60 + minute)];
        return of < 0 ? minute != 0 : std::find(cases.begin(), cases.end(), of) != cases.end();
    }

    // Calls `found` with the ways to say a time, as a time of day or as how long something lasts.
    template <typename F>
    void say_time(std::int64_t hour, std::int64_t minute, bool lasts, F &&found) {
        time_parts(hour, minute, 0);
        for (const auto &source : t_.said_time) {
            if (source.lasts == lasts && applies(t_, hour, minute, source.of)) teller_.say(source, parts_, found);
        }
    }

    template <typename F>
    void say_date(std::int64_t day, std::int64_t month, F &&found) {
        date_parts(day, month, {});
        said(t_.said_date, 0, [](std::int64_t of) { return of < 0; }, found);
    }

    template <typename F>
    void say_amount(const Value &value, Label code, F &&found) {
        amount(value, {code}, {}, found);
    }

private:
    static constexpr std::size_t MOST_DIGITS = 290;
    static constexpr std::int64_t NOON = 12, HOURS = 24;

    std::u32string_view slice(const Regex::Groups &g, std::size_t group) const {
        const auto start = g[2 * group], end = g[2 * group + 1];
        return start < 0 || end < 0 ? std::u32string_view{} : text_.substr(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start));
    }

    static Wide integer(std::u32string_view digits) {
        Wide value = 0;
        for (const auto c : digits) {
            if (c >= U'0' && c <= U'9') value = plus(times(value, 10), c - U'0');
        }
        return value;
    }

    Label number(Wide n) { return reader_.label(NUMBER, Value::of(n)); }
    Label ordinal(Wide n) { return reader_.label(ORDINAL, Value::of(n)); }

    std::u32string folded(std::u32string_view text) {
        std::u32string out;
        for (const auto c : text) out += reader_.chars().at(c).folded;
        return out;
    }

    // The values of a number in digits: 1.500 is 1500 in German, 1.5 in English.
    template <typename F>
    void meant(std::u32string_view digits, F &&found) {
        std::u32string plain;
        std::size_t signs = 0, last = 0;
        bool alike = true;
        char32_t sign = 0;
        for (const auto c : digits) {
            if (c == U' ') continue;
            if (c == U'.' || c == U',') {
                alike = alike && (signs == 0 || c == sign);
                sign = c;
                ++signs;
                last = plain.size();
            }
            plain += c;
        }
        if (plain.size() > MOST_DIGITS) return;
        if (signs == 0) return found(Value::of(integer(plain)));
        const std::u32string_view groups = std::u32string_view(plain).substr(last + 1);
        const std::u32string_view head = std::u32string_view(plain).substr(0, last);
        const bool no_whole = head.find_first_not_of(U".,") == std::u32string_view::npos;
        const bool decimal = plain[last] == t_.decimal || groups.size() != 3;
        const bool both = t_.both && signs == 1;
        if (signs > 1 && alike) return found(Value::of(integer(plain)));
        Wide scale = 1;
        if (decimal || both || no_whole) {
            for (std::size_t i = 0; i < groups.size(); ++i) scale = times(scale, 10);
            found(Value::of(integer(head)) + Value::fraction(integer(groups), scale));
        }
        if (!decimal || (both && groups.size() == 3)) found(Value::of(integer(plain)));
    }

    // Calls `found` with what templates say.
    template <typename Applies, typename F>
    void said(const Templates &sources, std::uint32_t needed, Applies &&applies, F &&found) {
        for (const auto &source : sources) {
            if ((source.has & needed) == needed && applies(source.of)) teller_.say(source, parts_, found);
        }
    }

    template <typename F>
    void times_of(F &&found) {
        for (auto &pattern : t_.times) {
            const auto h = pattern.group("h"), m = pattern.group("m"), s = pattern.group("s");
            pattern.regex.each(text_, [&](const Regex::Groups &g) { time(g, h, m, s, found); });
        }
    }

    template <typename F>
    void time(const Regex::Groups &g, std::size_t h, std::size_t m, std::size_t s, F &&found) {
        const auto hour = static_cast<std::int64_t>(integer(slice(g, h)));
        const bool has_minute = !slice(g, m).empty(), has_second = !slice(g, s).empty();
        const auto minute = static_cast<std::int64_t>(integer(slice(g, m))), second = static_cast<std::int64_t>(integer(slice(g, s)));
        if (hour > HOURS || minute >= 60) return;
        time_parts(hour, minute, second);
        Regex::Groups before;
        const bool article = t_.article.regex && t_.article.regex.search(text_, static_cast<std::size_t>(g[0]), before);
        const auto fits = [&](std::int64_t of) { return applies(t_, hour, minute, of); };
        said(has_second ? t_.said_seconds : t_.said_time, has_second && minute != 0 ? 1 : 0, fits, [&](const Labels &labels, bool guess) {
            found(g[0], g[1], labels, guess);
            if (guess && article) found(before[0], g[1], labels, guess);
            if (!has_second && has_minute && !guess && !labels.empty() && labels[0] == number(hour)) half_of_day(g, hour, labels, found);
        });
        if (has_second && second == 0) {
            said(t_.said_time, 0, fits, [&](const Labels &labels, bool guess) { found(g[0], g[1], labels, guess); });
        }
    }

    // A time of 24 hours with the half of the day: 20:55 is 8:55 p.m.
    template <typename F>
    void half_of_day(const Regex::Groups &g, std::int64_t hour, const Labels &labels, F &&found) {
        const auto half = hour < NOON || hour == HOURS ? t_.am : t_.pm;
        const bool guess = hour <= NOON || hour == HOURS;
        auto made = labels;
        made[0] = number(hour % NOON == 0 ? NOON : hour % NOON);
        made.push_back(half);
        found(g[0], g[1], made, guess);
        if (!t_.half_first) return;
        std::rotate(made.begin(), made.end() - 1, made.end());
        found(g[0], g[1], made, guess);
    }

    void time_parts(std::int64_t hour, std::int64_t minute, std::int64_t second) {
        parts_.clear();
        parts_.add(P_H, {number(hour)});
        parts_.add(P_H_NEAR, {number(hour)});
        if (hour > NOON) parts_.add(P_H_NEAR, {number(hour - NOON)});
        else if (hour == 0) parts_.add(P_H_NEAR, {number(NOON)});
        std::array<std::int64_t, 3> following{hour + 1, hour % NOON + 1, (hour + 1) % HOURS};
        for (std::size_t i = 0; i < following.size(); ++i) {
            if (std::find(following.begin(), following.begin() + static_cast<std::ptrdiff_t>(i), following[i]) != following.begin() + static_cast<std::ptrdiff_t>(i)) continue;
            parts_.add(P_H_NEXT, {number(following[i])});
            parts_.add(P_H_NEXT_ORD, {ordinal(following[i])});
        }
        parts_.add(P_M, {number(minute)});
        parts_.add(P_M_LEFT, {number(60 - minute)});
        parts_.add(P_S, {number(second)});
        if (hour > NOON) parts_.add(P_H_HALF, {number(hour - NOON)});
        for (const auto &[part, quarters] : {std::pair{P_H_25, 1}, {P_H_5, 2}, {P_H_75, 3}}) {
            parts_.add(part, {reader_.label(NUMBER, Value::fraction(4 * hour + quarters, 4))});
        }
        if (minute > 30) parts_.add(P_M_AFTER_HALF, {number(minute - 30)});
        if (minute < 30) parts_.add(P_M_BEFORE_HALF, {number(30 - minute)});
    }

    Labels digits(std::u32string_view text) const {
        Labels found;
        for (const auto c : text) found.push_back(of_char(c));
        return found;
    }

    template <typename F>
    void dates(F &&found) {
        for (auto &pattern : t_.dates) {
            const auto d = pattern.group("d"), m = pattern.group("M"), y = pattern.group("y"), name = pattern.group("name");
            pattern.regex.each(text_, [&](const Regex::Groups &g) {
                auto month = m ? static_cast<std::int64_t>(integer(slice(g, m))) : 0;
                if (name) {
                    const auto known = t_.months.find(folded(slice(g, name)));
                    if (known != t_.months.end()) month = known->second;
                }
                const auto day = d ? static_cast<std::int64_t>(integer(slice(g, d))) : 0;
                const bool has_day = d && !slice(g, d).empty();
                if (month < 1 || month > 12 || day > 31 || (has_day && day == 0)) return;
                const auto year = y ? slice(g, y) : std::u32string_view{};
                date_parts(day, month, year);
                const auto always = [](std::int64_t of) { return of < 0; };
                said(day ? t_.said_date : t_.said_month, year.empty() ? 0 : 2, always, [&](const Labels &labels, bool guess) {
                    found(g[0], g[1], labels, guess || pattern.guess);
                });
            });
        }
    }

    void date_parts(std::int64_t day, std::int64_t month, std::u32string_view year) {
        parts_.clear();
        parts_.add(P_MONTH, {t_.month_labels[static_cast<std::size_t>(month)]});
        parts_.add(P_MONTH_NUMBER, {number(month)});
        parts_.add(P_MONTH_ORD, {ordinal(month)});
        if (day) {
            parts_.add(P_DAY, {number(day)});
            parts_.add(P_DAY_ORD, {ordinal(day)});
        }
        if (day > 0 && day < 10) {
            parts_.add(P_0DAY, {number(0), number(day)});
            parts_.add(P_0DAY_ORD, {number(0), ordinal(day)});
        }
        if (!year.empty()) {
            parts_.add(P_YEAR, {number(integer(year))});
            parts_.add(P_YEAR, digits(year));
            parts_.add(P_YEAR_ORD, {ordinal(integer(year))});
            parts_.add(P_YEAR_DIGITS, digits(year));
        }
    }

    template <typename F>
    void amounts(F &&found) {
        for (auto &pattern : t_.money) {
            const auto sign = pattern.group("sign"), n = pattern.group("n"), minus = pattern.group("minus"), by = pattern.group("scale");
            pattern.regex.each(text_, [&](const Regex::Groups &g) {
                const auto codes = t_.signs.find(folded(slice(g, sign)));
                auto scale = Value::of(slice(g, minus).empty() ? 1 : -1);
                const auto scaled = t_.scales.find(folded(slice(g, by)));
                if (scaled != t_.scales.end()) scale = scale * Value::of(scaled->second);
                meant(slice(g, n), [&](const Value &value) {
                    amount(value * scale, codes == t_.signs.end() ? Labels{} : codes->second, folded(slice(g, sign)), [&](const Labels &labels, bool guess) {
                        found(g[0], g[1], labels, guess);
                    });
                });
            });
        }
    }

    template <typename F>
    void amount(const Value &value, const Labels &codes, const std::u32string &sign, F &&found) {
        parts_.clear();
        parts_.add(P_N, {reader_.label(NUMBER, value)});
        if (value.whole) {
            Labels chars;
            for (auto left = value.top < 0 ? -value.top : value.top; left > 0 || chars.empty(); left /= 10) {
                chars.insert(chars.begin(), of_char(U'0' + static_cast<char32_t>(left % 10)));
            }
            if (value.top < 0) chars.insert(chars.begin(), of_char(U'-'));
            parts_.add(P_N, std::move(chars));
        }
        for (const auto code : codes) parts_.add(P_C, {code});
        const auto whole = value.truncated();
        const auto cents = (value + Value::of(-whole)) * Value::of(100);
        const bool small = !cents.zero() && whole == 0;
        if (!cents.zero() && cents.bottom == 1) {
            parts_.add(P_A, {number(whole)});
            parts_.add(P_CENTS, {reader_.label(NUMBER, cents)});
            const auto named = small ? t_.cents.find(sign) : t_.cents.end();
            if (named == t_.cents.end()) parts_.add(P_CENT, {t_.cent});
            else for (const auto name : named->second) parts_.add(P_CENT, {name});
        }
        said(small ? t_.said_small : t_.said_money, 0, [](std::int64_t of) { return of < 0; }, found);
    }

    template <typename F>
    void fractions(F &&found) {
        if (text_.find(U'/') == std::u32string_view::npos) return;
        const auto w = t_.fraction.group("w"), n = t_.fraction.group("n"), d = t_.fraction.group("d"), root = t_.fraction.group("root");
        t_.fraction.regex.each(text_, [&](const Regex::Groups &g) {
            const auto top = integer(slice(g, n)), bottom = integer(slice(g, d));
            const std::uint32_t needed = top == 1 ? 0 : 4;
            parts_.clear();
            if (slice(g, root).empty()) parts_.add(P_N, {number(top)});
            else parts_.add(P_N, {t_.root, number(top)});
            parts_.add(P_D, {number(bottom)});
            parts_.add(P_DEN, {reader_.label(DENOMINATOR, Value::of(bottom))});
            parts_.add(P_DEN, {ordinal(bottom)});
            if (!slice(g, w).empty()) {
                const auto whole = integer(slice(g, w));
                parts_.add(P_W, {number(whole)});
                said(t_.said_mixed, needed, [](std::int64_t of) { return of < 0; }, [&](const Labels &labels, bool guess) { found(g[0], g[1], labels, guess); });
                if ((bottom == 2 || bottom == 4) && top < bottom && top % 2) {
                    found(g[0], g[1], Labels{reader_.label(NUMBER, Value::of(whole) + Value::fraction(top, bottom))}, false);
                }
            }
            const auto applies = [&](std::int64_t of) {
                if (of < 0) return true;
                const auto known = t_.numbers.find(of);
                return known != t_.numbers.end() && known->second == bottom;
            };
            said(t_.said_fraction, needed, applies, [&](const Labels &labels, bool guess) { found(g[2 * root], g[1], labels, guess); });
        });
    }

    // Percentages where the word stands before the number.
    template <typename F>
    void percents(F &&found) {
        if (t_.said_percent.empty() || text_.find(U'%') == std::u32string_view::npos) return;
        t_.number.regex.each(text_, [&](const Regex::Groups &g) {
            auto end = static_cast<std::size_t>(g[1]);
            while (end < text_.size() && reader_.chars().has(text_[end], SPACE)) ++end;
            if (end >= text_.size() || text_[end] != U'%') return;
            const bool minus = g[0] > 0 && text_[static_cast<std::size_t>(g[0]) - 1] == U'-';
            const auto stop = static_cast<std::int32_t>(end) + 1;
            meant(slice(g, 0), [&](const Value &value) {
                parts_.clear();
                parts_.add(P_N, {reader_.label(NUMBER, value)});
                said(t_.said_percent, 0, [](std::int64_t of) { return of < 0; }, [&](const Labels &labels, bool guess) {
                    found(g[0], stop, labels, guess);
                    if (!minus) return;
                    auto made = t_.percent_minus;
                    made.insert(made.end(), labels.begin(), labels.end());
                    found(g[0] - 1, stop, made, guess);
                });
            });
        });
    }

    // Days of the week that are written by one sign in brackets.
    template <typename F>
    void weekdays(F &&found) {
        if (t_.brackets.empty()) return;
        for (std::size_t at = 0; at + 2 < text_.size(); ++at) {
            if (text_[at] != U'(' || text_[at + 2] != U')') continue;
            const auto known = t_.brackets.find(text_[at + 1]);
            if (known != t_.brackets.end()) found(static_cast<std::int32_t>(at) + 1, static_cast<std::int32_t>(at) + 2, known->second, false);
        }
    }

    template <typename F>
    void ordinals(F &&found) {
        if (!t_.ordinal.regex) return;
        t_.ordinal.regex.each(text_, [&](const Regex::Groups &g) {
            const auto value = integer(slice(g, 1));
            const auto form = form_of(slice(g, 2));
            found(g[0], g[1], Labels{ordinal(value)}, form < 0 ? 0 : FORM);
            if (form >= 0) found(g[0], g[1], Labels{reader_.formed(value, static_cast<std::size_t>(form))}, 0);
            if (t_.ordinals_too) found(g[0], g[1], Labels{number(value)}, true);
        });
    }

    // The form that an ending in writing stands for; -1 if it leaves that open.
    std::int64_t form_of(std::u32string_view ending) {
        std::u32string form;
        for (const auto c : ending) {
            if (c == U'\u00ba' || c == U'\u00b0') form += U'o';
            else if (c == U'\u00aa') form += U'a';
            else if (c != U'.' && c != U':' && c != U'-') form += reader_.chars().at(c).bare;
        }
        const auto found = std::find(t_.ordinal_forms.begin(), t_.ordinal_forms.end(), form);
        return found == t_.ordinal_forms.end() ? -1 : found - t_.ordinal_forms.begin();
    }

    Reader &reader_;
    Tables &t_;
    Teller teller_;
    Parts parts_;
    std::u32string_view text_;
};

}  // namespace mondegreen::values
