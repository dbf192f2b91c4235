// A set of 64-bit fingerprints: tells a repeated id among millions in little memory.
#pragma once

#include <cstdint>
#include <vector>

#include "draw.hpp"

namespace mondegreen {

class Fingerprints {
public:
    // Returns whether the fingerprint is new.
    bool add(std::uint64_t print) {
        if (print == 0) print = 1;  // 0 marks an empty place
        if (5 * (size_ + 1) > 4 * table_.size()) grow();
        auto &place = find(table_, print);
        if (place == print) return false;
        place = print;
        ++size_;
        return true;
    }

private:
    static std::uint64_t &find(std::vector<std::uint64_t> &table, std::uint64_t print) {
        auto at = scale(print, table.size());
        while (table[at] != 0 && table[at] != print) at = at + 1 == table.size() ? 0 : at + 1;
        return table[at];
    }

    void grow() {
        std::vector<std::uint64_t> wider(table_.size() + table_.size() / 2 + 1024);
        for (const auto print : table_) {
            if (print != 0) find(wider, print) = print;
        }
        table_ = std::move(wider);
    }

    std::vector<std::uint64_t> table_;
    std::size_t size_ = 0;
};

// Where each 64-bit key was seen first: a flat table, as small as millions of keys allow.
class Places {
public:
    // Keeps the place of a new key; the place of a known one stays.
    void add(std::uint64_t key, std::int64_t place) {
        if (5 * (size_ + 1) > 4 * table_.size()) grow();
        auto &entry = find(table_, key);
        if (entry.place >= 0) return;
        entry = {key, place};
        ++size_;
    }

    // The place of a key; -1 where it is not known.
    std::int64_t get(std::uint64_t key) { return table_.empty() ? -1 : find(table_, key).place; }

private:
    struct Entry {
        std::uint64_t key = 0;
        std::int64_t place = -1;
    };

    static Entry &find(std::vector<Entry> &table, std::uint64_t key) {
        auto at = scale(key, table.size());
        while (table[at].place >= 0 && table[at].key != key) at = at + 1 == table.size() ? 0 : at + 1;
        return table[at];
    }

    void grow() {
        std::vector<Entry> wider(table_.size() + table_.size() / 2 + 1024);
        for (const auto &entry : table_) {
            if (entry.place >= 0) find(wider, entry.key) = entry;
        }
        table_ = std::move(wider);
    }

    std::vector<Entry> table_;
    std::size_t size_ = 0;
};

}  // namespace mondegreen
