// A trigram model as pocketsphinx writes it ("Trie Language Model"), read and asked without pocketsphinx.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mondegreen {

class Trigram {
public:
    static constexpr std::uint32_t unknown = ~0u;
    static constexpr std::int32_t lowest = 220'000;
    static constexpr std::int32_t never = -(1 << 29);  // what pocketsphinx answers for an unknown word

    explicit Trigram(const std::string &path) {
        constexpr std::string_view header = "Trie Language Model";
        const auto check = [&](bool right) {
            if (!right) throw std::runtime_error(path + " is no trigram model in pocketsphinx's binary form");
        };
        std::ifstream file(path, std::ios::binary | std::ios::ate);
        const auto size = file ? static_cast<std::int64_t>(file.tellg()) : -1;
        check(size > 0 && size < std::int64_t{1} << 32);
        bytes_.resize(static_cast<std::size_t>(size));
        file.seekg(0);
        file.read(bytes_.data(), size);
        check(file.gcount() == size);
        check(bytes_.size() > header.size() && std::string_view(bytes_.data(), header.size()) == header && bytes_[header.size()] == order);
        std::size_t at = header.size() + 1;
        check(at + (order + 1) * sizeof(std::uint32_t) <= bytes_.size());
        for (auto &count : counts_) count = take<std::uint32_t>(at);
        at += sizeof(std::uint32_t);  // how it was quantised: there is one way only
        const auto word = static_cast<unsigned>(std::bit_width(counts_[0])), next = static_cast<unsigned>(std::bit_width(counts_[2]));
        check(word <= WIDEST && next <= WIDEST && counts_[1] < 1u << 31);
        const auto pair_bits = word + 2 * quantum + next, triple_bits = word + quantum;
        const auto tables = order * (sizeof(float) << quantum) + (counts_[0] + 1) * sizeof(Unigram);
        const auto packed = size_of(counts_[1], pair_bits) + size_of(counts_[2], triple_bits);
        check(at + tables + packed + sizeof(std::uint32_t) + counts_[0] <= bytes_.size() && bytes_.back() == 0);
        for (auto *table : {&pair_, &backoff_, &triple_}) {
            table->resize(std::size_t{1} << quantum);
            std::memcpy(table->data(), bytes_.data() + at, table->size() * sizeof(float));
            at += table->size() * sizeof(float);
        }
        unigrams_.resize(counts_[0] + 1);
        std::memcpy(unigrams_.data(), bytes_.data() + at, unigrams_.size() * sizeof(Unigram));
        at += unigrams_.size() * sizeof(Unigram);
        pairs_ = {at, word, pair_bits, (1u << next) - 1};
        at += size_of(counts_[1], pairs_.bits);
        triples_ = {at, word, triple_bits, 0};
        at += size_of(counts_[2], triples_.bits);
        at += sizeof(std::uint32_t);  // the length of the words together
        for (std::uint32_t id = 0; id < counts_[0] && at < bytes_.size(); ++id) {
            const std::string_view name(bytes_.data() + at);
            ids_.emplace(name, id);
            at += name.size() + 1;
        }
        check(ids_.size() == counts_[0] && in_range());
    }

    std::uint32_t id(std::string_view word) const {
        const auto found = ids_.find(word);
        return found == ids_.end() ? unknown : found->second;
    }

    std::vector<std::uint32_t> ids(const std::vector<std::string> &words) const {
        std::vector<std::uint32_t> found;
        for (const auto &word : words) found.push_back(id(word));
        return found;
    }

    // The words before, and what it costs to look at fewer of them.
    struct History {
        std::uint32_t last, before;
        float forget_before, forget_last;
    };

    History history(std::uint32_t last = unknown, std::uint32_t before = unknown) const {
        if (last == unknown) return {unknown, unknown, 0, 0};
        return {last, before, before == unknown ? 0 : backoff(last, before), unigrams_[last].backoff};
    }

    // After words, the oldest first.
    History history_of(const std::vector<std::uint32_t> &words) const {
        const auto n = words.size();
        return history(n > 0 ? words[n - 1] : unknown, n > 1 ? words[n - 2] : unknown);
    }

    // The logarithm to the base 1.0001 of a word's chance.
    std::int32_t score(std::uint32_t word, const History &history) const {
        if (word == unknown) return never;
        const auto &plain = unigrams_[word];
        if (history.last == unknown) return static_cast<std::int32_t>(plain.chance);
        const auto pair = find(pairs_, plain.next, unigrams_[word + 1].next, history.last);
        if (pair == absent) return static_cast<std::int32_t>(plain.chance + history.forget_last + history.forget_before);
        if (history.before != unknown) {
            const auto triple = find(triples_, next(pair), next(pair + 1), history.before);
            if (triple != absent) return static_cast<std::int32_t>(triple_[field(triples_, triple, triples_.word_bits)]);
        }
        return static_cast<std::int32_t>(pair_chance(pair) + history.forget_before);
    }

