// Entities and keywords: the phrases that are looked for, and what became of them in an aligned pair.
//
// The readable twin is in mondegreen.kernel.counting.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "align.hpp"
#include "side.hpp"
#include "words.hpp"

namespace mondegreen {

// A pair as it was aligned: numbered words, and the steps.
struct AlignedPair {
    const Ids &ref, &hyp;
    const Interner &words;
    const std::uint8_t *steps;
    std::size_t n;  // steps
};

using Labels = std::vector<std::uint32_t>;

struct Phrase {
    std::vector<std::string> words;
    Labels labels;          // as a mention in a hypothesis
    Labels keyword_labels;  // as a keyword in a reference
    bool tagged = false;    // some reference has it as an entity, whose labels then count
};

// Phrases by their first word, the longest first.
class Phrases {
public:
    static constexpr auto NONE = Interner::NONE;

    // The phrases that begin with one word, as numbers of ``order``.
    struct Group {
        std::uint32_t start, end;
        std::uint32_t label;  // where there is only this word with only this label as a mention; NONE otherwise
    };

    Phrase &of(const std::string_view *words, std::size_t n) {
        if (n == 1) return single(words[0]);
        key_.clear();
        for (std::size_t at = 0; at < n; ++at) {  // with its size, so that no two phrases have the same key
            const auto size = words[at].size();
            key_.append(reinterpret_cast<const char *>(&size), sizeof size).append(words[at]);
        }
        const auto number = keys_.add(key_);
        if (number == longer_.size()) {
            keys_.keep(number, kept_.emplace_back(key_));
            longer_.push_back(static_cast<std::uint32_t>(all_.size()));
            all_.push_back({{words, words + n}, {}, {}, false});
        }
        return all_[longer_[number]];
    }

    // To be called when all are there.
    void index() {
        std::vector<std::vector<std::uint32_t>> by_first(singles_.size());
        for (const auto number : longer_) {
            const auto first = firsts_.add(all_[number].words[0]);
            if (first == by_first.size()) by_first.emplace_back();
            by_first[first].push_back(number);
        }
        singles_.resize(by_first.size(), NONE);
        for (std::size_t first = 0; first < by_first.size(); ++first) index(first, by_first[first]);
    }

    // The group of a word, or NONE, as for most words.
    std::uint32_t starting_with(const Interner::Word &word) const {
        if ((filter_[word.print >> 54] >> (word.print >> 48 & 63) & 1) == 0) return NONE;
        return firsts_.find(word.text, word.print);
    }

    const Group &group(std::uint32_t first) const { return groups_[first]; }
    const Phrase &at(std::uint32_t place) const { return all_[order_[place]]; }
    bool has_keywords() const { return has_keywords_; }

private:
    Phrase &single(std::string_view word) {
        const auto number = firsts_.add(word);
        if (number == singles_.size()) {
            singles_.push_back(static_cast<std::uint32_t>(all_.size()));
            all_.push_back({{std::string(word)}, {}, {}, false});
            firsts_.keep(number, all_.back().words[0]);
        }
        return all_[singles_[number]];
    }

    void index(std::size_t first, std::vector<std::uint32_t> &longer) {
        const auto print = firsts_[first].print;
        filter_[print >> 54] |= std::uint64_t{1} << (print >> 48 & 63);
        std::stable_sort(longer.begin(), longer.end(), [&](auto a, auto b) { return all_[a].words.size() > all_[b].words.size(); });
        const auto start = static_cast<std::uint32_t>(order_.size());
        order_.insert(order_.end(), longer.begin(), longer.end());
        auto label = NONE;
        if (const auto single = singles_[first]; single != NONE) {
            order_.push_back(single);
            const auto &phrase = all_[single];
            if (longer.empty() && phrase.labels.size() == 1) label = phrase.labels[0];
        }
        groups_.push_back({start, static_cast<std::uint32_t>(order_.size()), label});
        for (auto at = start; at < order_.size(); ++at) has_keywords_ |= !all_[order_[at]].keyword_labels.empty();
    }

