// Tags for words by a linear-chain conditional random field; mondegreen.kernel.tagging is its twin.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// Where the compiler can, a function is compiled for wide registers too, and the processor decides which one runs.
#if defined(__linux__) && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define MONDEGREEN_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define MONDEGREEN_WIDE
#endif

namespace mondegreen {

// The CRC-32 of zlib, a piece at a time.
class Crc32 {
public:
    Crc32 &add(std::string_view bytes) {
        for (const auto byte : bytes) add(byte);
        return *this;
    }

    Crc32 &add(char byte) {
        state_ = table()[(state_ ^ static_cast<unsigned char>(byte)) & 0xff] ^ (state_ >> 8);
        return *this;
    }

    std::uint32_t value() const { return ~state_; }

private:
    static const std::array<std::uint32_t, 256> &table() {
        static const auto made = [] {
            std::array<std::uint32_t, 256> entries{};
            for (std::uint32_t i = 0; i < entries.size(); ++i) {
                auto entry = i;
                for (int bit = 0; bit < 8; ++bit) entry = entry & 1 ? 0xedb88320u ^ (entry >> 1) : entry >> 1;
                entries[i] = entry;
            }
            return entries;
        }();
        return made;
    }

    std::uint32_t state_ = ~0u;
};

// From fingerprints to numbers: open addressing, at most half full.
class Lookup {
public:
    static constexpr std::uint32_t NONE = ~0u;

    // The number of a key is what ``number`` returns for its position; without it, the position.
    template <typename Number>
    Lookup(const std::vector<std::uint32_t> &keys, Number &&number) {
        std::size_t size = 2;
        while (size < 2 * keys.size()) size *= 2;
        slots_.resize(size);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            auto at = place(keys[i]);
            while (slots_[at].number != NONE) at = next(at);
            slots_[at] = {keys[i], number(i)};
        }
    }

    explicit Lookup(const std::vector<std::uint32_t> &keys) : Lookup(keys, [](std::size_t i) { return static_cast<std::uint32_t>(i); }) {}

    std::uint32_t find(std::uint32_t key) const {
        for (auto at = place(key); slots_[at].number != NONE; at = next(at)) {
            if (slots_[at].key == key) return slots_[at].number;
        }
        return NONE;
    }

    // Have the memory on its way that find will look at.
    void fetch(std::uint32_t key) const { __builtin_prefetch(&slots_[place(key)]); }

private:
    struct Slot {
        std::uint32_t key = 0, number = NONE;
    };

    std::size_t place(std::uint32_t key) const { return key & (slots_.size() - 1); }
    std::size_t next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }

    std::vector<Slot> slots_;
};

// The best sums of a word's tags after those of the word before, and the tag before that gives each of them.
//
// Sums are told apart by their differences, so each row begins at 0: no text is too long for 32 bits.
MONDEGREEN_WIDE static void best_steps(const std::int32_t *above, const std::int32_t *transitions, std::size_t tags, std::size_t wide,
                                       std::int32_t *__restrict row, std::int32_t *__restrict back) {
    for (std::size_t tag = 0; tag < wide; ++tag) {
        row[tag] = transitions[tag];
        back[tag] = 0;
    }
    for (std::size_t from = 1; from < tags; ++from) {
        const auto *next = transitions + from * wide;
        const auto least = above[from] - above[0];
        for (std::size_t tag = 0; tag < wide; ++tag) {
            const auto sum = least + next[tag];
            const bool better = sum > row[tag];
            back[tag] = better ? static_cast<std::int32_t>(from) : back[tag];
            row[tag] = better ? sum : row[tag];
        }
    }
}

class Tagger {
public:
    static constexpr int REACH = 2, OFFSETS = 2 * REACH + 1;
    static constexpr std::size_t LANES = 8;  // rows are as wide as a multiple of it, for vector instructions

    using Sums = std::vector<std::int32_t>;  // one a tag, padded

    // A word type, and what it says of the words around it, the one two before it first.
    struct Word {
        std::string form, kind;
        std::int64_t leaning = 0;  // how much it speaks for the genre with habits of its own
        Sums says;                 // a row for each offset
        std::array<Crc32, 11> begun;  // features 'a' to 'k', as far as this word is their beginning
    };