    // Minus the logarithms of the chances of words after others, in sum; what is not known counts as much as `lowest`.
    template <typename Words>
    std::int64_t surprise(const Words &words, History &history) const {
        std::int64_t sum = 0;
        for (const auto word : words) {
            sum -= std::max(score(word, history), -lowest);
            history = this->history(word, history.last);
        }
        return sum;
    }

    // The best chances that a word has: by itself, after one word, after two.
    struct Best {
        float plain, pair, triple;

        // No history like that makes the word likelier.
        std::int32_t after(const History &history) const {
            const auto fewer = std::max(plain + history.forget_last, pair) + history.forget_before;
            return static_cast<std::int32_t>(std::max(fewer, triple));
        }
    };

    Best best(std::uint32_t word) const {
        if (word == unknown) return {never, never, never};
        Best best{unigrams_[word].chance, never, never};
        const auto begin = unigrams_[word].next, end = unigrams_[word + 1].next;
        for (auto pair = begin; pair < end; ++pair) best.pair = std::max(best.pair, pair_chance(pair));
        const auto last = begin < end ? next(end) : 0;
        for (auto triple = begin < end ? next(begin) : 0; triple < last; ++triple) {
            best.triple = std::max(best.triple, triple_[field(triples_, triple, triples_.word_bits)]);
        }
        return best;
    }

private:
    static constexpr unsigned order = 3, quantum = 16;
    static constexpr std::uint32_t absent = ~0u;
    static constexpr unsigned WIDEST = 25;  // bits of a field: so many are in four bytes, wherever it begins

    struct Unigram {
        float chance, backoff;
        std::uint32_t next;  // the first of the pairs that end with the word
    };

    struct Packed {
        std::size_t start = 0;
        unsigned word_bits = 0, bits = 0;
        std::uint32_t next_mask = 0;
    };

    // Whether what the entries refer to is there, and sums of three logarithms fit into 32 bits.
    bool in_range() const {
        const auto fits = [](float number) { return number >= static_cast<float>(never) && number <= -static_cast<float>(never); };
        for (const auto *table : {&pair_, &backoff_, &triple_}) {
            if (!std::all_of(table->begin(), table->end(), fits)) return false;
        }
        for (std::size_t id = 0; id < counts_[0]; ++id) {
            const auto &one = unigrams_[id];
            if (!fits(one.chance) || !fits(one.backoff) || one.next > unigrams_[id + 1].next) return false;
        }
        const auto pairs = unigrams_.back().next;
        if (pairs > counts_[1]) return false;
        for (std::uint32_t pair = 0; pair < pairs; ++pair) {
            if (next(pair) > next(pair + 1)) return false;
        }
        return next(pairs) <= counts_[2];
    }

    template <typename T>
    T take(std::size_t &at) const {
        T value;
        std::memcpy(&value, bytes_.data() + at, sizeof(T));
        at += sizeof(T);
        return value;
    }

    // With room for the end of the last entry's range, and for reading a whole number at the end.
    static std::size_t size_of(std::uint32_t entries, unsigned bits) {
        return (std::size_t{entries + 1} * bits + 7) / 8 + sizeof(std::uint64_t);
    }

    std::uint32_t bits(const Packed &packed, std::uint32_t index, unsigned offset, std::uint32_t mask) const {
        const auto at = std::uint64_t{index} * packed.bits + offset;
        std::uint32_t value;
        std::memcpy(&value, bytes_.data() + packed.start + (at >> 3), sizeof(value));
        return (value >> (at & 7)) & mask;
    }

    std::uint32_t field(const Packed &packed, std::uint32_t index, unsigned offset) const {
        return bits(packed, index, offset, (1u << quantum) - 1);
    }

    std::uint32_t next(std::uint32_t pair) const {
        return bits(pairs_, pair, pairs_.word_bits + 2 * quantum, pairs_.next_mask);
    }

    std::uint32_t find(const Packed &packed, std::uint32_t begin, std::uint32_t end, std::uint32_t word) const {
        const auto mask = (1u << packed.word_bits) - 1;
        while (begin < end) {
            const auto middle = begin + (end - begin) / 2;
            const auto found = bits(packed, middle, 0, mask);
            if (found == word) return middle;
            if (found < word) begin = middle + 1;
            else end = middle;
        }
        return absent;
    }

    float pair_chance(std::uint32_t pair) const { return pair_[field(pairs_, pair, pairs_.word_bits + quantum)]; }

    float backoff(std::uint32_t last, std::uint32_t before) const {
        const auto pair = find(pairs_, unigrams_[last].next, unigrams_[last + 1].next, before);
        return pair == absent ? 0.0f : backoff_[field(pairs_, pair, pairs_.word_bits)];
    }

    std::vector<char> bytes_;
    std::array<std::uint32_t, 3> counts_{};
    std::vector<float> pair_, backoff_, triple_;
    std::vector<Unigram> unigrams_;
    Packed pairs_, triples_;
    std::unordered_map<std::string_view, std::uint32_t> ids_;
};

}  // namespace mondegreen
