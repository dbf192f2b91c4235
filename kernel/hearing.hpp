// What a string of phonemes may be heard as: the best word sequences by sound and by language model.
//
// First every word that sounds like a stretch of the phonemes, from each place; then, from the start to the
// end, the best sequences of such words. All costs are whole numbers, so that the twin finds the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "trie.hpp"
#include "trigram.hpp"

namespace mondegreen {

class Hearing {
public:
    struct Heard {
        std::vector<std::uint32_t> entries, ends;  // where each word ends among the phonemes
        std::int64_t sound, surprise;              // in the costs' unit; in the model's
    };
    struct Barred {
        std::uint32_t word;
        std::size_t start, end;
    };
    struct Limits {
        std::int32_t base, growth;  // how far the beginning of a word may be off: so much, and more for each phoneme
        std::int64_t sound;         // what a unit of the costs weighs
        std::int64_t weight;        // what a unit of surprise weighs
        std::size_t beam;           // sequences kept at each place

        static Limits of(const std::vector<std::int64_t> &parts) {
            constexpr std::int64_t most[] = {1 << 16, 1 << 12, 1 << 24, 1 << 24, 1 << 16};
            if (parts.size() != std::size(most)) throw std::invalid_argument("five limits are needed");
            for (std::size_t i = 0; i < parts.size(); ++i) {
                if (parts[i] < 0 || parts[i] > most[i]) throw std::invalid_argument("a limit is out of range");
            }
            if (parts[4] == 0) throw std::invalid_argument("the beam must keep one sequence or more");
            return {static_cast<std::int32_t>(parts[0]), static_cast<std::int32_t>(parts[1]), parts[2], parts[3],
                    static_cast<std::size_t>(parts[4])};
        }
    };

    Hearing(const std::vector<Ids> &ways, const std::vector<std::string> &words, std::vector<std::int32_t> substitution,
            std::vector<std::int32_t> alone, const Trigram &model)
        : trie_(ways), model_(model), substitution_(std::move(substitution)), alone_(std::move(alone)) {
        if (ways.size() != words.size()) throw std::invalid_argument("as many words as pronunciations are needed");
        check_table(substitution_, alone_);
        for (const auto &way : ways) check_symbols(way, alone_.size());
        for (const auto *costs : {&substitution_, &alone_}) {
            for (const auto cost : *costs) greatest_ = std::max<std::int64_t>(greatest_, cost);
        }
        for (const auto &word : words) {
            words_.push_back(model_.id(word));
            best_.push_back(model_.best(words_.back()));
        }
    }

    std::vector<Heard> hear(const Ids &phonemes, const std::vector<std::string> &before, const std::vector<std::string> &after,
                            const std::vector<std::pair<std::string, std::pair<std::size_t, std::size_t>>> &barred, const Limits &limits,
                            std::size_t n) const {
        check_symbols(phonemes, alone_.size());
        check_sums(phonemes.size(), limits);
        std::vector<Barred> bars;
        for (const auto &[word, span] : barred) bars.push_back({model_.id(word), span.first, span.second});
        Search search{*this, phonemes, bars, limits, {}, {}, {}};
        search.run(model_.ids(before));
        return search.best(model_.ids(after), n);
    }

private:
    // Costs are added without further checks.
    void check_sums(std::size_t phonemes, const Limits &limits) const {
        const auto n = static_cast<std::int64_t>(phonemes), deepest = static_cast<std::int64_t>(trie_.deepest);
        const auto word = (limits.base + limits.growth * deepest) * limits.sound - Trigram::never * limits.weight;
        const bool fits = n < 1 << 24 && deepest < 1 << 12 && (n + deepest) * greatest_ < far && n * 2 <= (std::int64_t{1} << 61) / (word + 1);
        if (!fits) throw std::overflow_error("there are too many phonemes to be heard at once");
    }

    // A word that stands for the phonemes from some place to `end`.
    struct Arc {
        std::uint32_t entry, end;
        std::int32_t sound;
    };