    struct Model {
        std::vector<std::uint32_t> keys, ends;  // features, and where the weights of each end
        std::vector<std::uint8_t> targets;      // the tag of each weight
        std::vector<std::int16_t> weights, transitions;
        std::vector<std::uint32_t> lexicon;
        std::vector<std::uint8_t> kinds;
        std::vector<std::uint32_t> cues;
        std::vector<std::int8_t> leanings;
        std::size_t tags;
    };

    explicit Tagger(Model model)
        : model_(checked(std::move(model))),
          wide_((model_.tags + LANES - 1) / LANES * LANES),
          transitions_(padded(model_, wide_)),
          weights_(weights_of(model_)),
          features_(model_.keys, [&](std::size_t i) { return start_of(model_, i); }),
          lexicon_(model_.lexicon),
          cues_(model_.cues),
          before_(word("<", "")),
          after_(word(">", "")) {}

    Word look(std::string_view form) const {
        const auto key = Crc32().add(form).value();
        const auto kind = lexicon_.find(key), cue = cues_.find(key);
        auto made = word(form, std::to_string(kind == Lookup::NONE ? 0 : model_.kinds[kind]));
        made.leaning = cue == Lookup::NONE ? 0 : model_.leanings[cue];
        return made;
    }

    // The tags with the highest sum, the earlier tag where two are equal.
    std::vector<std::uint8_t> best(const std::vector<const Word *> &words) const {
        std::vector<std::uint8_t> path(words.size());
        if (words.empty()) return path;
        std::vector<std::int32_t> back(words.size() * wide_);
        std::int64_t leaning = 0;
        for (const auto *word : words) leaning += word->leaning;
        const auto features = between(words, leaning > 0);
        const auto each = features.size() / words.size();
        Sums row(wide_), above(wide_);
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (i > 0) {
                row.swap(above);
                step(above.data(), row.data(), back.data() + i * wide_);
            }
            add_around(words, i, row.data());
            for (std::size_t k = i * each; k < (i + 1) * each; ++k) add_weights(features[k], row.data());
        }
        auto tag = std::max_element(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(model_.tags)) - row.begin();
        for (auto i = words.size(); i-- > 0; tag = back[i * wide_ + static_cast<std::size_t>(tag)]) {
            path[i] = static_cast<std::uint8_t>(tag);
        }
        return path;
    }

