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

namespace nb = nanobind;
using namespace mondegreen;

namespace {

std::string_view utf8(nb::handle text) {
    Py_ssize_t size = 0;
    const char *bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (bytes == nullptr) throw nb::python_error();  // a lone surrogate: UnicodeEncodeError
    return {bytes, static_cast<std::size_t>(size)};
}

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

class Draw {
public:
    Draw(std::uint64_t key, std::uint64_t site) : key_(key), site_(site) {}

    std::uint64_t below(std::uint64_t n) {
        if (++lane_ == LANES) throw std::overflow_error("more than 255 draws at one site");
        return scale(value(key_, site_, lane_), n);
    }

    nb::object choice(nb::object items) {
        const auto at = below(nb::len(items));
        return nb::steal(PySequence_GetItem(items.ptr(), static_cast<Py_ssize_t>(at)));
    }

    std::size_t weighted(const std::vector<std::uint64_t> &weights) {
        std::uint64_t sum = 0;
        for (const auto weight : weights) sum += weight;
        auto left = below(sum);
        std::size_t at = 0;
        while (left >= weights[at]) left -= weights[at++];
        return at;
    }

private:
    std::uint64_t key_, site_, lane_ = 0;
};

}  // namespace

NB_MODULE(_kernel, m) {
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

    nb::class_<Draw>(m, "Draw")
        .def(nb::init<std::uint64_t, std::uint64_t>())
        .def("below", &Draw::below)
        .def("choice", &Draw::choice)
        .def("weighted", &Draw::weighted);

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
            const auto text = utf8(id);
            return self.add({hash("low", text), hash("high", text)});
        });
}
