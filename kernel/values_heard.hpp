// Values in words, said in their other ways, too: "half past twelve" is also "twelve thirty".
#pragma once

#include "values_written.hpp"

namespace mondegreen::values {

class Heard {
public:
    Heard(Reader &reader, Writing &writing) : t_(reader.tables()), writing_(writing) {}

    // Adds the other ways to say the times, dates and amounts that a text says in words.
    void add(Lattice &lattice) {
        lattice_ = &lattice;
        const auto marks = marks_of(lattice);
        if (!(marks & (TIME_MARK | DATE_MARK | MONEY_MARK))) return;
        found_.clear();
        if (marks & TIME_MARK) each(t_.said_time, [&] { time(); });
        if (marks & DATE_MARK) each(t_.said_date, [&] { date(); });
        if (marks & MONEY_MARK) each(t_.said_money, [&] { money(); });
        for (const auto &one : found_) lattice.add(one.start, one.end, one.labels, one.weak);
    }

private:
    struct Other {
        std::uint32_t start, end;
        Labels labels;
        std::uint8_t weak;
    };
    // A part of a template, and the number or label that it was found to be.
    struct Bound {
        std::size_t part;
        Label label;
        std::int64_t top, bottom;
    };

    // What kinds of value may be said: those whose words are there. Notes which labels there are.
    std::uint8_t marks_of(const Lattice &lattice) {
        std::uint8_t found = 0;
        there_ = {};
        for (std::uint32_t node = 0; node < lattice.size(); ++node) {
            for (auto i = lattice.head(node); i >= 0; i = lattice.edge(i).next) {
                if (lattice.edge(i).target > lattice.size()) continue;
                found |= t_.mark(lattice.edge(i).label);
                there_.add(lattice.edge(i).label);
            }
        }
        return found;
    }

    template <typename F>
    void each(const Templates &sources, F &&found) {
        for (const auto &source : sources) {
            if (!source.read) continue;
            source_ = &source;
            for (const auto &variant : source.variants) {
                if (!variant.needs.within(there_) || has_year(variant)) continue;
                for (start_ = 0; start_ < lattice_->size(); ++start_) {
                    bound_.clear();
                    match(variant.pieces, 0, 0, start_, 0, found);
                }
            }
        }
    }

    static bool has_year(const Variant &variant) {
        return std::any_of(variant.pieces.begin(), variant.pieces.end(), [](const Piece &piece) {
            return piece.part == P_YEAR || piece.part == P_YEAR_ORD || piece.part == P_YEAR_DIGITS;
        });
    }

    // Matches the pieces from one on, and in it the labels from one on.
    template <typename F>
    void match(const std::vector<Piece> &pieces, std::size_t at, std::size_t label, std::uint32_t node, std::uint8_t weak, F &found) {
        if (at == pieces.size()) {
            end_ = node;
            weak_ = weak;
            return found();
        }
        const auto &piece = pieces[at];
        if (piece.part == P_NONE && label == piece.labels.size()) return match(pieces, at + 1, 0, node, weak, found);
        for (auto i = lattice_->head(node); i >= 0;) {
            const auto &edge = lattice_->edge(i);
            i = edge.next;
            if (edge.target > lattice_->size() || edge.target == node || (edge.weak & GUESS)) continue;
            const auto more = static_cast<std::uint8_t>(weak | edge.weak);
            if (piece.part == P_NONE) {
                if (edge.label == piece.labels[label]) match(pieces, at, label + 1, edge.target, more, found);
                continue;
            }
            Bound made{piece.part, edge.label, 0, 1};
            if (!binds(made)) continue;
            bound_.push_back(made);
            match(pieces, at + 1, 0, edge.target, more, found);
            bound_.pop_back();
        }
    }

    bool binds(Bound &made) const {
        switch (made.part) {
            case P_C: return t_.mark(made.label) & MONEY_MARK;
            case P_CENT: return t_.mark(made.label) & CENT_MARK;
            case P_MONTH: return t_.mark(made.label) & DATE_MARK;
            default: break;
        }
        const bool ordinal = made.part == P_H_NEXT_ORD || made.part == P_DAY_ORD || made.part == P_MONTH_ORD || made.part == P_0DAY_ORD;
        if (made.label >> TAG_SHIFT != (ordinal ? ORDINAL : NUMBER) || (made.label >> 57 & 1)) return false;
        made.top = static_cast<std::int64_t>(made.label >> 18 & ((std::uint64_t{1} << 39) - 1));
        made.bottom = static_cast<std::int64_t>(made.label & ((1 << 18) - 1));
        return true;
    }

