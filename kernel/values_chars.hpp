// Characters as Python sees them; asked for once each, then kept.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mondegreen::values {

enum CharFlag : std::uint32_t {
    LETTER = 1,     // of a token of letters
    SPACE = 2,      // str.isspace
    DECIMAL = 4,    // str.isdecimal
    ALPHA = 8,      // str.isalpha
    ALNUM = 16,     // str.isalnum
    UPPER = 32,     // str.isupper
    CASED = 64,     // lower case or title case
    WORD = 128,     // \w of an expression
    REPLACED = 256,  // written in another way: `plain`
    MARK = 512,     // stands over the character before it, and never joins with it
    UNSURE = 1024,  // only Python knows what it becomes in a text
    KNOWN = 2048,
};

struct Char {
    std::uint32_t flags = 0;
    char32_t lower = 0;
    std::u32string folded{};  // without case
    std::u32string key{};     // as in tables
    std::u32string bare{};    // without case and accents
    std::u32string plain{};   // if it is written in another way
};

class Chars {
public:
    using Ask = std::function<Char(char32_t)>;

    explicit Chars(Ask ask) : ask_(std::move(ask)), pages_(0x1100) {}

    const Char &at(char32_t c) {
        auto &page = pages_[c >> 8];
        if (!page) page = std::make_unique<std::array<Char, 256>>();
        auto &known = (*page)[c & 0xff];
        if (!(known.flags & KNOWN)) {
            known = ask_(c);
            known.flags |= KNOWN;
        }
        return known;
    }

    bool has(char32_t c, std::uint32_t flags) { return (at(c).flags & flags) != 0; }

private:
    Ask ask_;
    std::vector<std::unique_ptr<std::array<Char, 256>>> pages_;
};

}  // namespace mondegreen::values
