// Numbers in words, or in digits and words ("2.5 million"): cardinals, ordinals, denominators.
#pragma once

#include <optional>

#include "values_text.hpp"

namespace mondegreen::values {

struct Number {
    Value value;
    Kind kind = ADD;  // ADD: a number; ORD, DEN
    std::size_t end = 0;
};

struct Found {
    const Meaning *meaning;
    std::size_t end;
};

using Numbers = std::vector<Number>;

// The meanings of the tokens of one text, and the numbers that were written in digits.
class Meanings {
public:
    void look(const Tables &tables, const Text &text) {
        tables_ = &tables;
        text_ = &text;
        const auto n = text.tokens.size();
        found_.clear();
        offsets_.clear();
        has_as_in = false;
        for (std::size_t at = 0; at < n; ++at) {
            offsets_.push_back(found_.size());
            const auto *phrases = text.tokens[at].phrases;
            if (phrases == nullptr) continue;
            if (at + 1 < n && !phrases->longer.empty()) longer(*phrases, at);
            for (const auto &meaning : phrases->alone) add(meaning, at + 1);
        }
        offsets_.push_back(found_.size());
        written.assign(n + 1, std::nullopt);
    }

    struct Span {
        const Found *first, *last;
        const Found *begin() const { return first; }
        const Found *end() const { return last; }
        bool empty() const { return first == last; }
    };

    Span at(std::size_t at) const {
        if (at + 1 >= offsets_.size()) return {nullptr, nullptr};
        return {found_.data() + offsets_[at], found_.data() + offsets_[at + 1]};
    }

    const Found *first(std::size_t at, Kind kind) const {
        for (const auto &one : this->at(at)) {
            if (one.meaning->kind == kind) return &one;
        }
        return nullptr;
    }

    bool joined(std::size_t at) const {
        if (at >= text_->tokens.size()) return false;
        const auto gap = text_->gaps[at];
        if (gap.size() > 3) return false;
        return gap.empty() || gap == U" " || gap == U"-" || gap == U" -" || gap == U"- " || gap == U" - " || gap == U"  ";
    }

    bool is_multiplier(std::size_t at) const { return first(at, MUL) != nullptr; }
    const Tables &tables() const { return *tables_; }
    const Text &text() const { return *text_; }

    std::vector<std::optional<Number>> written;  // by their first token
    bool has_as_in = false;

private:
    void add(const Meaning &meaning, std::size_t end) {
        found_.push_back({&meaning, end});
        has_as_in = has_as_in || meaning.kind == AS_IN;
    }

    void longer(const Phrases &phrases, std::size_t at) {
        const auto second = text_->tokens[at + 1].key;
        auto meaning = std::lower_bound(phrases.longer.begin(), phrases.longer.end(), second,
                                        [](const Meaning &one, std::uint32_t key) { return one.rest[0] < key; });
        for (; meaning != phrases.longer.end() && meaning->rest[0] == second; ++meaning) {
            if (follows(at + 1, meaning->rest)) add(*meaning, at + 1 + meaning->rest.size());
        }
    }

    bool follows(std::size_t at, const std::vector<std::uint32_t> &rest) const {
        if (at + rest.size() > text_->tokens.size()) return false;
        for (std::size_t i = 0; i < rest.size(); ++i) {
            if (text_->tokens[at + i].key != rest[i]) return false;
        }
        return true;
    }

    const Tables *tables_ = nullptr;
    const Text *text_ = nullptr;
    std::vector<Found> found_;
    std::vector<std::size_t> offsets_;
};

// The state of a number that is read: finished scales, a group of hundreds, what is added.
class Sum {
public:
    explicit Sum(const Meanings &meanings, Wide largest = NO_BOUND) : m_(meanings), largest_(largest) {}

    // The longest number at a position, and what it is with an ordinal at its end.
    Numbers read(std::size_t at) {
        auto end = at;
        Numbers shorter;
        while (!started_ || m_.joined(end)) {
            std::optional<Number> before;
            if (may_end(end)) before = Number{total(), ADD, end};
            auto step = this->step(end);
            if (!step) break;
            if (before && m_.tables().prefixes) shorter.push_back(*before);
            const auto kind = step->first;
            end = step->second;
            started_ = true;
            if (kind != ADD) {
                while (m_.tables().several && m_.first(end, kind) != nullptr) {
                    step = this->step(end);
                    if (!step) break;
                    end = step->second;
                }
                const Number ordinal{total(), kind, end};
                return before ? Numbers{*before, ordinal} : Numbers{ordinal};
            }
        }
        if (!started_) return {};
        Numbers found{{total(), ADD, end}};
        found.insert(found.end(), shorter.begin(), shorter.end());
        for (const auto &one : m_.at(end)) {
            if (one.meaning->kind == AFTER_MARK) found.push_back({found[0].value, one.meaning->multiplies ? DEN : ORD, end + 1});
        }
        return found;
    }

private:
    using Step = std::optional<std::pair<Kind, std::size_t>>;

    bool may_end(std::size_t at) const {
        return started_ && (m_.tables().prefixes || m_.first(at, ORD) != nullptr || m_.first(at, DEN) != nullptr || m_.first(at, PLUS) != nullptr);
    }

    Value total() const {
        auto last = added_ && !added_->zero() ? *added_ : Value{};
        if (extra_) last = last + *extra_;
        if (m_.tables().trailing && last.whole && last.above(0) && last.less(10) && last_ >= 100 && !filled_) {
            last = Value::of(times(last.top, last_) / 10);
        }
        auto sum = group_ + last;
        for (const auto &scale : scales_) sum = sum + scale.first;
        return sum;
    }

