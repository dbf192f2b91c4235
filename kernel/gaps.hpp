// How likely each place of an utterance is to be disfluent; gap_weights of mondegreen.kernel.draws is its twin.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace mondegreen {

struct GapWeights {
    std::vector<double> factors;  // one a kind
    std::vector<double> weights;  // one a place
};

// ``chances`` has a row of kinds for each place, ``allowed`` a bit for each kind that may be there.
inline GapWeights gap_weights(std::vector<double> chances, const std::vector<std::uint32_t> &allowed, const std::vector<double> &expected,
                              double average) {
    constexpr double MOST = 0.9, LEAST_FACTOR = 0.2, GREATEST_FACTOR = 5.0;
    const auto kinds = expected.size(), places = allowed.size();
    if (chances.size() != places * kinds || kinds > 32) throw std::invalid_argument("there are too many or too few chances");
    std::vector<double> found(kinds, 0.0);
    for (std::size_t place = 0; place < places; ++place) {
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            auto &chance = chances[place * kinds + kind];
            if ((allowed[place] >> kind & 1) == 0) chance = 0.0;
            found[kind] += chance;
        }
    }
    GapWeights made{std::vector<double>(kinds, 1.0), std::vector<double>(places)};
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        if (found[kind] != 0) made.factors[kind] = std::min(GREATEST_FACTOR, std::max(LEAST_FACTOR, expected[kind] / found[kind]));
    }
    for (std::size_t place = 0; place < places; ++place) {
        double chance = 0;
        for (std::size_t kind = 0; kind < kinds; ++kind) chance += chances[place * kinds + kind] * made.factors[kind];
        made.weights[place] = std::log1p(-std::min(MOST, chance)) / average;
    }
    return made;
}

}  // namespace mondegreen