    struct State {
        std::int64_t total, sound, surprise;
        std::uint64_t print;  // of the words so far
        Trigram::History history;
        std::uint32_t entry;
        std::int32_t parent;  // in the states of `from`
        std::uint32_t from;
    };

    struct Search {
        const Hearing &lexicon;
        const Ids &phonemes;
        const std::vector<Barred> &bars;
        const Limits &limits;
        std::vector<std::vector<State>> states;  // by the place reached, the cheapest first
        std::vector<std::vector<std::int32_t>> rows;
        std::vector<Arc> arcs;

        void run(const Ids &before) {
            const auto n = phonemes.size();
            states.resize(n + 1);
            for (auto &kept : states) kept.reserve(limits.beam + 1);
            rows.assign(lexicon.trie_.deepest + 1, std::vector<std::int32_t>(n + 1));
            const auto history = lexicon.model_.history_of(before);
            states[0].push_back({0, 0, 0, 0, history, 0, -1, 0});
            for (std::uint32_t at = 0; at < n; ++at) {
                if (states[at].empty()) continue;
                for (auto &state : states[at]) state.history = lexicon.model_.history(state.history.last, state.history.before);
                find_words(at);
                std::stable_sort(arcs.begin(), arcs.end(), [&](const auto &a, const auto &b) { return plain(a) < plain(b); });
                for (const auto &arc : arcs) extend(at, arc);
            }
        }

        // The words that sound like the phonemes from there on.
        void find_words(std::uint32_t start) {
            arcs.clear();
            const auto &trie = lexicon.trie_;
            const auto left = phonemes.size() - start;
            rows[0][0] = 0;
            for (std::size_t j = 0; j < left; ++j) rows[0][j + 1] = rows[0][j] + lexicon.alone_[phonemes[start + j]];
            for (std::uint32_t at = 1; at < trie.nodes.size();) {
                const auto &node = trie.nodes[at];
                const auto bound = limits.base + limits.growth * static_cast<std::int32_t>(node.depth);
                const auto near = fill(node, start, left) <= bound;
                if (near && node.first < node.last) take(node, bound, start, left);
                at = near ? at + 1 : node.skip;
            }
        }

        // The costs of the node's symbols against each stretch from there on, those of about its length; the least.
        std::int32_t fill(const Trie::Node &node, std::size_t start, std::size_t left) {
            const auto *above = rows[node.depth - 1].data();
            auto *row = rows[node.depth].data();
            const auto lone = lexicon.alone_[node.symbol];
            const auto *costs = lexicon.substitution_.data() + node.symbol * lexicon.alone_.size();
            const auto [low, high] = band(node.depth, left);
            auto last = far, least = far;
            if (low == 0) last = least = row[0] = above[0] + lone;
            for (auto j = std::max<std::size_t>(low, 1); j <= high; ++j) {
                const auto phoneme = phonemes[start + j - 1];
                const auto here = std::min(above[j - 1] + costs[phoneme], above[j] + lone);
                row[j] = last = std::min(here, last + lexicon.alone_[phoneme]);
                least = std::min(least, last);
            }
            if (high < left) row[high + 1] = far;
            return least;
        }

        void take(const Trie::Node &node, std::int32_t bound, std::uint32_t start, std::size_t left) {
            const auto &row = rows[node.depth];
            const auto [low, high] = band(node.depth, left);
            for (auto j = std::max<std::size_t>(low, 1); j <= high; ++j) {
                if (row[j] > bound) continue;
                for (auto at = node.first; at < node.last; ++at) {
                    const auto entry = lexicon.trie_.entries[at];
                    const auto end = static_cast<std::uint32_t>(start + j);
                    if (!is_barred(lexicon.words_[entry], start, end)) arcs.push_back({entry, end, row[j]});
                }
            }
        }

        // A word may have one phoneme more or less than the stretch it stands for, or two.
        static std::pair<std::size_t, std::size_t> band(std::size_t depth, std::size_t left) {
            return {depth > spare ? depth - spare : 0, std::min(depth + spare, left)};
        }

