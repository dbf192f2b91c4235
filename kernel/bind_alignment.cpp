// Alignments, distances and the bootstrap.
#include "batch.hpp"
#include "bind.hpp"
#include "bind_sides.hpp"
#include "networks.hpp"
#include "resample.hpp"
#include "symbols.hpp"

namespace mondegreen {

namespace {

// One entry an item: flags, or None for words in UPPERCASE.
Marking marking_of(nb::object flags, std::vector<std::string> keep, bool regions) {
    Marking marking;
    marking.keep = std::move(keep);
    marking.regions = regions;
    marking.offsets.push_back(0);
    for (auto item : flags) {
        marking.upper.push_back(item.is_none());
        if (!item.is_none()) {
            const auto bytes = nb::cast<nb::bytes>(item);
            for (std::size_t i = 0; i < bytes.size(); ++i) marking.flags.push_back(bytes.c_str()[i] != 0);
        }
        marking.offsets.push_back(marking.flags.size());
    }
    return marking;
}

nb::object align(nb::list refs, nb::list hyps, const std::vector<std::int64_t> &costs, bool characters, std::size_t threads,
                 nb::object marks, std::vector<std::string> keep, bool regions, nb::object times) {
    check_costs(costs, 8);
    const auto [left, right] = sides_of(refs, hyps, characters);
    const MarkedCosts table{{{costs[0], costs[1], costs[2], costs[3]}, {costs[4], costs[5], costs[6], costs[7]}}};
    std::optional<Marking> marking;
    if (!marks.is_none()) {
        marking = marking_of(marks, std::move(keep), regions);
        if (marking->upper.size() != left.size()) throw nb::value_error("as many marks as references are needed");
    }
    const auto timed = timed_sides_of(times, left, right);
    if (timed && (marking || characters)) throw nb::value_error("words with times have no marks and are not split");
    Aligned found;
    {
        nb::gil_scoped_release free;
        found = align_batch(left, right, table, marking ? &*marking : nullptr, threads, false, nullptr, timed ? &*timed : nullptr);
    }
    const auto n = left.size(), steps = found.steps.size();
    return nb::make_tuple(array_of(std::move(found.steps), {steps}), array_of(std::move(found.ends), {n}),
                          array_of(std::move(found.counts), {n, std::size_t{marking ? 8u : 4u}}));
}

using Arcs = std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int64_t, bool>>;
using Alike = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
using ArcTimes = std::vector<std::pair<std::int64_t, std::int64_t>>;

Network network_of(const Arcs &arcs, const ArcTimes *times) {
    if (times != nullptr && times->size() != arcs.size()) throw nb::value_error("as many times as arcs are needed");
    std::vector<Network::Arc> found;
    std::uint32_t nodes = 1;
    for (std::size_t at = 0; at < arcs.size(); ++at) {
        const auto &[from, to, word, optional] = arcs[at];
        if (to >= Network::NONE - 1 || word < -1 || word >= Network::NONE) throw nb::value_error("an arc of a network is out of range");
        found.push_back({from, to, word < 0 ? Network::NONE : static_cast<std::uint32_t>(word), optional});
        if (times != nullptr) {
            found.back().span = {(*times)[at].first, (*times)[at].second};
            Times{{found.back().span}, {}}.check();
        }
        nodes = std::max(nodes, to + 1);
    }
    if (nodes > found.size() + 1) throw nb::value_error("no arc leads to a node of a network");
    return Network(std::move(found), nodes);
}

nb::list align_networks(const Arcs &ref, const Arcs &hyp, const std::vector<std::int64_t> &costs, const Alike &alike,
                        const std::optional<std::pair<ArcTimes, ArcTimes>> &times) {
    check_costs(costs, 4);
    const auto left = network_of(ref, times ? &times->first : nullptr), right = network_of(hyp, times ? &times->second : nullptr);
    const NetworkCosts table{costs[0], costs[1], costs[2], costs[3]};
    NetworkSteps found;
    {
        nb::gil_scoped_release free;
        found = times ? NetworkAligner<true>(left, right, table, alike).align() : NetworkAligner<false>(left, right, table, alike).align();
    }
    nb::list steps;
    const auto number = [](std::uint32_t arc) { return arc == Network::NONE ? std::int64_t{-1} : std::int64_t{arc}; };
    for (const auto &[a, b] : found) steps.append(nb::make_tuple(number(a), number(b)));
    return steps;
}

}  // namespace

void bind_alignment(nb::module_ &m) {
    // The steps of pairs by sclite's costs and ties, and where those of each pair end.
    m.def("align_nist", [](nb::list refs, nb::list hyps, std::size_t threads) {
        const auto [left, right] = sides_of(refs, hyps, false);
        Aligned found;
        {
            nb::gil_scoped_release free;
            found = align_batch(left, right, MarkedCosts{}, nullptr, threads, true);
        }
        const auto n = left.size(), steps = found.steps.size();
        return nb::make_tuple(array_of(std::move(found.steps), {steps}), array_of(std::move(found.ends), {n}));
    });

    m.def("align", &align, nb::arg("refs"), nb::arg("hyps"), nb::arg("costs"), nb::arg("characters"), nb::arg("threads"), nb::arg("marks").none(),
          nb::arg("keep"), nb::arg("regions"), nb::arg("times").none() = nb::none());

    // Texts of known symbols, aligned with unit costs and under a table; None where one is unknown.
    m.def("align_symbols", [](nb::list refs, nb::list hyps, std::vector<std::string> symbols, std::vector<std::string> silent,
                              nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu> substitution,
                              nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> alone) -> nb::object {
        const auto [left, right] = sides_of(refs, hyps, false);
        const auto size = alone.shape(0);
        if (symbols.size() != size || substitution.shape(0) != size || substitution.shape(1) != size) {
            throw nb::value_error("a table of costs must be square, with a cost per symbol");
        }
        std::int64_t greatest = 0, least = 0;
        for (std::size_t i = 0; i < size * size; ++i) greatest = std::max(greatest, substitution.data()[i]), least = std::min(least, substitution.data()[i]);
        for (std::size_t i = 0; i < size; ++i) greatest = std::max(greatest, alone.data()[i]), least = std::min(least, alone.data()[i]);
        if (least < 0) throw nb::value_error("a cost is below 0");
        const TablePair::Table table{substitution.data(), alone.data(), size, greatest};
        std::optional<SymbolAlignment> found;
        {
            nb::gil_scoped_release free;
            found = align_symbols(left, right, symbols, silent, table);
        }
        if (!found) return nb::none();
        const auto n = left.size(), plain = found->plain.steps.size(), weighted = found->weighted.steps.size();
        return nb::make_tuple(
            nb::make_tuple(array_of(std::move(found->plain.steps), {plain}), array_of(std::move(found->plain.ends), {n}),
                           array_of(std::move(found->plain.counts), {n, std::size_t{4}})),
            nb::make_tuple(array_of(std::move(found->weighted.steps), {weighted}), array_of(std::move(found->weighted.ends), {n}),
                           array_of(std::move(found->weighted.counts), {n})));
    });

    // Arcs (from, to, word, optional) in the order of their ends; a word of -1 is none. With times, when each arc begins and ends.
    m.def("align_networks", &align_networks, nb::arg("ref"), nb::arg("hyp"), nb::arg("costs"), nb::arg("alike"), nb::arg("times").none() = nb::none());

    m.def("distances", [](nb::list refs, nb::list hyps, std::size_t threads) {
        const auto [left, right] = sides_of(refs, hyps, true);
        std::vector<std::int64_t> found;
        {
            nb::gil_scoped_release free;
            found = character_distances(left, right, threads);
        }
        return array_of(std::move(found), {left.size(), std::size_t{2}});
    });

    m.def("resample", [](nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu> rows, std::uint64_t key,
                         std::size_t replicates, std::size_t threads) {
        const auto n = rows.shape(0), width = rows.shape(1);
        std::vector<std::int64_t> sums;
        {
            nb::gil_scoped_release free;
            sums = Resampler(rows.data(), n, width).sums(key, replicates, threads);
        }
        return array_of(std::move(sums), {replicates, width});
    });
}

}  // namespace mondegreen
