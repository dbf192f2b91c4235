// The one place where the kernel meets Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string_view>

#include "blake2b.hpp"
#include "draw.hpp"
#include "ids.hpp"
#include "nearest.hpp"
#include "rewriter.hpp"

namespace nb = nanobind;
using namespace mondegreen;

namespace {

std::u32string code_points(nb::handle text) {
    const auto size = PyUnicode_GetLength(text.ptr());
    std::u32string points(static_cast<std::size_t>(size), U'\0');
    if (size > 0 && PyUnicode_AsUCS4(text.ptr(), reinterpret_cast<Py_UCS4 *>(points.data()), size, 0) == nullptr) {
        throw nb::python_error();
    }
    return points;
}

std::uint64_t hash(std::string_view prefix, std::string_view text) {
    Blake2b64 hash;
    hash.add(prefix);
    hash.add(text);
    return hash.finish();
}

nb::object choice(Lanes &lanes, nb::object items) {
    const auto at = lanes.below(nb::len(items));
    return nb::steal(PySequence_GetItem(items.ptr(), static_cast<Py_ssize_t>(at)));
}

std::vector<Change> changes_of(nb::tuple edits, const Names &names) {
    std::vector<Change> changes;
    for (auto edit : edits) {
        changes.push_back({get_number(edit, names.start), get_number(edit, names.end), get(edit, names.tokens)});
    }
    return changes;
}

}  // namespace

NB_MODULE(_kernel, m) {
    nb::set_leak_warnings(false);  // word tables are kept until the process ends

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

    nb::class_<Lanes>(m, "Draw")
        .def(nb::init<std::uint64_t, std::uint64_t>())
        .def("below", &Lanes::below)
        .def("choice", &choice)
        .def("weighted", [](Lanes &lanes, const std::vector<std::uint64_t> &weights) { return lanes.weighted(weights); });

    m.def("rewrite", [](nb::handle said, nb::tuple edits, nb::object slot_type) {
        static const auto &names = *new Names;  // lives as long as Python does
        Rewriting rewriting(names, slot_type, said, changes_of(edits, names));
        return rewriting.make() ? rewriting.parts() : nb::none();
    });

    nb::class_<Rewriter>(m, "Rewriter")
        .def("__init__",
             [](Rewriter *self, nb::object edit, nb::object slot, nb::object variant, nb::tuple options, nb::str name, bool inserts,
                nb::object grow) {
                 new (self) Rewriter({edit, slot, variant, options[0], options[1], options[2], options[3]}, name, inserts, grow);
             })
        .def("rewrite", &Rewriter::rewrite);

    nb::class_<Nearest>(m, "Nearest")
        .def("__init__",
             [](Nearest *self, nb::iterable words) {
                 std::vector<std::u32string> entries;
                 for (auto word : words) entries.push_back(code_points(word));
                 new (self) Nearest(std::move(entries));
             })
        .def("find", [](const Nearest &self, nb::str word, std::size_t n) {
            const auto points = code_points(word);
            std::vector<std::pair<std::uint32_t, std::uint32_t>> hits;
            for (const auto &hit : self.find(points, n)) hits.emplace_back(hit.index, hit.distance);
            return hits;
        });

    nb::class_<Fingerprints>(m, "Ids")
        .def(nb::init<>())
        .def("add", [](Fingerprints &self, nb::str id) {
            return self.add(hash("", utf8(id)));
        });
}