private:
    static Model checked(Model model) {
        const auto n = model.tags;
        bool right = n > 0 && n <= 0xff && model.transitions.size() == n * n && model.keys.size() == model.ends.size() &&
                     model.targets.size() == model.weights.size() && model.lexicon.size() == model.kinds.size() &&
                     model.cues.size() == model.leanings.size() && std::is_sorted(model.ends.begin(), model.ends.end()) &&
                     (model.ends.empty() || model.ends.back() <= model.weights.size());
        for (const auto target : model.targets) right = right && target < n;
        if (!right) throw std::invalid_argument("the parts of a tagger's model do not fit together");
        return model;
    }

    static Sums padded(const Model &model, std::size_t wide) {
        Sums made(model.tags * wide);
        for (std::size_t i = 0; i < model.transitions.size(); ++i) {
            made[i / model.tags * wide + i % model.tags] = model.transitions[i];
        }
        return made;
    }

    void step(const std::int32_t *above, std::int32_t *row, std::int32_t *back) const {
        best_steps(above, transitions_.data(), model_.tags, wide_, row, back);
    }

    const Word &at(const std::vector<const Word *> &words, std::ptrdiff_t place) const {
        if (place < 0) return before_;
        return static_cast<std::size_t>(place) < words.size() ? *words[static_cast<std::size_t>(place)] : after_;
    }

    // What each word says of the ones around it.
    void add_around(const std::vector<const Word *> &words, std::size_t i, std::int32_t *__restrict row) const {
        const auto here = static_cast<std::ptrdiff_t>(i);
        for (int offset = -REACH; offset <= REACH; ++offset) {
            const auto *says = at(words, here + offset).says.data() + static_cast<std::size_t>(offset + REACH) * wide_;
            for (std::size_t tag = 0; tag < wide_; ++tag) row[tag] += says[tag];
        }
    }

    // What words and their neighbours say together: as many features for each word. All fingerprints are worked out
    // before any is looked up, and all are looked up before any is added, so that the memory of one is fetched while
    // others are.
    std::vector<std::uint32_t> between(const std::vector<const Word *> &words, bool travel) const {
        std::vector<std::uint32_t> keys;
        keys.reserve(words.size() * 11);
        const auto feature = [&](char name, const Word &one, std::string_view other) {
            keys.push_back(Crc32(one.begun[static_cast<std::size_t>(name - 'a')]).add(other).value());
            features_.fetch(keys.back());
        };
        for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(words.size()); ++i) {
            const auto &left = at(words, i - 1), &word = at(words, i), &right = at(words, i + 1);
            feature('a', left, word.form);
            feature('b', word, right.form);
            feature('c', left, right.form);
            feature('d', left, word.kind);
            feature('e', word, right.kind);
            feature('f', left, word.kind);
            feature('g', word, right.form);
            if (!travel) continue;
            feature('h', word, "");
            feature('i', left, word.form);
            feature('j', word, right.form);
            feature('k', left, right.form);
        }
        for (auto &key : keys) {
            key = features_.find(key);
            if (key != Lookup::NONE) __builtin_prefetch(&weights_[key]);
        }
        return keys;
    }

    void add(std::uint32_t feature, std::int32_t *row) const { add_weights(features_.find(feature), row); }

    void add_weights(std::uint32_t first, std::int32_t *row) const {
        if (first == Lookup::NONE) return;
        const auto *weight = &weights_[first];
        do row[weight->tag] += weight->value;
        while (!weight++->last);
    }

    Word word(std::string_view form, std::string kind) const {
        Word made{std::string(form), std::move(kind), 0, Sums(OFFSETS * wide_), {}};
        for (int offset = -REACH; offset <= REACH; ++offset) {
            add_from(made, offset, made.says.data() + static_cast<std::size_t>(offset + REACH) * wide_);
        }
        for (char name = 'a'; name <= 'k'; ++name) {
            const bool by_kind = name == 'd' || name == 'e' || name == 'g';
            made.begun[static_cast<std::size_t>(name - 'a')].add(name).add(by_kind ? made.kind : made.form).add(' ');
        }
        return made;
    }

    void add_from(const Word &word, int offset, std::int32_t *sums) const {
        const auto feature = [&](char name, std::string_view value) {
            add(Crc32().add(static_cast<char>('0' + offset + REACH)).add(name).add(value).value(), sums);
        };
        const std::string_view form = word.form;
        feature('w', form);
        if (offset == -REACH || offset == REACH) return;
        feature('l', word.kind);
        const std::size_t least = offset == 0 ? 1 : 2, most = offset == 0 ? 5 : 3;
        for (auto n = least; n <= std::min(most, form.size()); ++n) feature('s', form.substr(form.size() - n));
        if (offset != 0) return;
        for (std::size_t n = 1; n <= std::min<std::size_t>(4, form.size()); ++n) feature('p', form.substr(0, n));
        feature('h', shape(form));
    }

    static std::string shape(std::string_view form) {
        std::string made;
        for (const auto c : form) {
            const auto byte = static_cast<unsigned char>(c);
            const bool letter = (byte | 32) >= 'a' && (byte | 32) <= 'z', digit = byte >= '0' && byte <= '9';
            const char kind = byte >= 0x80 ? 'u' : letter ? 'a' : digit ? '0' : c;
            if (made.empty() || made.back() != kind) made.push_back(kind);
        }
        return made;
    }

    // A weight of a feature; those of one feature follow each other.
    struct Weight {
        std::int16_t value;
        std::uint8_t tag;
        bool last;
    };

    static std::vector<Weight> weights_of(const Model &model) {
        std::vector<Weight> made;
        made.reserve(model.weights.size());
        for (std::size_t at = 0; at < model.weights.size(); ++at) made.push_back({model.weights[at], model.targets[at], false});
        for (const auto end : model.ends) {
            if (end > 0) made[end - 1].last = true;
        }
        return made;
    }

    // Where the weights of a feature begin; NONE where it has none.
    static std::uint32_t start_of(const Model &model, std::size_t feature) {
        const auto start = feature == 0 ? 0 : model.ends[feature - 1];
        return start == model.ends[feature] ? Lookup::NONE : start;
    }

    Model model_;
    std::size_t wide_;
    Sums transitions_;
    std::vector<Weight> weights_;
    Lookup features_, lexicon_, cues_;
    Word before_, after_;
};

}  // namespace mondegreen
