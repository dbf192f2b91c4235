// The texts of a batch, as Python gives them.
#pragma once

#include "bind.hpp"
#include "side.hpp"
#include "timed.hpp"

namespace mondegreen {

inline void add_token(Side &side, nb::handle token) {
    if (!PyUnicode_Check(token.ptr())) throw nb::type_error("a token is not a str");
    side.add(utf8(token));
}

// Adds the tokens of an item. Only what is neither a list nor a tuple runs Python's code here.
inline void add_tokens(Side &side, nb::handle item) {
    if (PyUnicode_Check(item.ptr())) throw nb::type_error("texts and token lists must not be mixed");
    if (PyTuple_CheckExact(item.ptr())) {
        for (Py_ssize_t at = 0, n = PyTuple_GET_SIZE(item.ptr()); at < n; ++at) add_token(side, PyTuple_GET_ITEM(item.ptr(), at));
    } else if (PyList_CheckExact(item.ptr())) {
        for (Py_ssize_t at = 0, n = PyList_GET_SIZE(item.ptr()); at < n; ++at) add_token(side, PyList_GET_ITEM(item.ptr(), at));
    } else {
        for (auto token : nb::iter(item)) add_token(side, token);
    }
    side.offsets->push_back(side.ends.size() - 1);
}

// One side of a batch: a list of texts, or a list of token lists.
inline Side side_of(nb::list items, bool characters) {
    Side side;
    side.characters = characters;
    if (items.size() > 0 && !PyUnicode_Check(nb::handle(items[0]).ptr())) side.offsets.emplace(1, 0);
    for (std::size_t at = 0; at < items.size(); ++at) {  // its length may change as Python's code runs
        const nb::object item = items[at];
        if (side.offsets) {
            add_tokens(side, item);
        } else {
            if (!PyUnicode_Check(item.ptr())) throw nb::type_error("texts and token lists must not be mixed");
            side.add(utf8(item));
        }
    }
    side.bytes.append(PADDING, '\0');
    return side;
}

// The sides of a batch, paired.
inline std::pair<Side, Side> sides_of(nb::list refs, nb::list hyps, bool characters) {
    std::pair<Side, Side> sides{side_of(refs, characters), side_of(hyps, characters)};
    if (sides.first.size() != sides.second.size()) throw nb::value_error("as many references as hypotheses are needed");
    return sides;
}

using TimeArray = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using EndArray = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The times of the words of one side: when each begins and ends, and where those of each item end.
inline Times times_of(nb::handle given, const Side &side) {
    const auto [spans, ends] = nb::cast<std::pair<TimeArray, EndArray>>(given);
    Times times;
    if (ends.shape(0) != side.size() || (spans.shape(0) > 0 && spans.shape(1) != 2)) throw nb::value_error("every item needs its times");
    for (std::size_t at = 0; at < spans.shape(0); ++at) times.spans.push_back({spans.data()[2 * at], spans.data()[2 * at + 1]});
    times.offsets.push_back(0);
    for (std::size_t item = 0; item < ends.shape(0); ++item) {
        const auto end = static_cast<std::size_t>(std::max<std::int64_t>(ends.data()[item], 0));
        if (end < times.offsets.back() || end > times.spans.size()) throw nb::value_error("the ends of times are not in order");
        times.offsets.push_back(end);
    }
    times.check();
    return times;
}

// The times of both sides; none without times.
inline std::optional<TimedSides> timed_sides_of(nb::handle times, const Side &refs, const Side &hyps) {
    if (times.is_none()) return std::nullopt;
    const auto [left, right] = nb::cast<std::pair<nb::object, nb::object>>(times);
    return TimedSides{times_of(left, refs), times_of(right, hyps)};
}

inline void check_costs(const std::vector<std::int64_t> &costs, std::size_t n) {
    if (costs.size() != n) throw nb::value_error("there are too many or too few costs");
    for (const auto cost : costs) {
        if (cost < 0 || cost > std::int64_t{1} << 40) throw nb::value_error("a cost is out of range");
    }
}

}  // namespace mondegreen