    // Keeps what a template says of the value that was found.
    auto keep() {
        return [this](const Labels &labels, bool guess) {
            found_.push_back({start_, end_, labels, static_cast<std::uint8_t>(weak_ | (guess ? GUESS : 0))});
        };
    }

    // A midnight may end a day or begin it: it is not said in other ways.
    void time() {
        const auto known = t_.case_times.find(source_->of);
        auto [hour, minute] = known == t_.case_times.end() ? std::pair<std::int64_t, std::int64_t>{-1, -1} : known->second;
        for (const auto &one : bound_) {
            const std::int64_t quarters = one.part == P_H_25 ? 1 : one.part == P_H_5 ? 2 : one.part == P_H_75 ? 3 : 0;
            const auto top = 4 * one.top - quarters * one.bottom;  // of a number with four times the denominator
            if (top % (4 * one.bottom) != 0) return;
            const auto number = top / (4 * one.bottom);
            switch (one.part) {
                case P_H: case P_H_NEAR: case P_H_25: case P_H_5: case P_H_75: hour = number; break;
                case P_H_NEXT: case P_H_NEXT_ORD: hour = number == 1 ? 12 : number - 1; break;
                case P_M: minute = number; break;
                case P_M_LEFT: minute = 60 - number; break;
                case P_M_AFTER_HALF: minute = 30 + number; break;
                case P_M_BEFORE_HALF: minute = 30 - number; break;
                default: return;
            }
        }
        if (hour <= 0 || hour >= 24 || minute < 0 || minute >= 60) return;
        if (Writing::applies(t_, hour, minute, source_->of)) writing_.say_time(hour, minute, source_->lasts, keep());
    }

    void date() {
        std::int64_t day = 0;
        std::size_t month = 0;
        if (bound_.size() != 2) return;
        for (const auto &one : bound_) {
            if (one.part == P_MONTH) month = static_cast<std::size_t>(std::find(t_.month_labels.begin(), t_.month_labels.end(), one.label) - t_.month_labels.begin());
            else if (one.part != P_DAY && one.part != P_DAY_ORD) return;
            else if (one.top % one.bottom == 0) day = one.top / one.bottom;
        }
        if (month >= 1 && month <= 12 && day >= 1 && day <= 31) writing_.say_date(day, static_cast<std::int64_t>(month), keep());
    }

    void money() {
        Label code = 0, cent = t_.cent;
        Value whole, cents, amount;
        bool exact = false;
        for (const auto &one : bound_) {
            const auto value = Value::fraction(one.top, one.bottom);
            if (one.part == P_C) code = one.label;
            else if (one.part == P_CENT) cent = one.label;
            else if (one.part == P_N) amount = value, exact = true;
            else if (one.part == P_A) whole = value;
            else if (one.part == P_CENTS) cents = value * Value::fraction(1, 100);
            else return;
        }
        if (exact) cents = amount + Value::of(-amount.truncated());
        else amount = whole + cents;
        const auto own = t_.cent_of.find(code);
        if (cent != t_.cent && cent != t_.any_cent && (own == t_.cent_of.end() || own->second != cent)) return;
        if (cents.zero() || cents.top < 0 || cents.truncated() != 0 || amount.truncated() < 1) return;
        if ((cents * Value::of(100)).bottom != 1 || whole.bottom != 1) return;
        writing_.say_amount(Value::fraction(amount.top, amount.bottom), code, keep());
    }

    const Tables &t_;
    Writing &writing_;
    Lattice *lattice_ = nullptr;
    const Template *source_ = nullptr;
    std::vector<Bound> bound_;
    std::vector<Other> found_;
    std::uint32_t start_ = 0, end_ = 0;
    std::uint8_t weak_ = 0;
    Filter there_;
};

}  // namespace mondegreen::values
