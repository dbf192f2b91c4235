// Random draws.
#include "bind.hpp"
#include "draw.hpp"
#include "gaps.hpp"

namespace mondegreen {

namespace {

nb::object choice(Lanes &lanes, nb::object items) {
    const auto at = lanes.below(nb::len(items));
    auto *item = PySequence_GetItem(items.ptr(), static_cast<Py_ssize_t>(at));
    if (item == nullptr) throw nb::python_error();
    return nb::steal(item);
}

// The chances of each kind at each place, one row after the other.
std::vector<double> chances_of(nb::list places, std::size_t kinds) {
    std::vector<double> chances;
    chances.reserve(places.size() * kinds);
    for (auto place : places) {
        if (!PyTuple_Check(place.ptr()) || nb::len(place) != kinds) throw nb::value_error("each place needs a tuple with a chance per kind");
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            chances.push_back(PyFloat_AsDouble(PyTuple_GET_ITEM(place.ptr(), static_cast<Py_ssize_t>(kind))));
        }
    }
    if (PyErr_Occurred()) throw nb::python_error();
    return chances;
}

}  // namespace

void bind_draws(nb::module_ &m) {
    m.def("key", [](nb::bytes prefix, nb::str text) {
        return hash({prefix.c_str(), prefix.size()}, utf8(text));
    });

    m.def("walk", [](std::uint64_t key, std::int64_t start, std::int64_t stop, std::uint64_t threshold,
                     std::size_t least) {
        const auto found = walk(key, start, stop, threshold, least);
        nb::list sites;
        for (const auto site : found.sites) sites.append(site);
        return nb::make_tuple(found.below, sites);
    });

    m.def("weighted_walk", [](std::uint64_t key, std::int64_t start, const std::vector<double> &weights,
                              std::uint64_t threshold) {
        const auto found = weighted_walk(key, start, weights, threshold);
        nb::list sites;
        for (const auto site : found.sites) sites.append(site);
        return nb::make_tuple(found.below, sites);
    });

    m.def("gap_weights", [](nb::list places, const std::vector<std::uint32_t> &allowed, const std::vector<double> &expected, double average) {
        auto [factors, weights] = gap_weights(chances_of(places, expected.size()), allowed, expected, average);
        return nb::make_tuple(nb::tuple(nb::cast(factors)), weights);
    });

    nb::class_<Lanes>(m, "Draw")
        .def(nb::init<std::uint64_t, std::uint64_t>())
        .def_prop_ro("key", &Lanes::key)
        .def("below", &Lanes::below)
        .def("choice", &choice)
        .def("weighted", [](Lanes &lanes, const std::vector<std::uint64_t> &weights) { return lanes.weighted(weights); });
}

}  // namespace mondegreen
