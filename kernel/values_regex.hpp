// Expressions of Python, run by backtracking: the same matches as those of `re`, on the same sources.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "values_chars.hpp"

namespace mondegreen::values {

// What the kernel leaves to Python: numbers beyond 128 bits, expressions that go too deep.
struct TooHard : std::runtime_error {
    TooHard() : std::runtime_error("left to Python") {}
};

// A compiled expression. Its nodes come from Python's own parser, see values/compiled.py.
class Regex {
public:
    enum Op : std::int64_t { CHAR, SET, SPLIT, REPEAT, LOOP, ENTER, MARK, AHEAD, BEHIND, END, MATCH };
    // Of a set: (0, character), (1, first, last) or (2, flag of a class, whether it is turned round).
    struct Set {
        bool negated = false;
        std::vector<std::array<std::int64_t, 3>> items;
        std::bitset<128> ascii{};
    };
    // The characters that may come first: ASCII one by one, others by their last bits.
    using First = std::bitset<256>;
    struct Node {
        Op op;
        std::int64_t next = 0, a = 0, b = 0, c = 0, d = 0;
        std::vector<std::int64_t> branches{};
        std::vector<First> firsts{};
        std::vector<std::vector<std::uint16_t>> by_place{};  // of many branches: those that may begin so
        std::int64_t single = -1;  // of a look at one character: its node
    };
    static constexpr std::size_t MOST_GROUPS = 24;
    static constexpr std::int64_t FOREVER = 1 << 30;
    using Groups = std::array<std::int32_t, 2 * MOST_GROUPS>;

    Regex() = default;
    Regex(std::vector<Node> nodes, std::vector<Set> sets, std::int64_t start, bool ignores_case, std::size_t loops)
        : nodes_(std::move(nodes)), sets_(std::move(sets)), start_(start), ignores_case_(ignores_case), loops_(loops) {}

    // Works out which characters may come first; sets of ASCII become tables.
    void prepare(Chars &chars) {
        chars_ = &chars;
        for (auto &set : sets_) {
            for (char32_t c = 0; c < 128; ++c) set.ascii[c] = in_set(set, c, chars_->at(c));
        }
        for (std::size_t at = 0; at < nodes_.size(); ++at) {
            auto &node = nodes_[at];
            for (const auto branch : node.branches) node.firsts.push_back(first_of(branch, 0));
            if (node.branches.size() > MANY) {
                node.by_place.resize(256);
                for (std::size_t i = 0; i < node.branches.size(); ++i) {
                    for (std::size_t c = 0; c < 256; ++c) {
                        if (node.firsts[i][c]) node.by_place[c].push_back(static_cast<std::uint16_t>(i));
                    }
                }
            }
            if (node.op == AHEAD || node.op == BEHIND) {
                const auto &inner = nodes_[static_cast<std::size_t>(node.a)];
                const bool one = inner.op == SET || inner.op == CHAR;
                if (one && nodes_[static_cast<std::size_t>(inner.next)].op == MATCH) node.single = node.a;
            }
        }
        first_ = first_of(start_, 0);
    }

    explicit operator bool() const { return !nodes_.empty(); }

    template <typename F>
    void each(std::u32string_view text, F &&found) {
        Groups groups;
        for (std::size_t at = 0; at < text.size();) {
            if (!may_begin(text[at]) || !match(text, at, text.size(), false, groups)) {
                ++at;
                continue;
            }
            const auto end = static_cast<std::size_t>(groups[1]);
            found(groups);
            at = end > at ? end : at + 1;
        }
    }

    bool fullmatch(std::u32string_view text) {
        Groups groups;
        return match(text, 0, text.size(), true, groups);
    }

    bool fullmatch(std::u32string_view text, Groups &groups) { return match(text, 0, text.size(), true, groups); }

    // The first place before an end where it matches.
    bool search(std::u32string_view text, std::size_t end, Groups &groups) {
        for (std::size_t at = 0; at < end; ++at) {
            if (may_begin(text[at]) && match(text, at, end, false, groups)) return true;
        }
        return false;
    }

private:
    static constexpr int DEEPEST = 3000;
    static constexpr std::size_t MANY = 4;

