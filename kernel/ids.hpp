// A set of 128-bit fingerprints: tells a repeated id among millions in little memory.
#pragma once

#include <cstdint>
#include <vector>

namespace mondegreen {

struct Fingerprint {
    std::uint64_t low, high;
    bool operator==(const Fingerprint &) const = default;
};

class Fingerprints {
public:
    // Returns whether the fingerprint is new. (0, 0) marks an empty place; a hash hits it never.
    bool add(Fingerprint print) {
        if (2 * (size_ + 1) > table_.size()) grow();
        auto &place = find(table_, print);
        if (place == print) return false;
        place = print;
        ++size_;
        return true;
    }

private:
    static Fingerprint &find(std::vector<Fingerprint> &table, Fingerprint print) {
        auto at = print.low & (table.size() - 1);
        while (!(table[at] == Fingerprint{0, 0}) && !(table[at] == print)) {
            at = (at + 1) & (table.size() - 1);
        }
        return table[at];
    }

    void grow() {
        std::vector<Fingerprint> wider(table_.empty() ? 1024 : 2 * table_.size());
        for (const auto &print : table_) {
            if (!(print == Fingerprint{0, 0})) find(wider, print) = print;
        }
        table_ = std::move(wider);
    }

    std::vector<Fingerprint> table_;
    std::size_t size_ = 0;
};

}  // namespace mondegreen