    std::deque<Phrase> all_;
    bool has_keywords_ = false;
    std::deque<std::string> kept_;        // the keys of phrases of several words
    std::string key_;
    Interner keys_, firsts_;
    std::vector<std::uint32_t> longer_;   // phrases of several words, by their keys
    std::vector<std::uint32_t> singles_;  // the phrase of each first word alone
    std::vector<std::uint32_t> order_;
    std::vector<Group> groups_;           // by the number of the first word
    std::array<std::uint64_t, 1024> filter_{};  // words that are no first word have no bit here, but for few
};

// A stretch of words with a label.
struct Entity {
    std::uint32_t label;
    std::size_t start, end;
};

// What is looked for in a batch.
struct EntitySearch {
    Phrases phrases;
    std::vector<Entity> spans;         // of all references, one after the other
    std::vector<std::size_t> offsets;  // of the spans of each reference; none without spans
    std::size_t labels = 0;

    // Adds the entities of the next reference, and their words to the phrases.
    void add(const std::vector<Entity> &entities, const Side &refs) {
        const auto item = offsets.size() - 1;
        if (item >= refs.size()) throw std::invalid_argument("as many rows of entities as references are needed");
        std::size_t last = 0;
        for (const auto &entity : entities) last = std::max(last, entity.end);
        refs.first_words(item, last, words_);
        for (const auto &[label, start, end] : entities) {
            const Entity entity{label, start, std::min(end, words_.size())};
            if (entity.start >= entity.end) continue;
            spans.push_back(entity);
            add_mention(words_.data() + entity.start, entity.end - entity.start, label);
        }
        offsets.push_back(spans.size());
    }

private:
    // As a mention, a phrase has the labels of entities if it has any.
    void add_mention(const std::string_view *words, std::size_t n, std::uint32_t label) {
        auto &phrase = phrases.of(words, n);
        if (!phrase.tagged) phrase.labels.clear();
        phrase.tagged = true;
        if (std::find(phrase.labels.begin(), phrase.labels.end(), label) == phrase.labels.end()) phrase.labels.push_back(label);
    }

    std::vector<std::string_view> words_;
};

// Counts entities, entities right, their words, errors; mentions, mentions right.
class EntityCounter {
public:
    static constexpr std::size_t WIDTH = 6;
    using Classes = std::vector<std::array<std::int64_t, WIDTH>>;

    explicit EntityCounter(const EntitySearch &search) : search_(search), classes(search.labels) {}

    void count(std::size_t item, const AlignedPair &pair, std::int64_t *row) {
        const bool found = find_groups(pair.words);
        said_.clear();
        if (found && search_.phrases.has_keywords()) add_keywords(pair);
        if (!search_.offsets.empty()) {
            const auto *spans = search_.spans.data();
            said_.insert(said_.end(), spans + search_.offsets[item], spans + search_.offsets[item + 1]);
        }
        if (said_.empty() && !found) return;
        find_errors(pair);
        for (std::size_t at = 0; at < said_.size(); ++at) count_entity(at, row);
        if (found) count_mentions(pair, row);
    }

private:
    // Finds the phrases that begin with each word of a pair; false where there is none.
    bool find_groups(const Interner &words) {
        bool found = false;
        groups_.resize(words.size());
        for (std::size_t id = 0; id < words.size(); ++id) {
            groups_[id] = search_.phrases.starting_with(words[id]);
            found |= groups_[id] != Phrases::NONE;
        }
        return found;
    }

    // Adds the keywords of a reference, the longest first at each place, without overlaps.
    void add_keywords(const AlignedPair &pair) {
        for (std::size_t at = 0; at < pair.ref.size();) {
            const auto *phrase = groups_[pair.ref[at]] == Phrases::NONE ? nullptr : longest(pair.ref, at, pair.words, &Phrase::keyword_labels);
            const auto size = phrase == nullptr ? 1 : phrase->words.size();
            if (phrase != nullptr) {
                for (const auto label : phrase->keyword_labels) said_.push_back({label, at, at + size});
            }
            at += size;
        }
    }

