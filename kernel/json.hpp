// JSON of one line: texts read and written as msgspec writes them, other values copied.
//
// What is out of the ordinary is not read here: every function says so by returning false, and the line is left to
// Python, which also says what is wrong with it. The readable twin is mondegreen.data.formats.jsonl.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mondegreen {

// Appends a text with its quotation marks.
inline void append_json(std::string &out, std::string_view text) {
    constexpr const char *HEX = "0123456789abcdef";
    out += '"';
    std::size_t done = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto c = static_cast<unsigned char>(text[at]);
        if (c >= 0x20 && c != '"' && c != '\\') [[likely]] continue;
        out.append(text, done, at - done);
        done = at + 1;
        out += '\\';
        switch (c) {
            case '"': out += '"'; break;
            case '\\': out += '\\'; break;
            case '\b': out += 'b'; break;
            case '\f': out += 'f'; break;
            case '\n': out += 'n'; break;
            case '\r': out += 'r'; break;
            case '\t': out += 't'; break;
            default: ((out += "u00") += HEX[c >> 4]) += HEX[c & 15];
        }
    }
    out.append(text, done, text.size() - done);
    out += '"';
}

inline void append_utf8(std::string &out, std::uint32_t point) {
    if (point < 0x80) {
        out += static_cast<char>(point);
        return;
    }
    if (point < 0x800) {
        out += static_cast<char>(0xc0 | point >> 6);
    } else {
        if (point < 0x10000) {
            out += static_cast<char>(0xe0 | point >> 12);
        } else {
            out += static_cast<char>(0xf0 | point >> 18);
            out += static_cast<char>(0x80 | (point >> 12 & 0x3f));
        }
        out += static_cast<char>(0x80 | (point >> 6 & 0x3f));
    }
    out += static_cast<char>(0x80 | (point & 0x3f));
}

// Reads a line of valid UTF-8. Texts with escapes are kept in memory of its own until the next line.
class JsonLine {
public:
    void begin(std::string_view line) {
        line_ = line;
        at_ = 0;
        unescaped_.clear();
        unescaped_.reserve(2 * line.size() + 16);  // so that it does not move: nothing gets longer
    }

    // Memory for a text of at most as many bytes as the line has, until the next line.
    std::string &memory() { return unescaped_; }

    std::size_t place() const { return at_; }
    void back_to(std::size_t place) { at_ = place; }

    // Whether the next character is this one, which is then read.
    bool takes(char c) {
        skip_space();
        if (at_ >= line_.size() || line_[at_] != c) return false;
        ++at_;
        return true;
    }

    bool ends() {
        skip_space();
        return at_ == line_.size();
    }

    bool text(std::string_view &found) {
        if (!takes('"')) return false;
        const auto start = at_;
        for (; at_ < line_.size(); ++at_) {
            const auto c = static_cast<unsigned char>(line_[at_]);
            if (c == '"') {
                found = line_.substr(start, at_++ - start);
                return true;
            }
            if (c < 0x20) return false;
            if (c == '\\') return escaped(start, found);
        }
        return false;
    }

    bool null() { return word("null"); }

    // A whole number as Python would write it.
    bool number(std::string_view &found) {
        skip_space();
        const auto start = at_;
        auto at = at_ + (at_ < line_.size() && line_[at_] == '-' ? 1 : 0);
        const auto first = at;
        while (at < line_.size() && is_digit(line_[at])) ++at;
        const auto digits = at - first;
        if (digits == 0 || digits > 18 || (line_[first] == '0' && (digits > 1 || first > start))) return false;
        if (at < line_.size() && (line_[at] == '.' || (line_[at] | 0x20) == 'e')) return false;
        found = line_.substr(start, at - start);
        at_ = at;
        return true;
    }

    // Appends the next value as Python would write it after reading it.
    bool copy(std::string &out, int depth = 0) {
        skip_space();
        if (at_ >= line_.size() || depth > 32) return false;
        std::string_view found;
        switch (line_[at_]) {
            case '"':
                if (!text(found)) return false;
                append_json(out, found);
                return true;
            case '[': return copy_list(out, depth);
            case '{': return copy_object(out, depth);
            case 't': return word("true") && (out += "true", true);
            case 'f': return word("false") && (out += "false", true);
            case 'n': return word("null") && (out += "null", true);
            default:
                if (!number(found) && !fraction(found)) return false;
                out += found;
                return true;
        }
    }

private:
    static bool is_digit(char c) { return c >= '0' && c <= '9'; }

