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
    using Group = std::vector<std::uint32_t>;

    Phrase &operator[](const std::vector<std::string_view> &words) {
        key_.clear();
        for (const auto word : words) {  // with its size, so that no two phrases have the same key
            const auto size = word.size();
            key_.append(reinterpret_cast<const char *>(&size), sizeof size).append(word);
        }
        const auto number = keys_.add(key_);
        if (number == all_.size()) {
            all_.push_back({{words.begin(), words.end()}, {}, {}, false});
            keys_.keep(number, kept_.emplace_back(key_));
        }
        return all_[number];
    }

    // To be called when all are there.
    void index() {
        for (std::uint32_t number = 0; number < all_.size(); ++number) {
            const auto first = firsts_.add(all_[number].words[0]);
            if (first == groups_.size()) {
                groups_.emplace_back();
                const auto print = firsts_[first].print;
                filter_[print >> 54] |= std::uint64_t{1} << (print >> 48 & 63);
            }
            groups_[first].push_back(number);
            has_keywords_ |= !all_[number].keyword_labels.empty();
        }
        for (auto &group : groups_) {
            std::stable_sort(group.begin(), group.end(), [&](auto a, auto b) { return all_[a].words.size() > all_[b].words.size(); });
        }
    }

    // The phrases that begin with a word; nothing for most words.
    const Group *starting_with(const Interner::Word &word) const {
        if ((filter_[word.print >> 54] >> (word.print >> 48 & 63) & 1) == 0) return nullptr;
        const auto first = firsts_.find(word.text, word.print);
        return first == Interner::NONE ? nullptr : &groups_[first];
    }

    const Phrase &at(std::uint32_t number) const { return all_[number]; }
    bool has_keywords() const { return has_keywords_; }

private:
    std::deque<Phrase> all_;
    bool has_keywords_ = false;
    std::deque<std::string> kept_;  // the keys
    std::string key_;
    Interner keys_, firsts_;
    std::vector<Group> groups_;     // by the number of the first word
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
        std::vector<std::string_view> words;
        if (!entities.empty()) refs.words(item, [&](std::string_view word) { words.push_back(word); });
        for (const auto &[label, start, end] : entities) {
            const Entity entity{label, start, std::min(end, words.size())};
            if (entity.start >= entity.end) continue;
            spans.push_back(entity);
            add_mention({words.begin() + static_cast<std::ptrdiff_t>(entity.start), words.begin() + static_cast<std::ptrdiff_t>(entity.end)}, label);
        }
        offsets.push_back(spans.size());
    }

private:
    // As a mention, a phrase has the labels of entities if it has any.
    void add_mention(const std::vector<std::string_view> &words, std::uint32_t label) {
        auto &phrase = phrases[words];
        if (!phrase.tagged) phrase.labels.clear();
        phrase.tagged = true;
        if (std::find(phrase.labels.begin(), phrase.labels.end(), label) == phrase.labels.end()) phrase.labels.push_back(label);
    }
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
        if (found && search_.phrases.has_keywords()) each_occurrence(pair.ref, pair.words, &Phrase::keyword_labels, said_);
        if (!search_.offsets.empty()) {
            for (auto at = search_.offsets[item]; at < search_.offsets[item + 1]; ++at) {
                said_.push_back(search_.spans[at]);
            }
        }
        heard_.clear();
        if (found) each_occurrence(pair.hyp, pair.words, &Phrase::labels, heard_);
        if (said_.empty() && heard_.empty()) return;
        find_steps(pair);
        for (std::size_t at = 0; at < said_.size(); ++at) {
            const auto [label, start, end] = said_[at];
            const auto wrong = errors_[ref_steps_[end - 1] + 1] - errors_[ref_steps_[start]];
            add(said_, at, row, {1, wrong == 0, static_cast<std::int64_t>(end - start), wrong, 0, 0});
        }
        for (std::size_t at = 0; at < heard_.size(); ++at) {
            const auto [label, start, end] = heard_[at];
            const auto wrong = errors_[hyp_steps_[end - 1] + 1] - errors_[hyp_steps_[start]];
            add(heard_, at, row, {0, 0, 0, 0, 1, wrong == 0});
        }
    }

private:
    // Finds the phrases that begin with each word of a pair; false where there is none.
    bool find_groups(const Interner &words) {
        bool found = false;
        for (std::size_t id = 0; id < words.size(); ++id) {
            const auto *group = search_.phrases.starting_with(words[id]);
            if (group == nullptr) continue;
            if (!found) groups_.assign(words.size(), nullptr);
            groups_[id] = group;
            found = true;
        }
        return found;
    }

    // Finds where phrases occur, the longest first at each place, without overlaps.
    void each_occurrence(const Ids &side, const Interner &words, Labels Phrase::*labels, std::vector<Entity> &out) const {
        for (std::size_t at = 0; at < side.size();) {
            const auto *phrase = groups_[side[at]] == nullptr ? nullptr : longest(side, at, words, labels);
            const auto size = phrase == nullptr ? 1 : phrase->words.size();
            if (phrase != nullptr) {
                for (const auto label : phrase->*labels) out.push_back({label, at, at + size});
            }
            at += size;
        }
    }

    const Phrase *longest(const Ids &side, std::size_t at, const Interner &words, Labels Phrase::*labels) const {
        for (const auto number : *groups_[side[at]]) {
            const auto &phrase = search_.phrases.at(number);
            if ((phrase.*labels).empty() || phrase.words.size() > side.size() - at) continue;
            std::size_t same = 1;
            while (same < phrase.words.size() && words[side[at + same]].text == phrase.words[same]) ++same;
            if (same == phrase.words.size()) return &phrase;
        }
        return nullptr;
    }

    // Finds the steps of the words of both sides, and how many errors precede each step.
    void find_steps(const AlignedPair &pair) {
        ref_steps_.clear();
        hyp_steps_.clear();
        errors_.assign(1, 0);
        for (std::size_t at = 0; at < pair.n; ++at) {
            const auto step = pair.steps[at];
            if (step != insertion) ref_steps_.push_back(at);
            if (step != deletion) hyp_steps_.push_back(at);
            errors_.push_back(errors_.back() + (step != match));
        }
    }

    // Counts one of several entities: each for its class, those of one stretch once for the utterance.
    void add(const std::vector<Entity> &all, std::size_t at, std::int64_t *row, const std::array<std::int64_t, WIDTH> &counts) {
        const auto same = [&](const Entity &other) { return other.start == all[at].start && other.end == all[at].end; };
        const auto end = all.begin() + static_cast<std::ptrdiff_t>(at);
        const bool first = std::none_of(all.begin(), end, same);
        for (std::size_t column = 0; column < WIDTH; ++column) {
            classes[all[at].label][column] += counts[column];
            if (first) row[column] += counts[column];
        }
    }

    const EntitySearch &search_;
    std::vector<const Phrases::Group *> groups_;
    std::vector<Entity> said_, heard_;
    std::vector<std::size_t> ref_steps_, hyp_steps_;
    std::vector<std::int64_t> errors_;

public:
    Classes classes;
};

}  // namespace mondegreen
