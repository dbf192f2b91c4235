// Hallucinations of an aligned pair: loops, text for silence, and long runs far from what was said.
//
// The readable twin is in mondegreen.kernel.counting.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "align.hpp"
#include "phrases.hpp"
#include "words.hpp"

namespace mondegreen {

// Counts: hallucinated, looped, spoke in silence, strayed, hallucinated words.
class HallucinationCounter {
public:
    static constexpr std::size_t WIDTH = 5;

    void count(const AlignedPair &pair, std::int64_t *row) {
        if (pair.ref.empty()) {
            if (pair.hyp.empty()) return;
            row[0] = row[2] = 1;
            row[4] = static_cast<std::int64_t>(pair.hyp.size());
        } else if (is_candidate(pair)) {
            count_loops(pair, row);
            count_strays(pair, row);
            row[0] = row[1] | row[3];
        }
    }

private:
    static constexpr std::size_t TIMES = 4, LONGEST = 12, RUN = 5, SURPLUS = 3;
    static constexpr double FAR = 0.6;

    struct Stretch {
        std::size_t start, end, times;
    };

    // Whether three words in a row are wrong.
    static bool is_candidate(const AlignedPair &pair) {
        std::size_t run = 0;
        for (std::size_t at = 0; at < pair.n; ++at) {
            run = pair.steps[at] == substitution || pair.steps[at] == insertion ? run + 1 : 0;
            if (run == 3) return true;
        }
        return false;
    }

    // What is repeated four times or more in a row.
    static std::vector<Stretch> loops(const Ids &words) {
        std::vector<Stretch> found;
        for (std::size_t at = 0; at < words.size();) {
            Stretch best{at, at, 0};
            const auto longest = std::min(LONGEST, (words.size() - at) / TIMES);
            for (std::size_t size = 1; size <= longest; ++size) {
                auto end = at + size;  // of the words that equal those before them by the size
                while (end < words.size() && words[end] == words[end - size]) ++end;
                const auto times = (end - at) / size;
                if (times >= TIMES && times * size > best.end - at) best = {at, at + times * size, times};
            }
            if (best.times > 0) found.push_back(best);
            at = std::max(best.end, at + 1);
        }
        return found;
    }

    void count_loops(const AlignedPair &pair, std::int64_t *row) {
        std::size_t said = 1;
        for (const auto &loop : loops(pair.ref)) said = std::max(said, loop.times);
        loops_ = loops(pair.hyp);
        std::erase_if(loops_, [&](const Stretch &loop) { return loop.times <= said; });
        row[1] = !loops_.empty();
        for (const auto &loop : loops_) row[4] += static_cast<std::int64_t>(loop.end - loop.start);
    }

    void count_strays(const AlignedPair &pair, std::int64_t *row) {
        std::size_t i = 0, j = 0, a = 0, c = 0;  // the run of errors: words a to i of the reference, c to j of the other
        for (std::size_t at = 0; at <= pair.n; ++at) {
            const auto step = at < pair.n ? pair.steps[at] : static_cast<std::uint8_t>(match);
            if (step != match) {
                i += step != insertion;
                j += step != deletion;
                continue;
            }
            if (j - c >= RUN && j - c >= i - a + SURPLUS && !in_loop(c, j) && is_far(pair, a, i, c, j)) {
                row[3] = 1;
                row[4] += static_cast<std::int64_t>(j - c);
            }
            a = ++i, c = ++j;
        }
    }

    bool in_loop(std::size_t start, std::size_t end) const {
        return std::any_of(loops_.begin(), loops_.end(), [&](const Stretch &loop) { return start < loop.end && loop.start < end; });
    }

    // Whether most letters of a run differ from what was said there, and in the words beside it.
    bool is_far(const AlignedPair &pair, std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
        interner_.clear();
        read(pair, pair.hyp, c, d, heard_text_, heard_);
        read(pair, pair.ref, a > 0 ? a - 1 : 0, std::min(b + 1, pair.ref.size()), said_text_, said_);
        const auto apart = aligner_.distance(heard_, said_, 128 + interner_.size());
        return static_cast<double>(apart) >= FAR * static_cast<double>(heard_.size());
    }

    void read(const AlignedPair &pair, const Ids &side, std::size_t start, std::size_t end, std::string &text, Ids &out) {
        text.clear();
        for (; start < end; ++start) text.append(pair.words[side[start]].text).push_back(' ');
        out.clear();
        split_words(text, [&](std::string_view word) { number_letters(word, interner_, out); });
    }

    std::vector<Stretch> loops_;
    Interner interner_;
    UnitAligner aligner_;
    std::string heard_text_, said_text_;
    Ids heard_, said_;
};

}  // namespace mondegreen