    const Phrase *longest(const Ids &side, std::size_t at, const Interner &words, Labels Phrase::*labels) const {
        const auto &group = search_.phrases.group(groups_[side[at]]);
        for (auto place = group.start; place < group.end; ++place) {
            const auto &phrase = search_.phrases.at(place);
            if ((phrase.*labels).empty() || phrase.words.size() > side.size() - at) continue;
            std::size_t same = 1;
            while (same < phrase.words.size() && words[side[at + same]].text == phrase.words[same]) ++same;
            if (same == phrase.words.size()) return &phrase;
        }
        return nullptr;
    }

    // Finds the errors before each word of both sides, twice, and whether the word is one itself.
    void find_errors(const AlignedPair &pair) {
        if (ref_errors_.size() <= pair.n) ref_errors_.resize(2 * pair.n + 1), hyp_errors_.resize(2 * pair.n + 1);
        std::uint32_t errors = 0;
        auto *ref = ref_errors_.data(), *hyp = hyp_errors_.data();
        for (std::size_t at = 0; at < pair.n; ++at) {
            const auto step = pair.steps[at];
            const std::uint32_t wrong = step != match;
            *ref = *hyp = 2 * errors + wrong;
            ref += step != insertion;
            hyp += step != deletion;
            errors += wrong;
        }
    }

    // The errors from one word to another, also those between them.
    static std::int64_t errors_of(const std::vector<std::uint32_t> &errors, std::size_t start, std::size_t end) {
        return static_cast<std::int64_t>((errors[end - 1] + 1) / 2 - errors[start] / 2);
    }

    // Counts an entity: for its class, and once for the utterance where several have the same stretch.
    void count_entity(std::size_t at, std::int64_t *row) {
        const auto [label, start, end] = said_[at];
        const auto wrong = errors_of(ref_errors_, start, end);
        const std::array<std::int64_t, 4> counts{1, wrong == 0, static_cast<std::int64_t>(end - start), wrong};
        const auto before = said_.begin() + static_cast<std::ptrdiff_t>(at);
        const bool first = std::none_of(said_.begin(), before, [&, start = start, end = end](const Entity &other) {
            return other.start == start && other.end == end;
        });
        for (std::size_t column = 0; column < counts.size(); ++column) {
            classes[label][column] += counts[column];
            if (first) row[column] += counts[column];
        }
    }

    // Counts the phrases of a hypothesis, the longest first at each place, without overlaps.
    void count_mentions(const AlignedPair &pair, std::int64_t *row) {
        const auto &hyp = pair.hyp;
        for (std::size_t at = 0; at < hyp.size();) {
            const auto group = groups_[hyp[at]];
            if (group == Phrases::NONE) {
                ++at;
                continue;
            }
            if (const auto label = search_.phrases.group(group).label; label != Phrases::NONE) {
                const std::int64_t right = ~hyp_errors_[at] & 1;
                ++classes[label][4], classes[label][5] += right;
                ++row[4], row[5] += right;
                ++at;
                continue;
            }
            const auto *phrase = longest(hyp, at, pair.words, &Phrase::labels);
            const auto size = phrase == nullptr ? 1 : phrase->words.size();
            if (phrase != nullptr) {
                const std::int64_t right = errors_of(hyp_errors_, at, at + size) == 0;
                for (const auto label : phrase->labels) ++classes[label][4], classes[label][5] += right;
                ++row[4], row[5] += right;
            }
            at += size;
        }
    }

    const EntitySearch &search_;
    std::vector<std::uint32_t> groups_;  // of each word of a pair
    std::vector<Entity> said_;
    std::vector<std::uint32_t> ref_errors_, hyp_errors_;

public:
    Classes classes;
};

}  // namespace mondegreen