    void skip_space() {
        while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t' || line_[at_] == '\r')) ++at_;
    }

    bool word(std::string_view wanted) {
        skip_space();
        if (line_.substr(at_, wanted.size()) != wanted) return false;
        at_ += wanted.size();
        return true;
    }

    // A fraction of few digits, neither huge nor tiny: its shortest form is the one it has.
    bool fraction(std::string_view &found) {
        const auto start = at_;
        auto at = at_ + (line_[at_] == '-' ? 1 : 0);
        const auto first = at;
        while (at < line_.size() && is_digit(line_[at])) ++at;
        const auto whole = at - first;
        if (whole == 0 || (line_[first] == '0' && whole > 1) || at >= line_.size() || line_[at] != '.') return false;
        const auto point = at++;
        while (at < line_.size() && is_digit(line_[at])) ++at;
        const auto decimals = at - point - 1;
        if (decimals == 0 || whole + decimals > 15 || (at < line_.size() && (line_[at] | 0x20) == 'e')) return false;
        if (line_[at - 1] == '0' && (decimals > 1 || line_[first] == '0')) return false;
        if (line_[first] == '0' && line_[point + 1] == '0') return false;
        found = line_.substr(start, at - start);
        at_ = at;
        return true;
    }

    bool copy_list(std::string &out, int depth) {
        out += '[';
        if (!takes('[')) return false;
        for (bool first = true; !takes(']'); first = false) {
            if (!first && !takes(',')) return false;
            if (!first) out += ',';
            if (!copy(out, depth + 1)) return false;
        }
        out += ']';
        return true;
    }

    // An object; one with a key twice is left to Python, which keeps the last.
    bool copy_object(std::string &out, int depth) {
        std::vector<std::string_view> keys;
        out += '{';
        if (!takes('{')) return false;
        for (bool first = true; !takes('}'); first = false) {
            std::string_view key;
            if (!first && !takes(',')) return false;
            if (!first) out += ',';
            if (!text(key) || !takes(':') || std::find(keys.begin(), keys.end(), key) != keys.end()) return false;
            keys.push_back(key);
            append_json(out, key);
            out += ':';
            if (!copy(out, depth + 1)) return false;
        }
        out += '}';
        return true;
    }

    bool escaped(std::size_t start, std::string_view &found) {
        const auto from = unescaped_.size();
        unescaped_.append(line_, start, at_ - start);
        while (at_ < line_.size()) {
            const auto c = static_cast<unsigned char>(line_[at_++]);
            if (c == '"') {
                found = std::string_view(unescaped_).substr(from);
                return true;
            }
            if (c < 0x20) return false;
            if (c != '\\') {
                unescaped_ += static_cast<char>(c);
            } else if (!escape()) {
                return false;
            }
        }
        return false;
    }

    bool escape() {
        constexpr std::string_view NAMES = "\"\\/bfnrt", MEANT = "\"\\/\b\f\n\r\t";
        if (at_ >= line_.size()) return false;
        const auto c = line_[at_++];
        if (c != 'u') {
            const auto which = NAMES.find(c);
            if (which == std::string_view::npos) return false;
            unescaped_ += MEANT[which];
            return true;
        }
        std::uint32_t point = 0, low = 0;
        if (!hex(point) || (point >= 0xdc00 && point < 0xe000)) return false;
        if (point >= 0xd800 && point < 0xdc00) {
            if (line_.substr(at_, 2) != "\\u") return false;
            at_ += 2;
            if (!hex(low) || low < 0xdc00 || low >= 0xe000) return false;
            point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
        }
        append_utf8(unescaped_, point);
        return true;
    }

    bool hex(std::uint32_t &point) {
        if (at_ + 4 > line_.size()) return false;
        for (int i = 0; i < 4; ++i) {
            const auto c = line_[at_++];
            const auto letter = static_cast<char>(c | 0x20);
            if (!is_digit(c) && !(letter >= 'a' && letter <= 'f')) return false;
            point = point << 4 | static_cast<std::uint32_t>(is_digit(c) ? c - '0' : letter - 'a' + 10);
        }
        return true;
    }

    std::string_view line_;
    std::size_t at_ = 0;
    std::string unescaped_;
};

}  // namespace mondegreen