    static std::size_t place(char32_t c) { return c < 128 ? c : 128 + (c & 127); }

    bool may_begin(char32_t c) const { return first_[place(c)]; }

    bool match(std::u32string_view text, std::size_t at, std::size_t end, bool full, Groups &groups) {
        text_ = text;
        end_ = end;
        full_ = full;
        depth_ = 0;
        groups_.fill(-1);
        counters_.assign(loops_, {0, 0});
        if (!go(start_, at)) return false;
        groups_[0] = static_cast<std::int32_t>(at);
        groups = groups_;
        return true;
    }

    bool in_set(const Set &set, char32_t c, const Char &char_) const {
        const auto tested = ignores_case_ ? char_.lower : c;
        for (const auto &item : set.items) {
            if (item[0] == 0 && static_cast<std::int64_t>(tested) == item[1]) return !set.negated;
            if (item[0] == 1 && static_cast<std::int64_t>(tested) >= item[1] && static_cast<std::int64_t>(tested) <= item[2]) return !set.negated;
            if (item[0] == 2) {
                const auto flags = ignores_case_ && tested != c ? chars_->at(tested).flags : char_.flags;
                if (((flags & static_cast<std::uint32_t>(item[1])) != 0) != (item[2] != 0)) return !set.negated;
            }
        }
        return set.negated;
    }

    bool holds(std::int64_t set, char32_t c) const {
        const auto &one = sets_[static_cast<std::size_t>(set)];
        return c < 128 ? one.ascii[c] : in_set(one, c, chars_->at(c));
    }

    // Whether a node for one character stands for it.
    bool is(const Node &node, char32_t c) const {
        if (node.op != CHAR) return holds(node.a, c);
        return (ignores_case_ ? chars_->at(c).lower : c) == static_cast<char32_t>(node.a);
    }

    // Matches a node and all that follows it.
    bool go(std::int64_t id, std::size_t at) {
        if (++depth_ > DEEPEST) throw TooHard();
        const bool found = walk(id, at);
        --depth_;
        return found;
    }

    bool walk(std::int64_t id, std::size_t at) {
        for (;;) {
            const auto &node = nodes_[static_cast<std::size_t>(id)];
            switch (node.op) {
                case CHAR:
                case SET:
                    if (at >= end_ || !is(node, text_[at])) return false;
                    ++at;
                    break;
                case END:
                    if (at != end_ && !(at + 1 == end_ && text_[at] == U'\n')) return false;
                    break;
                case MATCH:
                    if (node.a == 0 && full_ && at != end_) return false;
                    if (node.a == 0) groups_[1] = static_cast<std::int32_t>(at);
                    reached_ = at;
                    return true;
                case SPLIT: return split(node, at);
                case REPEAT: return repeat(node, at);
                case ENTER: {
                    const auto kept = counters_[static_cast<std::size_t>(node.a)];
                    counters_[static_cast<std::size_t>(node.a)] = {0, ~std::size_t{0}};
                    if (go(node.next, at)) return true;
                    counters_[static_cast<std::size_t>(node.a)] = kept;
                    return false;
                }
                case LOOP: return loop(node, at);
                case MARK: {
                    const auto kept = groups_[static_cast<std::size_t>(node.a)];
                    groups_[static_cast<std::size_t>(node.a)] = static_cast<std::int32_t>(at);
                    if (go(node.next, at)) return true;
                    groups_[static_cast<std::size_t>(node.a)] = kept;
                    return false;
                }
                case AHEAD:
                case BEHIND:
                    if (looks(node, at) != (node.b == 0)) return false;
                    break;
            }
            id = node.next;
        }
    }

    bool split(const Node &node, std::size_t at) {
        const auto c = at < end_ ? text_[at] : U'\0';
        if (at < end_ && !node.by_place.empty()) {
            for (const auto i : node.by_place[place(c)]) {
                if (go(node.branches[i], at)) return true;
            }
            return false;
        }
        for (std::size_t i = 0; i < node.branches.size(); ++i) {
            const auto &first = node.firsts[i];
            if (at < end_ ? !first[place(c)] : !first.all()) continue;
            if (go(node.branches[i], at)) return true;
        }
        return false;
    }

