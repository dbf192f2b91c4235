// Exact numbers, and the labels of what a text says.
#pragma once

#include <cstdint>
#include <numeric>
#include <string>

#include "values_regex.hpp"

namespace mondegreen::values {

__extension__ typedef __int128 Wide;

inline Wide plus(Wide a, Wide b) {
    Wide sum;
    if (__builtin_add_overflow(a, b, &sum)) throw TooHard();
    return sum;
}

inline Wide times(Wide a, Wide b) {
    Wide product;
    if (__builtin_mul_overflow(a, b, &product)) throw TooHard();
    return product;
}

// A whole number or a fraction, as Python's int and Fraction: 2/1 is not whole.
struct Value {
    Wide top = 0, bottom = 1;
    bool whole = true;

    static Value of(Wide n) { return {n, 1, true}; }
    static Value fraction(Wide top, Wide bottom) {
        auto a = top < 0 ? -top : top, b = bottom;
        while (b != 0) {
            const auto rest = a % b;
            a = b;
            b = rest;
        }
        return a > 1 ? Value{top / a, bottom / a, false} : Value{top, bottom, false};
    }
    Value operator+(const Value &other) const {
        if (whole && other.whole) return of(plus(top, other.top));
        return fraction(plus(times(top, other.bottom), times(other.top, bottom)), times(bottom, other.bottom));
    }
    Value operator*(const Value &other) const {
        if (whole && other.whole) return of(times(top, other.top));
        return fraction(times(top, other.top), times(bottom, other.bottom));
    }
    Value operator-() const { return {-top, bottom, whole}; }
    bool operator<(const Value &other) const { return times(top, other.bottom) < times(other.top, bottom); }
    bool operator==(const Value &other) const { return top == other.top && bottom == other.bottom; }
    bool zero() const { return top == 0; }
    bool less(Wide n) const { return *this < of(n); }
    bool above(Wide n) const { return of(n) < *this; }
    Wide truncated() const { return top / bottom; }
};

inline constexpr Wide NO_BOUND = static_cast<Wide>(1) << 126;

// A step of what a text says: a number, an ordinal, a denominator, a character or a word.
using Label = std::uint64_t;
enum Tag : std::uint64_t { TEXT, CHARACTER, NUMBER, ORDINAL, DENOMINATOR, TWICE_NEGATIVE, DECADE, FORMED, ODD };

inline constexpr int TAG_SHIFT = 58;
inline Label tagged(std::uint64_t tag, std::uint64_t rest) { return tag << TAG_SHIFT | rest; }
inline Label of_char(char32_t c) { return tagged(CHARACTER, c); }
inline const Label MINUS_ZERO = tagged(ODD, 0);

// A number below 2^39 with a denominator below 2^18 is its own label.
inline bool fits(const Value &value) {
    constexpr Wide top = static_cast<Wide>(1) << 39, bottom = 1 << 18;
    return value.top < top && value.top > -top && value.bottom < bottom;
}
inline Label packed(Tag tag, const Value &value) {
    const auto sign = static_cast<std::uint64_t>(value.top < 0) << 57;
    const auto size = static_cast<std::uint64_t>(value.top < 0 ? -value.top : value.top);
    return tagged(tag, sign | size << 18 | static_cast<std::uint64_t>(value.bottom));
}

}  // namespace mondegreen::values
