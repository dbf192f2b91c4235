// What else is counted of the pairs of a batch while they are aligned.
#pragma once

#include <optional>

#include "invented.hpp"
#include "phrases.hpp"
#include "side.hpp"
#include "surface.hpp"

namespace mondegreen {

// What is asked for, and where it is found.
struct Extras {
    std::optional<EntitySearch> entities;
    bool hallucinations = false;
    bool surface = false;
    std::optional<std::pair<Side, Side>> written;  // where words are compared in another form
    TakeApart take_apart;

    std::size_t width() const {
        return (entities ? EntityCounter::WIDTH : 0) + (hallucinations ? HallucinationCounter::WIDTH : 0) + (surface ? SurfaceCounter::WIDTH : 0);
    }
};

// Counts for one thread.
class ExtraCounter {
public:
    explicit ExtraCounter(const Extras &extras) : extras_(extras), surface_(extras.take_apart) {
        if (extras.entities) entities_.emplace(*extras.entities);
    }

    // Counts a pair, whose steps are those of unit costs or not. New words may be added to the numbered ones.
    void count(std::size_t item, Interner &words, const Ids &ref, const Ids &hyp, const std::uint8_t *steps, std::size_t n, bool unit,
               std::int64_t *row) {
        const AlignedPair pair{ref, hyp, words, steps, n};
        if (entities_) {
            entities_->count(item, pair, row);
            row += EntityCounter::WIDTH;
        }
        if (extras_.hallucinations) {
            invented_.count(pair, row);
            row += HallucinationCounter::WIDTH;
        }
        if (!extras_.surface) return;
        if (!extras_.written) return surface_.count(words, ref, hyp, unit ? steps : nullptr, n, row);
        interner_.clear();
        ref_.clear();
        hyp_.clear();
        number_units(extras_.written->first, item, interner_, ref_);
        number_units(extras_.written->second, item, interner_, hyp_);
        surface_.count(interner_, ref_, hyp_, nullptr, 0, row);
    }

    EntityCounter::Classes classes() const { return entities_ ? entities_->classes : EntityCounter::Classes{}; }

private:
    const Extras &extras_;
    std::optional<EntityCounter> entities_;
    HallucinationCounter invented_;
    SurfaceCounter surface_;
    Interner interner_;
    Ids ref_, hyp_;
};

}  // namespace mondegreen