    // Reads the next word; what it makes of the number, and where it ends.
    Step step(std::size_t at) {
        if (at < m_.written.size() && m_.written[at] && !added_ && !started_) {
            added_ = m_.written[at]->value;
            room_ = 1;
            return Step({ADD, m_.written[at]->end});
        }
        for (const auto &one : m_.at(at)) {
            const auto kind = one.meaning->kind;
            if (kind == AND || kind == GAP) {
                if (!started_) continue;
                if (const auto step = after_and(one.end, kind == GAP)) return step;
            } else if (takes(*one.meaning, one.end)) {
                return Step({kind == ORD || kind == DEN ? kind : ADD, one.end});
            }
        }
        return std::nullopt;
    }

    bool takes(const Meaning &meaning, std::size_t end) {
        switch (meaning.kind) {
            case ADD: return add(meaning.value, meaning.room, end);
            case MUL: return meaning.value.top <= largest_ && multiply(meaning.value.top);
            case ORD:
            case DEN: return meaning.multiplies ? multiply(meaning.value.top) : add(meaning.value, room_of(meaning.value.top), 0);
            case ONE:
                if (started_ || !m_.is_multiplier(end)) return false;
                added_ = Value::of(1);
                room_ = 1;
                return true;
            case BEFORE:
                if (added_ || extra_ || !adds(end)) return false;
                extra_ = meaning.value;
                return true;
            default: return false;
        }
    }

    static Wide room_of(Wide value) {
        if (value < 20) return value == 10 ? 10 : 1;
        return value < 100 ? 10 : 100;
    }

    bool adds(std::size_t at) const {
        return m_.first(at, ADD) != nullptr || m_.is_multiplier(at) || (at < m_.written.size() && m_.written[at]);
    }

    bool add(const Value &value, Wide room, std::size_t end) {
        if (!added_) {
            if (!value.less(bound_) || (value.zero() && started_ && !(m_.tables().pairs && m_.is_multiplier(end)))) return false;
            added_ = value;
            room_ = room;
            return true;
        }
        if (value.above(0) && value.less(room_)) {
            added_ = *added_ + value;
            room_ = room;
            return true;
        }
        if (is_pair(value, end)) {
            added_ = *added_ * Value::of(10) + value;
            room_ = 1;
            return true;
        }
        return false;
    }

    // Whether two digits are tens and ones: "chín trăm sáu mốt" is 961.
    bool is_pair(const Value &value, std::size_t end) const {
        if (!m_.tables().pairs || !added_) return false;
        if (!(added_->above(0) && added_->less(10) && value.less(10)) || filled_) return false;
        if (last_ >= 100) return true;
        for (const auto &one : m_.at(end)) {
            if (one.meaning->kind == MUL && one.meaning->value.top >= 1000) return true;
        }
        return false;
    }

    bool multiply(Wide by) {
        if (by < 1000) {
            if (by >= bound_ || (added_ && !added_->less(by > 100 ? by : 100))) return false;
            group_ = group_ + factor() * Value::of(by);
            bound_ = last_ = by;
        } else {
            auto below = group_ + (added_ && !added_->zero() ? *added_ : Value{}) + extra_.value_or(Value{});
            if (!scales_.empty() && scales_.back().second == by) return false;
            while (!scales_.empty() && scales_.back().second < by) {
                below = below + scales_.back().first;
                scales_.pop_back();
            }
            if (!scales_.empty() && scales_.back().second <= by) return false;
            if (below.zero() && added_) return false;
            if (below.zero()) below = Value::of(1);
            scales_.emplace_back(below * Value::of(by), by);
            group_ = Value{};
            bound_ = last_ = by;
        }
        added_.reset();
        extra_.reset();
        room_ = NO_BOUND;
        filled_ = false;
        return true;
    }

    Value factor() const {
        if (!added_ && !extra_) return Value::of(1);
        const auto first = added_ && !added_->zero() ? *added_ : Value::of(extra_ ? 1 : 0);
        return extra_ ? first + *extra_ : first;
    }

    // What follows an "and": the ones after tens, or in German the tens after ones.
    Step after_and(std::size_t at, bool gap) {
        if (!m_.joined(at)) return std::nullopt;
        if (const auto inverted = inverted_tens(at)) return inverted;
        if (added_ && (room_ == 1 || gap)) return std::nullopt;
        bool follows = false;
        for (const auto &one : m_.at(at)) {
            const auto &meaning = *one.meaning;
            const auto kind = meaning.kind;
            if (kind == MUL) follows = true;
            if (kind == ADD && !(meaning.value.zero() && meaning.room == 1)) follows = true;
            if ((kind == ORD || kind == DEN) && !(meaning.value.zero() && meaning.multiplies)) follows = true;
        }
        if (!follows) return std::nullopt;
        const auto kept = filled_;
        filled_ = filled_ || gap;
        const auto step = this->step(at);
        if (!step) filled_ = kept;
        return step;
    }

    Step inverted_tens(std::size_t at) {
        if (!m_.tables().inverted || !added_ || !(added_->above(0) && added_->less(10))) return std::nullopt;
        for (const auto &one : m_.at(at)) {
            const auto kind = one.meaning->kind;
            if (kind != ADD && kind != ORD && kind != DEN) continue;
            const auto &tens = one.meaning->value;
            if (tens.bottom == 1 && tens.top > 10 && tens.top < 100 && tens.top % 10 == 0) {
                added_ = *added_ + tens;
                room_ = 1;
                return Step({kind, one.end});
            }
        }
        return std::nullopt;
    }

    const Meanings &m_;
    Wide largest_;
    std::vector<std::pair<Value, Wide>> scales_;
    Value group_{};
    Wide bound_ = NO_BOUND;
    std::optional<Value> added_, extra_;
    Wide room_ = NO_BOUND, last_ = 0;
    bool filled_ = false, started_ = false;
};

}  // namespace mondegreen::values
