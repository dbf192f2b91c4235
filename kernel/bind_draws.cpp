// Random draws.
#include "bind.hpp"
#include "draw.hpp"

namespace mondegreen {

namespace {

nb::object choice(Lanes &lanes, nb::object items) {
    const auto at = lanes.below(nb::len(items));
    auto *item = PySequence_GetItem(items.ptr(), static_cast<Py_ssize_t>(at));
    if (item == nullptr) throw nb::python_error();
    return nb::steal(item);
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

    nb::class_<Lanes>(m, "Draw")
        .def(nb::init<std::uint64_t, std::uint64_t>())
        .def_prop_ro("key", &Lanes::key)
        .def("below", &Lanes::below)
        .def("choice", &choice)
        .def("weighted", [](Lanes &lanes, const std::vector<std::uint64_t> &weights) { return lanes.weighted(weights); });
}

}  // namespace mondegreen