        bool is_barred(std::uint32_t word, std::size_t start, std::size_t end) const {
            return std::any_of(bars.begin(), bars.end(),
                               [&](const auto &bar) { return bar.word == word && bar.start < end && bar.end > start; });
        }

        // What a word costs without a look at the words before it: the cheap ones go first, as later ones are then soon out.
        std::int64_t plain(const Arc &arc) const {
            return arc.sound * limits.sound - static_cast<std::int64_t>(lexicon.best_[arc.entry].plain) * limits.weight;
        }

        void extend(std::uint32_t at, const Arc &arc) {
            auto &kept = states[arc.end];
            const auto word = lexicon.words_[arc.entry];
            for (std::size_t i = 0; i < states[at].size(); ++i) {
                const auto &state = states[at][i];
                const auto sounding = state.total + arc.sound * limits.sound;
                if (kept.size() == limits.beam && sounding >= kept.back().total) return;
                const auto least = -std::int64_t{lexicon.best_[arc.entry].after(state.history)};
                if (kept.size() == limits.beam && sounding + least * limits.weight >= kept.back().total) continue;
                const auto surprise = -std::int64_t{lexicon.model_.score(word, state.history)};
                keep(kept, {sounding + surprise * limits.weight, state.sound + arc.sound, state.surprise + surprise,
                            (state.print ^ (word + 1)) * 0x9E3779B97F4A7C15u, {word, state.history.last, 0, 0}, arc.entry,
                            static_cast<std::int32_t>(i), at});
            }
        }

        // Among the cheapest, unless the same words are there at no higher cost; of equals the first comes first.
        void keep(std::vector<State> &kept, const State &state) const {
            if (kept.size() == limits.beam && state.total >= kept.back().total) return;
            const auto same = std::find_if(kept.begin(), kept.end(), [&](const auto &other) { return other.print == state.print; });
            if (same != kept.end()) {
                if (same->total <= state.total) return;
                kept.erase(same);
            }
            const auto place = std::upper_bound(kept.begin(), kept.end(), state.total, [](auto total, const auto &other) { return total < other.total; });
            kept.insert(place, state);
            if (kept.size() > limits.beam) kept.pop_back();
        }

        // The sequences that reach the end, ranked with the words that follow.
        std::vector<Heard> best(const Ids &after, std::size_t n) const {
            const auto &last = states.back();
            std::vector<std::pair<std::int64_t, std::size_t>> ranked;
            std::vector<std::int64_t> surprises;
            for (std::size_t i = 0; i < last.size(); ++i) {
                auto history = lexicon.model_.history(last[i].history.last, last[i].history.before);
                const auto surprise = last[i].surprise + lexicon.model_.surprise(after, history);
                surprises.push_back(surprise);
                ranked.emplace_back(last[i].sound * limits.sound + surprise * limits.weight, i);
            }
            std::sort(ranked.begin(), ranked.end());
            std::vector<Heard> found;
            for (const auto &[total, i] : ranked) {
                if (found.size() == n) break;
                found.push_back(trace(last[i], surprises[i]));
            }
            return found;
        }

        Heard trace(const State &end, std::int64_t surprise) const {
            Heard heard{{}, {}, end.sound, surprise};
            auto place = static_cast<std::uint32_t>(states.size() - 1);
            for (const auto *state = &end; state->parent >= 0; state = &states[state->from][static_cast<std::size_t>(state->parent)]) {
                heard.entries.push_back(state->entry);
                heard.ends.push_back(place);
                place = state->from;
            }
            std::reverse(heard.entries.begin(), heard.entries.end());
            std::reverse(heard.ends.begin(), heard.ends.end());
            return heard;
        }
    };

    static constexpr std::size_t spare = 2;
    static constexpr std::int32_t far = 1 << 28;

    Trie trie_;
    const Trigram &model_;
    std::vector<std::int32_t> substitution_, alone_;
    std::int64_t greatest_ = 0;
    Ids words_;
    std::vector<Trigram::Best> best_;
};

}  // namespace mondegreen
