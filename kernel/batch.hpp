// Many pairs at once: words numbered, aligned and counted, on one thread or several.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "align.hpp"
#include "extras.hpp"
#include "side.hpp"
#include "threads.hpp"
#include "timed.hpp"
#include "words.hpp"

namespace mondegreen {

// How the reference's words are marked: by UPPERCASE (and then compared in lower case), or by flags.
struct Marking {
    std::vector<std::uint8_t> upper;       // for each item: by UPPERCASE
    std::vector<std::string> keep;         // words in upper case that are not marked
    std::vector<std::uint8_t> flags;       // one a reference token, all items one after the other
    std::vector<std::size_t> offsets;      // of the flags of each item
    bool regions = false;                  // count an insertion beside a marked word as marked
};

struct Aligned {
    Steps steps;
    std::vector<std::int64_t> ends;        // where each item's steps end
    // match substitution deletion insertion; then again for marked; or extras, whether any is wrong, and 1
    std::vector<std::int64_t> counts;
    EntityCounter::Classes classes;        // the counts of each class of entities
};

// Characters as numbers.
inline void number_characters(const Side &side, std::size_t item, Interner &interner, Ids &out) {
    out.clear();
    side.words(item, [&](std::string_view word) { number_letters(word, interner, out); });
}

class Worker {
public:
    Worker(const Side &refs, const Side &hyps, const MarkedCosts &costs, const Marking *marking, bool nist, const Extras *extras,
           const TimedSides *times)
        : refs_(refs), hyps_(hyps), costs_(costs), marking_(marking), nist_(nist), times_(times) {
        if (extras != nullptr) extras_.emplace(*extras), width_ = 4 + extras->width() + 2;
        else width_ = marking == nullptr ? 4 : 8;
        const auto &set = costs.sets[0];
        unit_ = marking == nullptr && times == nullptr && set.copy == 0 && set.substitution == set.deletion && set.deletion == set.insertion;
    }

    void run(std::size_t start, std::size_t end, Aligned &out) {
        out.ends.reserve(end - start);
        out.counts.reserve((end - start) * width_);
        for (auto item = start; item < end; ++item) {
            number(item);
            const auto from = out.steps.size();
            if (nist_) {
                align_by_rows(NistPair(ref_, hyp_), out.steps);
            } else if (times_ != nullptr) {
                const auto *ref = times_->first.of(item, ref_.size()), *hyp = times_->second.of(item, hyp_.size());
                align_by_rows(TimedPair(ref_, hyp_, ref, hyp, costs_.sets[0]), out.steps);
            } else if (unit_) {
                aligner_.align(ref_, hyp_, interner_.size(), out.steps);
            } else {
                align_by_rows(MarkedPair(ref_, hyp_, marking_ ? marks_.data() : nullptr, costs_), out.steps);
            }
            out.ends.push_back(static_cast<std::int64_t>(out.steps.size()));
            out.counts.resize(out.counts.size() + width_);
            auto *row = out.counts.data() + out.counts.size() - width_;
            const auto *steps = out.steps.data() + from;
            count(steps, out.steps.data() + out.steps.size(), row);
            if (!extras_) continue;
            extras_->count(item, interner_, ref_, hyp_, steps, out.steps.size() - from, unit_, row + 4);
            row[width_ - 2] = row[substitution] + row[deletion] + row[insertion] > 0;
            row[width_ - 1] = 1;
        }
        if (extras_) out.classes = extras_->classes();
    }

private:
    void number(std::size_t item) {
        interner_.clear();
        ref_.clear();
        hyp_.clear();
        marks_.clear();
        if (marking_ != nullptr && marking_->upper[item]) {
            read_by_case(item);
        } else {
            number_units(refs_, item, interner_, ref_);
            if (marking_ != nullptr) {
                const auto *flags = marking_->flags.data();
                marks_.assign(flags + marking_->offsets[item], flags + marking_->offsets[item + 1]);
                if (marks_.size() != ref_.size()) throw std::invalid_argument("a reference needs as many marks as words");
            }
        }
        number_units(hyps_, item, interner_, hyp_);
    }