    bool repeat(const Node &node, std::size_t at) {
        const auto most = node.c >= FOREVER ? end_ : std::min(end_, at + static_cast<std::size_t>(node.c));
        auto stop = at;
        while (stop < most && holds(node.a, text_[stop])) ++stop;
        for (const auto least = at + static_cast<std::size_t>(node.b); stop + 1 > least; --stop) {
            if (go(node.next, stop)) return true;
            if (stop == 0) break;
        }
        return false;
    }

    bool loop(const Node &node, std::size_t at) {
        auto &counter = counters_[static_cast<std::size_t>(node.a)];
        const auto kept = counter;
        if (kept.first < node.c && !(kept.first >= node.b && kept.second == at)) {
            counter = {kept.first + 1, at};
            if (go(node.d, at)) return true;
            counter = kept;
        }
        return kept.first >= node.b && go(node.next, at);
    }

    bool looks(const Node &node, std::size_t at) {
        if (node.op == BEHIND && at < static_cast<std::size_t>(node.c)) return false;
        if (node.single >= 0) {
            const auto place = node.op == BEHIND ? at - static_cast<std::size_t>(node.c) : at;
            return place < end_ && is(nodes_[static_cast<std::size_t>(node.single)], text_[place]);
        }
        const auto groups = groups_;
        const bool found = go(node.a, node.op == BEHIND ? at - static_cast<std::size_t>(node.c) : at);
        groups_ = groups;
        return found;
    }

    // Whether a character is of a script without case: of India and East Asia, or a currency.
    static bool caseless(std::int64_t c) {
        return (c >= 0x900 && c < 0x10a0) || (c >= 0x20a0 && c < 0x20d0) || (c >= 0x2e80 && c < 0xa000) || (c >= 0xac00 && c < 0xd7b0);
    }

    // The characters beyond ASCII that a node may begin with; in scripts with case, all that may be.
    First others(const Node &node) const {
        First found;
        const auto add = [&](std::int64_t c) {
            if (ignores_case_ && !caseless(c)) found = ~First{} << 128;
            else if (c >= 128) found[place(static_cast<char32_t>(c))] = true;
        };
        if (node.op == CHAR) {
            add(node.a);
            return found;
        }
        const auto &set = sets_[static_cast<std::size_t>(node.a)];
        for (const auto &item : set.items) {
            if (item[0] == 2 && item[1] == DECIMAL && item[2] == 0 && !set.negated) continue;  // a text has only ASCII digits
            if (set.negated || item[0] == 2 || (item[0] == 1 && item[2] - item[1] > 256)) return ~First{} << 128;
            for (auto c = item[1]; c <= (item[0] == 1 ? item[2] : item[1]); ++c) add(c);
        }
        return set.negated ? ~First{} << 128 : found;
    }

    First first_of(std::int64_t id, int depth) const {
        First all;
        all.set();
        if (depth > 40) return all;
        for (;;) {
            const auto &node = nodes_[static_cast<std::size_t>(id)];
            if (node.op == CHAR || node.op == SET || node.op == REPEAT) {
                First found = others(node);
                for (char32_t c = 0; c < 128; ++c) found[c] = is(node, c);
                return node.op == REPEAT && node.b == 0 ? found | first_of(node.next, depth + 1) : found;
            }
            if (node.op == SPLIT) {
                First found;
                for (const auto branch : node.branches) found |= first_of(branch, depth + 1);
                return found;
            }
            if (node.op == LOOP) return first_of(node.d, depth + 1) | (node.b == 0 ? first_of(node.next, depth + 1) : First{});
            if (node.op == MATCH || node.op == END) return all;
            id = node.next;
        }
    }

    std::vector<Node> nodes_;
    std::vector<Set> sets_;
    std::int64_t start_ = 0;
    bool ignores_case_ = false;
    std::size_t loops_ = 0;
    Chars *chars_ = nullptr;
    First first_;
    // The state of one match.
    std::u32string_view text_;
    std::size_t end_ = 0, reached_ = 0;
    bool full_ = false;
    int depth_ = 0;
    Groups groups_{};
    std::vector<std::pair<std::int64_t, std::size_t>> counters_;
};

}  // namespace mondegreen::values
