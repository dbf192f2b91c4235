// The tables of one language: what phrases mean, templates, expressions.
#pragma once

#include <array>
#include <bitset>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "values_number.hpp"

namespace mondegreen::values {

using Labels = std::vector<Label>;

struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::u32string_view text) const { return std::hash<std::u32string_view>{}(text); }
};

// A map of words, which is searched without a copy.
template <typename T>
using Map = std::unordered_map<std::u32string, T, Hash, std::equal_to<>>;

enum Kind : std::int64_t {
    ADD, MUL, ORD, DEN, AND, GAP, POINT, MINUS, ONE, ZERO, WHOLE, SHORT, PART, PLUS, BEFORE, AFTER_MARK,
    LABEL, DECADE_WORD, OF, TAIL, CHAR_NAME, SIGN_NAME, SPELLING, TIMES, AS_IN, LOOSE, OTHER
};  // as in values/compiled.py

struct Meaning {
    Kind kind = OTHER;
    Value value{};
    Wide room = 1;
    bool multiplies = false;
    Labels labels{};                   // of a label, and the characters of a spelling
    Label name = 0;                    // the same in one
    std::vector<std::uint32_t> rest{};  // the keys of the words after the first one
};

// What a word may mean, alone and with others after it.
struct Phrases {
    std::vector<Meaning> alone, longer;
};

enum Part : std::size_t {
    P_H, P_H_NEAR, P_H_NEXT, P_M, P_M_LEFT, P_S, P_H_HALF, P_H_25, P_H_5, P_H_75, P_H_NEXT_ORD, P_M_AFTER_HALF, P_M_BEFORE_HALF,
    P_N, P_C, P_A, P_CENTS, P_CENT, P_D, P_DEN, P_W, P_MONTH, P_MONTH_NUMBER, P_MONTH_ORD, P_DAY, P_DAY_ORD, P_0DAY, P_0DAY_ORD,
    P_YEAR, P_YEAR_ORD, P_YEAR_DIGITS, P_UNKNOWN, P_NONE, PARTS
};  // as in values/compiled.py

// A piece of a template: labels, or a part.
struct Piece {
    std::size_t part = P_NONE;
    Labels labels{};
};

// Which labels there may be: none is missing, some may be there that are not.
struct Filter {
    std::array<std::uint64_t, 4> bits{};

    void add(Label label) {
        const auto place = label * 0x9E3779B97F4A7C15ULL >> 56;
        bits[place >> 6] |= std::uint64_t{1} << (place & 63);
    }
    bool within(const Filter &other) const {
        return !((bits[0] & ~other.bits[0]) | (bits[1] & ~other.bits[1]) | (bits[2] & ~other.bits[2]) | (bits[3] & ~other.bits[3]));
    }
};

// One way through a template; what it leaves out must not be there to be said.
struct Variant {
    std::vector<Piece> pieces;
    std::vector<std::vector<std::size_t>> unless;
    Filter needs{};  // the labels that every text has that says it
};

struct Template {
    std::int64_t of = -1;  // the case that it is for
    bool heard = false;
    std::uint32_t has = 0;  // the parts that it names: 1 minutes, 2 a year, 4 a number
    std::vector<Variant> variants{};
    bool read = false;   // whether it is read in words, too
    bool lasts = false;  // whether it says how long something lasts
};

using Templates = std::vector<Template>;

// An expression, and the groups of each name.
struct Pattern {
    Regex regex;
    std::map<std::string, std::size_t> groups;
    bool guess = false;

    std::size_t group(const char *name) const {
        const auto found = groups.find(name);
        return found == groups.end() ? 0 : found->second;
    }
};

// The words without which no value of a kind is said in words.
inline constexpr std::uint8_t TIME_MARK = 1, DATE_MARK = 2, MONEY_MARK = 4, CENT_MARK = 8;

struct Tables {
    Map<std::uint32_t> words;  // labels of words
    Map<std::uint32_t> keys;   // words of phrases, from 1
    Map<Phrases> phrases, stems;
    Map<bool> morphemes;
    std::vector<bool> before_roman;  // by key
    bool accents = true, inverted = false, trailing = false, prefixes = false, pairs = false, several = false, ordinals_too = false;
    bool both = false, decades = false, bare = false, half_first = false;
    char32_t decimal = U'.';
    Pattern number, fraction, ordinal, decade, article, roman, address, chunk_address;
    std::vector<Pattern> times, dates, money;
    Map<Labels> signs;  // currencies
    Map<Wide> scales;
    Map<std::int64_t> months;
    std::unordered_map<char32_t, Labels> brackets;
    Templates said_time, said_seconds, said_date, said_month, said_money, said_small, said_fraction, said_mixed, said_percent;
    std::vector<std::vector<std::int64_t>> time_cases;       // by hour * 60 + minute
    std::unordered_map<std::int64_t, std::int64_t> numbers;  // of a case that is a number
    std::vector<std::u32string> ordinal_forms;
    Map<Labels> cents;  // by the sign of a currency
    std::vector<Labels> minus, joins;
    std::array<Label, 13> month_labels{};
    Labels percent_minus;
    std::vector<std::uint8_t> marks;                              // by word
    std::unordered_map<Label, std::uint8_t> char_marks;           // of single characters
    std::bitset<256> marked_chars;                                // their last bits
    std::unordered_map<Label, Label> cent_of;                     // of a currency
    std::unordered_map<std::int64_t, std::pair<std::int64_t, std::int64_t>> case_times;  // hour and minute, -1: none
    Label any_cent = 0;
    Label am = 0, pm = 0, per = 0, cent = 0, root = 0;

    std::uint8_t mark(Label label) const {
        if (label >> TAG_SHIFT == TEXT) return label < marks.size() ? marks[label] : 0;
        if (label >> TAG_SHIFT != CHARACTER || !marked_chars[label & 0xff]) return 0;
        const auto found = char_marks.find(label);
        return found == char_marks.end() ? 0 : found->second;
    }
};

}  // namespace mondegreen::values
