// Reads numbers in the tokens of one text.
#pragma once

#include "values_sums.hpp"

namespace mondegreen::values {

class NumberReader {
public:
    Meanings m;

    void look(const Tables &tables, const Text &text) {
        m.look(tables, text);
        known_.assign(text.tokens.size() + 1, false);
        sums_.resize(text.tokens.size() + 1);
        starts_.clear();
    }

    // Whether a sign only multiplies the digits before it: 90万 is not 90 and 10000.
    bool scales(std::size_t at) const {
        if (at == 0 || !m.text().gaps[at].empty() || !m.text().tokens[at - 1].decimal) return false;
        return m.is_multiplier(at) && m.first(at, ADD) == nullptr;
    }

    // Where numbers may begin: not inside one that began before.
    const std::vector<std::size_t> &starts() {
        if (!starts_.empty()) return starts_;
        std::vector<bool> ends(m.text().tokens.size() + 2, false);
        ends[0] = true;
        std::size_t covered = 0;
        for (std::size_t at = 0; at < m.text().tokens.size(); ++at) {
            if (at < covered && !ends[at] && !m.tables().pairs) continue;
            starts_.push_back(at);
            const auto &sums = sum(at);
            for (const auto &one : sums) ends[one.end] = true;
            if (!sums.empty() && sums[0].kind == ADD) {
                covered = std::max(covered, sums[0].end);
                if (rounds(at, sums[0].end)) ends[at + 2] = true;
            }
        }
        return starts_;
    }

    // Whether "eight hundred" ends before digits: eight hundred, five five five.
    bool rounds(std::size_t at, std::size_t end) const {
        if (end != at + 3 || digit(at) < 0 || digit(at + 2) < 0 || digit(at + 3) < 0) return false;
        for (const auto &one : m.at(at + 1)) {
            if (one.meaning->kind == MUL && one.meaning->value == Value::of(100)) return true;
        }
        return false;
    }

    // The digit that a word says; -1 if none.
    int digit(std::size_t at) const {
        for (const auto &one : m.at(at)) {
            if (one.meaning->kind == ADD && one.meaning->value.less(10)) return static_cast<int>(one.meaning->value.truncated());
            if (one.meaning->kind == ZERO) return 0;
        }
        return -1;
    }

    // The numbers that begin at a position: "ten fifths" is also ten, and fifths.
    Numbers numbers(std::size_t at) {
        if (m.at(at).empty() && !m.written[at]) return {};
        for (const auto &one : m.at(at)) {
            if (one.meaning->kind == MINUS && m.joined(one.end)) {
                auto found = unsigned_at(one.end);
                for (auto &number : found) number.value = -number.value;
                return found;
            }
        }
        return unsigned_at(at);
    }

    // The longest whole number that begins at a position.
    const Number *whole(std::size_t at) {
        const auto &found = sum(at);
        return !found.empty() && found[0].kind == ADD ? &found[0] : nullptr;
    }

private:
    const Numbers &sum(std::size_t at) {
        static const Numbers NONE;
        if (at >= m.text().tokens.size()) return NONE;
        if (!known_[at]) {
            known_[at] = true;
            sums_[at] = !m.at(at).empty() || m.written[at] ? Sum(m).read(at) : Numbers{};
        }
        return sums_[at];
    }

    Numbers unsigned_at(std::size_t at) {
        auto found = sum(at);
        if (found.empty()) {
            const auto decimals = this->decimals({Value{}, ADD, at});
            return decimals ? Numbers{*decimals} : Numbers{};
        }
        const auto whole = found[0];
        if (whole.kind == ADD) {
            auto longer = decimals(whole);
            if (!longer) longer = fraction_of_ten(whole);
            if (!longer) longer = more(whole);
            if (!(longer->value == whole.value && longer->end == whole.end)) found.push_back(*longer);
        }
        return found;
    }

    // A number with "and a half" or a scale after it.
    Number more(Number found) const {
        if (m.joined(found.end)) {
            for (const auto &one : m.at(found.end)) {
                if (one.meaning->kind == PLUS && found.value.whole) {
                    found = {found.value + one.meaning->value * Value::of(scale_before(found.end)), ADD, one.end};
                    break;
                }
            }
        }
        return scaled(found);
    }

    Wide scale_before(std::size_t end) const {
        const auto *phrases = m.text().tokens[end - 1].phrases;
        if (phrases == nullptr) return 1;
        const Wide least = m.tables().trailing ? 100 : 1000000;
        for (const auto &meaning : phrases->alone) {
            if (meaning.kind == MUL && meaning.value.top >= least) return meaning.value.top;
        }
        return 1;
    }

    Number scaled(const Number &found) const {
        if (!m.joined(found.end)) return found;
        const bool tight = m.text().gaps[found.end].empty() && m.text().tokens[found.end - 1].decimal;
        for (const auto &one : m.at(found.end)) {
            const bool scale = one.meaning->kind == MUL && one.meaning->value.top >= 1000;
            if (scale || (tight && one.meaning->kind == SHORT)) return scaled({found.value * one.meaning->value, ADD, one.end});
        }
        return found;
    }

    // A number with the digits after its point; "point five" has none before.
    std::optional<Number> decimals(const Number &whole) const {
        const auto *point = m.first(whole.end, POINT);
        if (point == nullptr || !m.joined(point->end) || (whole.end > 0 && !m.joined(whole.end))) return std::nullopt;
        auto at = point->end;
        Wide digits = 0, scale = 1;
        const auto push = [&](Wide value, Wide places) {
            digits = plus(times(digits, places), value);
            scale = times(scale, places);
        };
        while (m.joined(at)) {
            if (const auto *zero = m.first(at, ZERO)) {
                push(0, 10);
                at = zero->end;
                continue;
            }
            const auto found = Sum(m, 100).read(at);
            if (found.empty() || found[0].kind != ADD || !found[0].value.whole) break;
            const auto &token = m.text().tokens[at];
            if (token.decimal && found[0].end == at + 1) {
                for (const auto c : token.text) push(c - U'0', 10);
            } else {
                Wide places = 10;
                while (found[0].value.top >= places) places = times(places, 10);
                push(found[0].value.top, places);
            }
            at = found[0].end;
        }
        if (scale == 1) return std::nullopt;
        return scaled({whole.value + Value::fraction(digits, scale), ADD, at});
    }

    // "две целых три десятых": two wholes, three tenths.
    std::optional<Number> fraction_of_ten(const Number &whole) {
        const auto *wholes = m.first(whole.end, WHOLE);
        if (wholes == nullptr) return std::nullopt;
        auto at = wholes->end;
        if (const auto *with = m.first(at, AND)) at = with->end;
        const auto *top = this->whole(at);
        if (top == nullptr) return std::nullopt;
        const auto *part = m.first(top->end, PART);
        if (part == nullptr) return std::nullopt;
        return scaled({whole.value + Value::fraction(top->value.truncated(), part->meaning->value.top), ADD, part->end});
    }

    std::vector<bool> known_;
    std::vector<Numbers> sums_;
    std::vector<std::size_t> starts_;
};

}  // namespace mondegreen::values