    // Reads a reference in lower case, and marks its words that are in upper case.
    void read_by_case(std::size_t item) {
        lowered_.clear();
        if (refs_.offsets) {
            refs_.words(item, [&](std::string_view word) { (lowered_ += word) += '\n'; });
        } else {
            lowered_ = refs_.piece(item);
        }
        cased_ = lowered_;
        for (auto &c : lowered_) c = static_cast<char>(c | (static_cast<unsigned char>(c - 'A') < 26) << 5);
        split_words(lowered_, [&](std::string_view word) {
            const auto at = static_cast<std::size_t>(word.data() - lowered_.data());
            marks_.push_back(is_marked(std::string_view(cased_).substr(at, word.size())));
            ref_.push_back(interner_.add(word));
        });
    }

    bool is_marked(std::string_view word) const {
        bool upper = false;
        for (const auto c : word) {
            if (c >= 'a' && c <= 'z') return false;
            upper |= c >= 'A' && c <= 'Z';
        }
        const auto &keep = marking_->keep;
        return upper && (keep.empty() || std::find(keep.begin(), keep.end(), word) == keep.end());
    }

    void count(const std::uint8_t *step, const std::uint8_t *end, std::int64_t *counts) const {
        if (marking_ == nullptr) {
            for (; step != end; ++step) ++counts[*step];
            return;
        }
        for (std::size_t i = 0; step != end; ++step) {
            bool marked = *step == insertion ? marking_->regions && beside(i) : marks_[i];
            ++counts[*step + (marked ? 4 : 0)];
            i += *step != insertion;
        }
    }

    bool beside(std::size_t i) const {
        return (i > 0 && marks_[i - 1]) || (i < marks_.size() && marks_[i]);
    }

    const Side &refs_, &hyps_;
    const MarkedCosts &costs_;
    const Marking *marking_;
    bool nist_;
    const TimedSides *times_;
    bool unit_;
    std::size_t width_;
    std::optional<ExtraCounter> extras_;
    Interner interner_;
    UnitAligner aligner_;
    Ids ref_, hyp_;
    std::vector<std::uint8_t> marks_;
    std::string cased_, lowered_;
};

// With ``nist``, by sclite's costs and ties, whatever the costs; with ``times``, also by the times of words.
inline Aligned align_batch(const Side &refs, const Side &hyps, const MarkedCosts &costs, const Marking *marking, std::size_t threads,
                           bool nist = false, const Extras *extras = nullptr, const TimedSides *times = nullptr) {
    const auto n = refs.size();
    threads = std::max<std::size_t>(1, std::min({threads, n / 64 + 1, MOST_THREADS}));
    std::vector<Aligned> parts(threads);
    in_threads(threads, n, [&](std::size_t index, std::size_t start, std::size_t end) {
        Worker(refs, hyps, costs, marking, nist, extras, times).run(start, end, parts[index]);
    });
    auto result = std::move(parts[0]);
    for (std::size_t index = 1; index < threads; ++index) {
        const auto shift = static_cast<std::int64_t>(result.steps.size());
        const auto &part = parts[index];
        result.steps.insert(result.steps.end(), part.steps.begin(), part.steps.end());
        for (const auto end : part.ends) result.ends.push_back(end + shift);
        result.counts.insert(result.counts.end(), part.counts.begin(), part.counts.end());
        for (std::size_t label = 0; label < result.classes.size(); ++label) {
            for (std::size_t column = 0; column < EntityCounter::WIDTH; ++column) result.classes[label][column] += part.classes[label][column];
        }
    }
    return result;
}

// For each pair the number of the reference's characters, and the distance in characters.
inline std::vector<std::int64_t> character_distances(const Side &refs, const Side &hyps, std::size_t threads) {
    const auto n = refs.size();
    std::vector<std::int64_t> found(2 * n);
    threads = std::max<std::size_t>(1, std::min({threads, n / 64 + 1, MOST_THREADS}));
    in_threads(threads, n, [&](std::size_t, std::size_t start, std::size_t end) {
        Interner interner;
        UnitAligner aligner;
        Ids ref, hyp;
        for (auto item = start; item < end; ++item) {
            interner.clear();
            number_characters(refs, item, interner, ref);
            number_characters(hyps, item, interner, hyp);
            found[2 * item] = static_cast<std::int64_t>(ref.size());
            found[2 * item + 1] = static_cast<std::int64_t>(aligner.distance(ref, hyp, 128 + interner.size()));
        }
    });
    return found;
}

}  // namespace mondegreen
